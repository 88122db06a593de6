// A board as a picture to download.

import { saveAs } from "../dom.js";

const WIDTH = 1200; // pixels
const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap",
  "stroke-linejoin", "stroke-opacity", "opacity", "display", "paint-order", "font-size", "font-weight",
  "font-family", "text-anchor", "dominant-baseline", "r", "color"];

/** Downloads a drawn board as a PNG file of that name. */
export async function downloadImage(board, name) {
  const { width, height } = board.viewBox.baseVal;
  const copy = /** @type {SVGSVGElement} */ (withStyles(board));
  const scale = WIDTH / width;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(WIDTH));
  copy.setAttribute("height", String(height * scale));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  saveAs(canvas.toDataURL("image/png"), `${name}.png`);
}

/** A copy of a node in which the style sheets' values are attributes. */
function withStyles(node) {
  const copy = node.cloneNode(false);
  if (node.nodeType !== Node.ELEMENT_NODE) return copy;
  const style = getComputedStyle(node);
  for (const name of STYLES) {
    const value = style.getPropertyValue(name);
    if (value && !(name === "r" && node.tagName !== "circle")) copy.setAttribute(name, value);
  }
  for (const name of ["tabindex", "role", "class", "aria-label"]) copy.removeAttribute(name);
  for (const child of node.childNodes) copy.append(withStyles(child));
  return copy;
}
