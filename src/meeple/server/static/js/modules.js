// The modules of each view, which the server lists in the page: the browser requests them at once,
// not one level of imports after another.

const MODULES = JSON.parse(document.getElementById("modules")?.textContent ?? "{}");

// Starts to load the modules of the view `name`, such as "table".
export function preload(name) {
  for (const href of MODULES[name] ?? []) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = href;
    document.head.append(link);
  }
  delete MODULES[name];
}
