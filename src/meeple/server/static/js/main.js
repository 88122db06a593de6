// The page's shell: which view the address asks for, messages, the theme.

import { h, clear } from "./dom.js";
import { preload } from "./modules.js";
import { remember } from "./storage.js";
import { sentence } from "./words.js";

// The views by address: the file in `views/`, the title, and for a view that the navigation does not
// list, the listed one that it belongs to.
const VIEWS = {
  "": { file: "lobby", title: "Play" },
  table: { file: "table", title: "Table", parent: "lobby" },
  analysis: { file: "analysis", title: "Analysis" },
  library: { file: "library", title: "Library" },
  replay: { file: "replay", title: "Replay", parent: "library" },
  training: { file: "training", title: "Training" },
};
const SAY_FOR = 8000; // milliseconds; errors stay until they are closed

const main = document.getElementById("view");
const messages = document.getElementById("messages");
let shown = 0; // counts addresses shown, so that a late view knows that it is late
let leave = null; // cleans up after the view that is shown

const app = {
  say,
  // Goes to another view, such as "#/library".
  go(hash) {
    if (location.hash === hash) route();
    else location.hash = hash;
  },
  title(text) {
    document.title = text ? `${text} · Meeple` : "Meeple";
  },
};

// Shows a message; `kind`: "info", "good" or "error". The same text is not shown twice at once.
function say(text, kind = "info") {
  for (const old of messages.children) {
    if (old.dataset.text === text) old.remove();
  }
  const close = h("button", { class: "icon", type: "button", "aria-label": "Close message",
    onclick: () => message.remove() }, "×");
  const message = h("div", { class: `message ${kind}` }, h("p", {}, text), close);
  message.dataset.text = text;
  messages.append(message);
  if (kind !== "error") setTimeout(() => message.remove(), SAY_FOR);
}

// The address as {view, params}: "#/table/ID?invite=..." is the view "table" with id and invite.
function address() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/").map(decode);
  const params = Object.fromEntries(new URLSearchParams(query));
  if (rest[0]) params.id = rest[0];
  return { name, params };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function route() {
  const turn = ++shown;
  const { name, params } = address();
  const view = Object.hasOwn(VIEWS, name) ? VIEWS[name] : null;
  const cleanup = leave;
  leave = null;
  await cleanup?.();
  if (turn !== shown) return;
  messages.replaceChildren();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  for (const link of document.querySelectorAll("nav a")) {
    const here = view && link.dataset.view === (view.parent ?? view.file);
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  app.title(view?.title ?? "");
  const root = h("div", { class: `view view-${view?.file ?? "none"}` });
  clear(main).append(root);
  scrollTo(0, 0);
  if (turn > 1) main.focus({ preventScroll: true });
  if (!view) {
    root.append(sorry("There is no such page here."));
    return;
  }
  let done;
  try {
    preload(view.file);
    const module = await import(`./views/${view.file}.js`);
    if (turn !== shown) return;
    done = await module.show(root, params, app);
  } catch (error) {
    console.error(error);
    if (turn !== shown) return;
    const missing = error instanceof TypeError && /import|module/i.test(error.message);
    clear(root).append(sorry(missing ? "This part of Meeple could not be loaded." : error.message));
    return;
  }
  if (turn === shown) leave = done;
  else await done?.();
}

function sorry(text) {
  return h("section", { class: "panel narrow" }, h("h1", {}, "Sorry"),
    h("p", {}, sentence(text)),
    h("p", {}, h("a", { href: "#/" }, "Back to the games")));
}

function listViews() {
  const listed = Object.entries(VIEWS).filter(([, view]) => !view.parent);
  document.querySelector("nav").append(...listed.map(([name, view]) =>
    h("a", { href: `#/${name}`, "data-view": view.file }, view.title)));
}

function startTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = document.getElementById("theme");
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light"))
    === "dark";
  const label = () => button.setAttribute("aria-pressed", String(isDark()));
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    remember("meeple.theme", theme);
    label();
  });
  dark.addEventListener("change", label);
  label();
}

document.querySelector("a.skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address belongs to the router
  main.focus();
});
listViews();
startTheme();
addEventListener("hashchange", route);
route();
