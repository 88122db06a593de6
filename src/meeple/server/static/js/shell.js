// The frame of a page: which of its views the address asks for.

import { t } from "./messages.js";
import { h, render, sorry } from "./view.js";

const main = document.getElementById("view");

/** Shows the view of the address, now and whenever that changes. `views`: by name {title, nav, load},
 *  where `nav` is the link of the navigation that the view belongs to and `load()` promises its
 *  `show(root, params, app)`, which promises what to close when the view is left, or nothing.
 *  `link` leads away from an address that is none; `cleared()` is called before another view.
 *  `waiting(say)` says what a view waits for that has drawn nothing yet, and returns what ends that. */
export function showViews(views, { app, link = undefined, cleared = () => null,
  waiting = (_say) => () => null }) {
  let shown = 0; // counts addresses shown, so that a late view knows that it is late
  let waited = () => null; // ends what is said of the wait for a view
  let open = null; // the view that is shown

  async function route() {
    const turn = ++shown;
    const { name, params } = address();
    const view = Object.hasOwn(views, name) ? views[name] : null;
    open?.close();
    open = null;
    if (turn !== shown) return;
    cleared();
    waited();
    for (const one of document.querySelectorAll("nav a")) {
      if (view && one.getAttribute("data-view") === view.nav) one.setAttribute("aria-current", "page");
      else one.removeAttribute("aria-current");
    }
    app.title(view?.title ?? "");
    const root = h("div", { class: `view view-${view ? name || "lobby" : "none"}` });
    const wait = h("div", { class: "wait", role: "status" });
    main.replaceChildren(root, wait);
    waited = waiting((text) => {
      if (root.firstElementChild) waited();
      else wait.textContent = text;
    });
    scrollTo(0, 0);
    if (turn > 1) main.focus({ preventScroll: true });
    let made;
    try {
      if (!view) throw new Error(t("shell.no_page"));
      const show = await view.load();
      if (turn === shown) made = await show(root, params, app);
    } catch (error) {
      if (view) console.error(error);
      if (turn !== shown) return;
      waited();
      const missing = error instanceof TypeError && /import|module/i.test(error.message);
      main.replaceChildren(h("div", { class: "view" }));
      render(sorry(missing ? t("shell.not_loaded") : error.message, link), main.firstChild);
      return;
    }
    if (turn === shown) open = made;
    else made?.close();
  }

  document.querySelector("nav").setAttribute("aria-label", t("shell.main"));
  const skip = document.querySelector("a.skip");
  skip.textContent = t("shell.skip");
  skip.addEventListener("click", (event) => {
    event.preventDefault(); // the address belongs to the views
    main.focus();
  });
  addEventListener("hashchange", route);
  route();
  return route;
}

/** Starts to load the modules of a view; see `early.js`. */
export function preload(view) {
  /** @type {any} */ (window).preload?.(view);
}

/** The address as {name, params}: "#/table/ID?invite=..." is the view "table" with id and invite. */
function address() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, id] = path.split("/").map(decode);
  return { name, params: { ...Object.fromEntries(new URLSearchParams(query)), ...(id && { id }) } };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
