// What comes before anything is drawn, as a plain script: light or dark, by a choice kept here or else by
// the system; and requests for the modules of the view that the address names, which the page lists.

(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("meeple.theme");
  } catch {
    // no choice can be kept
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

  const modules = JSON.parse(document.getElementById("modules")?.textContent ?? "{}");
  /** Starts to load the modules of a view, all at once instead of one level of imports after another. */
  const preload = (view) => {
    for (const href of modules[view] ?? []) {
      const link = document.createElement("link");
      link.rel = "modulepreload";
      link.href = href;
      document.head.append(link);
    }
    delete modules[view];
  };
  Object.assign(window, { preload });
  preload(/^#\/?(\w*)/.exec(location.hash)?.[1] || "lobby");
})();
