// A magnifier for fingers: while one touches a board of small cells, what is below it is shown larger
// beside it, and the cell that is met is chosen when the finger is lifted.

import { h, s } from "../view.js";

const LEAST = 32; // pixels of a cell that a finger meets without a magnifier
const AIM = 48; // pixels of a cell in the magnifier
const WIDE = 150; // pixels of the magnifier
const AWAY = 56; // pixels between it and the finger

/** Listens to touches of a drawn board. `size`: of a cell, in units of the drawing; `spots()`: the cells
 *  that may be chosen, {spot, x, y} each; `choose(spot)`. */
export function magnify(svg, { size, spots, choose }) {
  let shown = null; // {node, view, ring, spot} while a finger is on the board

  const here = ({ clientX, clientY }) => new DOMPoint(clientX, clientY)
    .matrixTransform(svg.getScreenCTM().inverse());

  const isSmall = () => size * (svg.getScreenCTM()?.a ?? Infinity) < LEAST;

  function begin(event) {
    if (event.pointerType !== "touch" || !event.isPrimary || !isSmall() || !spots().length) return;
    const view = svg.cloneNode(true);
    view.style.maxWidth = "none";
    const ring = s("circle", { class: "loupe-aim", r: 0.5 * size });
    view.append(ring);
    shown = { view, ring, spot: "", side: WIDE / (AIM / size),
      node: h("div", { class: "loupe", inert: true }, view) };
    document.body.append(shown.node);
    svg.setPointerCapture(event.pointerId);
    move(event);
  }

  function move(event) {
    if (!shown) return;
    const { view, ring, node, side } = shown;
    const { x, y } = here(event);
    const far = (cell) => Math.hypot(cell.x - x, cell.y - y);
    const met = spots().reduce((best, cell) => (far(cell) < far(best) ? cell : best));
    shown.spot = far(met) < size ? met.spot : "";
    ring.setAttribute("transform", `translate(${met.x} ${met.y})`);
    ring.style.display = shown.spot ? "" : "none";
    view.setAttribute("viewBox", `${x - side / 2} ${y - side / 2} ${side} ${side}`);
    const above = event.clientY - AWAY - WIDE;
    const beside = event.clientX > innerWidth / 2 ? event.clientX - AWAY - WIDE : event.clientX + AWAY;
    const left = above > 0 ? event.clientX - WIDE / 2 : beside;
    node.style.left = `${Math.max(4, Math.min(left, innerWidth - WIDE - 4))}px`;
    node.style.top = `${Math.max(4, above)}px`;
  }

  function end(event) {
    if (!shown) return;
    const { node, spot } = shown;
    node.remove();
    shown = null;
    if (event.type === "pointerup" && spot) choose(spot);
  }

  for (const [name, listen] of Object.entries({ pointerdown: begin, pointermove: move, pointerup: end,
    pointercancel: end })) svg.addEventListener(name, listen);
  // The click that follows would choose again.
  let touched = false;
  svg.addEventListener("pointerdown", () => { touched = Boolean(shown); });
  svg.addEventListener("click", (event) => touched && event.stopPropagation(), { capture: true });
  const sizes = new ResizeObserver(() => svg.classList.toggle("small", isSmall()));
  sizes.observe(svg);
  return () => {
    sizes.disconnect();
    shown?.node.remove();
  };
}
