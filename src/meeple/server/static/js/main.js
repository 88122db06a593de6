// The page: its views, messages, and the theme.

import { button } from "./controls.js";
import { preload } from "./modules.js";
import { showViews } from "./shell.js";
import { remember } from "./storage.js";
import { html, render, repeat } from "./view.js";

const SAY_FOR = 8000; // milliseconds; errors stay until they are closed

// By address: the file in `views/` is called like the view, and `nav` is the listed view that another
// one belongs to.
const VIEWS = {
  "": view("lobby", "Play"),
  table: view("table", "Table", "lobby"),
  learn: view("learn", "Learn", "lobby"),
  cup: view("cup", "Tournament", "lobby"),
  analysis: view("analysis", "Analysis"),
  puzzles: view("puzzles", "Puzzles"),
  library: view("library", "Library"),
  replay: view("replay", "Replay", "library"),
  study: view("study", "Study", "analysis"),
  training: view("training", "Training"),
};

function view(file, title, nav = file) {
  const load = async () => {
    preload(file);
    return (await import(`./views/${file}.js`)).show;
  };
  return { file, title, nav, load };
}

const app = {
  say,
  /** Goes to another view, such as "#/library". */
  go(hash) {
    if (location.hash === hash) again();
    else location.hash = hash;
  },
  title(text) {
    document.title = text ? `${text} · Meeple` : "Meeple";
  },
};

let messages = []; // {text, kind}

/** Shows a message; `kind`: "info", "good" or "error". The same text is not shown twice at once. */
function say(text, kind = "info") {
  const message = { text, kind };
  showMessages([...messages.filter((old) => old.text !== text), message]);
  if (kind !== "error") setTimeout(() => drop(message), SAY_FOR);
}

function drop(message) {
  showMessages(messages.filter((one) => one !== message));
}

function showMessages(all) {
  messages = all;
  render(repeat(all, (one) => one, (one) => html`<div class="message ${one.kind}"><p>${one.text}</p>
    ${button("×", () => drop(one), { kind: "icon", label: "Close message" })}</div>`),
  document.getElementById("messages"));
}

function startTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const switcher = document.getElementById("theme");
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light"))
    === "dark";
  const label = () => switcher.setAttribute("aria-pressed", String(isDark()));
  switcher.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    remember("meeple.theme", theme);
    label();
  });
  dark.addEventListener("change", label);
  label();
}

const listed = Object.entries(VIEWS).filter(([, { file, nav }]) => file === nav);
render(listed.map(([name, { title, nav }]) => html`<a href="#/${name}" data-view=${nav}>${title}</a>`),
  document.querySelector("nav"));
startTheme();
const again = showViews(VIEWS, { app, cleared: () => {
  showMessages([]);
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
} });
