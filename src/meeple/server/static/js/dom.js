// Elements from names, attributes and children. Text becomes text nodes, never markup.

const SVG = "http://www.w3.org/2000/svg";

// An HTML element. An attribute that is a function is a listener ("onclick"); null, undefined and
// false leave an attribute out, true sets it empty. Children: nodes, texts, numbers, lists of them.
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// An SVG element, in the same way.
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// Takes all children away and returns the node.
export function clear(node) {
  node.replaceChildren();
  return node;
}

// Downloads what is at an address as a file of that name.
export function saveAs(href, name) {
  const link = h("a", { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in node) node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter(shown));
  return node;
}

function shown(child) {
  return child !== null && child !== undefined && child !== false && child !== true;
}
