// Light or dark, before anything is drawn: a choice kept here, or else the system's own.
// A plain script, not a module, so that it runs first.

(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("meeple.theme");
  } catch {
    // no choice can be kept
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
