// The page: its views, notices, theme and language.

import { ended, LANGUAGES, setLanguage, t } from "./messages.js";
import { pluginViews } from "./plugins.js";
import { followPreparation } from "./preparing.js";
import { preload, showViews } from "./shell.js";
import { remember } from "./storage.js";
import { button, html, render, repeat, select } from "./view.js";

const SAY_FOR = 8000; // milliseconds; errors stay until they are closed
const MAX_MESSAGES = 3; // the newest, which are shown

// By address: the file in `views/` is called like the view, and `nav` is the listed view that another
// one belongs to. Views of plug-ins follow.
const VIEWS = {
  "": view("lobby", t("shell.play")),
  table: view("table", t("shell.table"), "lobby"),
  learn: view("learn", t("shell.learn"), "lobby"),
  cup: view("cup", t("shell.cup"), "lobby"),
  analysis: view("analysis", t("shell.analysis")),
  puzzles: view("puzzles", t("shell.puzzles")),
  library: view("library", t("shell.library")),
  replay: view("replay", t("shell.replay"), "library"),
  study: view("study", t("shell.study"), "analysis"),
  training: view("training", t("shell.training")),
  ...pluginViews(),
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
  /** Waits for `work()`, and shows why it failed. */
  async attempt(work) {
    await work().catch((error) => say(ended(error.message), "error"));
  },
  title(text) {
    document.title = text ? `${text} · Meeple` : "Meeple";
  },
};

let messages = []; // {text, kind}

/** Shows a message; `kind`: "info", "good" or "error". The same text is not shown twice at once. */
function say(text, kind = "info") {
  const message = { text, kind };
  showMessages([...messages.filter((old) => old.text !== text), message].slice(-MAX_MESSAGES));
  if (kind !== "error") setTimeout(() => drop(message), SAY_FOR);
}

function drop(message) {
  showMessages(messages.filter((one) => one !== message));
}

function showMessages(all) {
  messages = all;
  render(repeat(all, (one) => one, (one) => html`<div class="message ${one.kind}"><p>${one.text}</p>
    ${button("×", () => drop(one), { kind: "icon", label: t("shell.close_message") })}</div>`),
  document.getElementById("messages"));
}

function startTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const switcher = document.getElementById("theme");
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light"))
    === "dark";
  switcher.title = t("shell.theme_title");
  switcher.setAttribute("aria-label", t("shell.theme"));
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
render(select({ label: t("shell.language") }, document.documentElement.lang, Object.entries(LANGUAGES),
  setLanguage), document.getElementById("language"));
const again = showViews(VIEWS, { app, waiting: followPreparation, cleared: () => {
  showMessages([]);
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
} });
