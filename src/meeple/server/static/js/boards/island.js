// The island of Catan: tiles, ports, pieces, and the places where one may build.
//
// Spots are "v12" (a corner), "e30" (a side), "t5" (a tile) and "s1" (a player to rob: shown on
// that player's buildings beside the robber).

import { building, picture, road, robber, token } from "../catan/drawings.js";
import { placeName, said, tilesOf } from "../catan/words.js";
import { clear, h, s } from "../view.js";
import { t, translate } from "../messages.js";
import { drawExplained, HEXAGON, markSign, polygon } from "./pieces.js";
import { Spots } from "./spots.js";

const SIDE = 50; // of a tile
const WIDE = (Math.sqrt(3) / 2) * SIDE; // a unit across
const HIGH = SIDE / 2; // a unit down
const REACH = 11; // beside a side that one may click
const CORNER = 16; // around a corner
const SEA = 34; // from a coast's middle to its port
const UNIT = 44; // of what explains a place
const DIRECTIONS = ["east", "southeast", "south", "southwest", "west", "northwest", "north", "northeast"];
const BOX = { left: -280, top: -246, width: 560, height: 492 };

function at([across, down]) {
  return [across * WIDE, down * HIGH];
}

/** The island in a container; see `board.js`. `update` also takes `only`: "road", "settlement" or
 *  "city", to show the places of that alone; and `last`: the spots of the last action. */
export class Island extends Spots {
  constructor(container, options) {
    super({ onPoint: () => null, ...options }, h("div", { class: "field" }));
    this.svg = s("svg", { class: "board island", role: "group", "aria-label": this.label,
      viewBox: `${BOX.left} ${BOX.top} ${BOX.width} ${BOX.height}`,
      onpointerleave: () => this.onPoint(null) });
    // The listeners are not the SVG's: it would become a tab stop itself.
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.root.addEventListener("focusin", (event) => this.focused(event.target));
    this.root.append(this.svg);
    this.magnify(2 * CORNER, () => [...this.cells.values()].filter(({ spot }) => this.plays.has(spot)));
    container.append(this.root);
  }

  redraw() {
    const { scene } = this.state;
    const key = JSON.stringify([scene.tiles, scene.ports]);
    if (key !== this.land) {
      this.land = key;
      this.build(scene);
    }
    this.show(scene);
  }

  // ------------------------------------------------------------ the land

  build(scene) {
    this.cells = new Map();
    this.corners = scene.vertices.map((vertex) => at(vertex.at));
    this.layers = Object.fromEntries(["sea", "tiles", "roads", "sides", "pieces", "corners", "notes"]
      .map((name) => [name, s("g", { class: `layer-${name}` })]));
    for (const name of ["sea", "notes"]) this.layers[name].setAttribute("aria-hidden", "true");
    for (const name of ["notes", "roads", "pieces"]) this.layers[name].setAttribute("pointer-events", "none");
    clear(this.svg).append(...Object.values(this.layers));
    this.layers.sea.append(
      ...scene.tiles.map((tile) => s("path", {
        class: "shore", d: polygon(HEXAGON, 1.16 * SIDE), transform: moved(at(tile.at)) })),
      ...scene.ports.flatMap((port) => this.port(scene, port)),
    );
    scene.tiles.forEach((tile, number) => this.addTile(tile, number));
    scene.edges.forEach((ends, number) => this.addSide(ends, number));
    scene.vertices.forEach((_, number) => this.addCorner(number));
  }

  port(scene, { edge, kind, rate }) {
    const [a, b] = scene.edges[edge];
    const tile = scene.vertices[a].tiles.find((t) => scene.vertices[b].tiles.includes(t));
    const [x0, y0] = at(scene.tiles[tile].at);
    const [x1, y1] = this.corners[a];
    const [x2, y2] = this.corners[b];
    const [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2];
    const far = Math.hypot(mx - x0, my - y0);
    const [x, y] = [mx + ((mx - x0) / far) * SEA, my + ((my - y0) / far) * SEA];
    return [s("path", { class: "pier", d: `M${x1} ${y1}L${x} ${y}L${x2} ${y2}` }),
      s("g", { class: `port ${kind}`, transform: moved([x, y]) },
        s("circle", { r: 21 }),
        kind === "any"
          ? s("text", { "font-size": 15 }, `${rate}:1`)
          : [s("g", { transform: "translate(0 -6)" }, picture(kind, 19)),
             s("text", { "font-size": 12.5, y: 11 }, `${rate}:1`)])];
  }

  addTile({ at: place, resource, number }, index) {
    const [x, y] = at(place);
    const shape = polygon(HEXAGON, SIDE - 1.5);
    const shown = [s("path", { class: `land ${resource}`, d: shape }),
      s("g", { transform: number ? "translate(0 -22)" : "" }, picture(resource, number ? 27 : 36)),
      number ? s("g", { transform: "translate(0 13)" }, token(number)) : null,
      s("path", { class: "site", d: polygon(HEXAGON, SIDE - 6) })];
    this.add("tiles", `t${index}`, x, y, "tile-spot", shown);
  }

  addSide([a, b], index) {
    const [[x1, y1], [x2, y2]] = [this.corners[a], this.corners[b]];
    const cut = (near, far) => near + 0.24 * (far - near);
    const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
    const ends = { x1: cut(x1, x2) - x, y1: cut(y1, y2) - y, x2: cut(x2, x1) - x, y2: cut(y2, y1) - y };
    const [dx, dy] = [(REACH * (y2 - y1)) / SIDE, (REACH * (x1 - x2)) / SIDE];
    const around = `M${ends.x1 - dx} ${ends.y1 - dy}L${ends.x2 - dx} ${ends.y2 - dy}`
      + `L${ends.x2 + dx} ${ends.y2 + dy}L${ends.x1 + dx} ${ends.y1 + dy}Z`;
    const shown = [s("path", { class: "reach", d: around }), s("line", { class: "site", ...ends })];
    this.add("sides", `e${index}`, x, y, "side-spot", shown);
  }

  addCorner(index) {
    const [x, y] = this.corners[index];
    const shown = [s("circle", { class: "reach", r: CORNER }), s("circle", { class: "site", r: 10 })];
    this.add("corners", `v${index}`, x, y, "corner-spot", shown);
  }

  add(layer, spot, x, y, kind, shown) {
    const node = s("g", {
      class: `spot ${kind}`, transform: moved([x, y]), tabindex: "-1", "data-spot": spot,
      onclick: () => this.click(spot), onpointerenter: () => this.onPoint(spot) }, shown);
    this.cells.set(spot, { spot, x, y, node, r: layer === "tiles" ? 0.74 * SIDE : undefined });
    this.layers[layer].append(node);
  }

  // ------------------------------------------------------------ what stands on it

  show(scene) {
    clear(this.layers.roads).append(...scene.roads.map(({ edge, seat }) =>
      road(...scene.edges[edge].map((v) => this.corners[v]), seat)));
    clear(this.layers.pieces).append(...scene.buildings.map(({ vertex, seat, kind }) =>
      s("g", { transform: moved(this.corners[vertex]) }, building(kind, seat))));
    if (scene.robber !== null) {
      const [x, y] = at(scene.tiles[scene.robber].at);
      this.layers.pieces.append(s("g", { transform: moved([x + 30, y + 6]) }, robber()));
    }
    this.openPlaces(scene);
    this.mark(scene);
  }

  /** Which spots play which action: all that may be clicked now. */
  openPlaces(scene) {
    const { actions, only, pointable } = this.state;
    this.plays = new Map();
    for (const action of actions) {
      if (action.clicks?.length !== 1) continue;
      const [spot] = action.clicks;
      if (only && "ve".includes(spot[0]) && !action.name.startsWith(only)) continue;
      for (const place of spot[0] === "s" ? besideRobber(scene, Number(spot.slice(1))) : [spot]) {
        this.plays.set(place, action);
      }
    }
    const owners = new Map([...scene.buildings.map((piece) => [`v${piece.vertex}`, piece]),
      ...scene.roads.map((piece) => [`e${piece.edge}`, { ...piece, kind: "road" }])]);
    const stops = [];
    for (const place of this.cells.values()) {
      const { node, spot } = place;
      const action = this.plays.get(spot);
      const piece = owners.get(spot);
      node.classList.toggle("can", Boolean(action));
      const told = pointable?.has(spot);
      node.classList.toggle("told", Boolean(told));
      node.classList.toggle("built", Boolean(piece)); // what stands there stays in sight
      node.setAttribute("role", action ? "button" : "img");
      node.setAttribute("aria-label", this.words(scene, spot, piece, action));
      const counts = action || piece || told || spot[0] === "t";
      if (counts) node.removeAttribute("aria-hidden");
      else node.setAttribute("aria-hidden", "true");
      if (this.plays.size ? action || told : counts) stops.push(place);
    }
    this.reached = stops;
    const kept = stops.some(({ spot }) => spot === this.current);
    const focused = this.svg.contains(document.activeElement);
    this.stop(kept ? this.current : stops[0]?.spot);
    if (focused) this.cells.get(this.current)?.node.focus();
  }

  words(scene, spot, piece, action) {
    const number = Number(spot.slice(1));
    const place = placeName(scene, spot);
    const parts = [];
    if (spot[0] === "t") {
      parts.push(t("island.tile", { place }));
      if (scene.tiles.filter((_, tile) => placeName(scene, `t${tile}`) === place).length > 1) {
        parts.push(t("island.row", rowOf(scene.tiles, number)));
      }
      if (scene.robber === number) parts.push(t("island.robber"));
    } else {
      const what = piece ? t("island.of", { thing: translate(piece.kind),
        name: translate(scene.players[piece.seat].name) }) : t("island.free");
      parts.push(t(spot[0] === "v" ? "island.corner" : "island.side", { place, what }));
      const [tile, ...others] = tilesOf(scene, spot);
      if (!others.length) parts.push(t("island.coast", { where: this.direction(scene.tiles[tile], spot) }));
      const port = scene.ports.find(({ edge }) => (spot[0] === "e" ? edge === number
        : scene.edges[edge].includes(number)));
      if (port) parts.push(t("island.port", { rate: port.rate, kind: translate(port.kind) }));
    }
    const name = action?.name.replace(/^(\w+) \d+$/, "$1"); // the place is said
    if (action) parts.push(t("board.can_play_name", { name: said(name, scene) }));
    return parts.join(", ");
  }

  /** Where a spot lies at a tile: the places at one tile alone have the same name else. */
  direction(tile, spot) {
    const { x, y } = this.cells.get(spot);
    const [left, top] = at(tile.at);
    const eighth = Math.round((4 * Math.atan2(y - top, x - left)) / Math.PI);
    return t(`island.to_${DIRECTIONS[(eighth + 8) % 8]}`);
  }

  /** Heat, a line's numbers and a preview, on the spots of their actions. */
  mark(scene) {
    const { heat, line, preview, actions, lit, last, marks } = this.state;
    const places = new Map();
    for (const { id, clicks } of actions) {
      const spot = clicks?.at(-1);
      if (spot) places.set(id, spot[0] === "s" ? besideRobber(scene, +spot.slice(1))[0] : spot);
    }
    const notes = [];
    const put = (spot, ...nodes) => {
      const place = this.cells.get(spot);
      if (place) notes.push(s("g", { transform: moved([place.x, place.y]) }, nodes));
    };
    const text = (words, y = 0) => s("text", { class: "share", "font-size": 12, y }, words);
    const most = Math.max(0.01, ...Object.values(heat));
    for (const [id, share] of Object.entries(heat)) {
      const opacity = (0.35 + 0.6 * Math.sqrt(share / most)).toFixed(2);
      const percent = Math.round(100 * share);
      const warm = s("circle", { class: "warm", r: 15, opacity });
      if (percent) put(places.get(Number(id)), warm, text(`${percent}%`));
    }
    line.forEach((id, step) => put(places.get(id), s("circle", { class: "step", r: 10, cy: -18 }),
      text(step + 1, -18)));
    for (const spot of last) put(spot, s("circle", { class: "ring last", r: 18 }));
    for (const spot of [...lit, places.get(preview)]) put(spot, s("circle", { class: "ring", r: 18 }));
    for (const [spot, shape] of Object.entries(marks)) put(spot, markSign(shape, 14));
    clear(this.layers.notes).append(...notes, ...drawExplained(this.state.explained, this.cells, UNIT));
  }

  // ------------------------------------------------------------ pointer and keys

  click(spot) {
    const action = this.plays?.get(spot);
    if (action) this.onAction(action.id);
  }

  get stops() {
    return this.reached;
  }

  focused(node) {
    const spot = node.closest?.("[data-spot]")?.dataset.spot;
    if (!spot) return;
    this.stop(spot);
    this.onPoint(spot);
  }
}

function moved(/** @type {number[]} */ [x, y]) {
  return `translate(${x.toFixed(2)} ${y.toFixed(2)})`;
}

/** The place of a tile in its row, and the number of the row. */
function rowOf(tiles, number) {
  const [left, down] = tiles[number].at;
  const places = tiles.map(({ at }) => at);
  return { n: places.filter(([across, row]) => row === down && across <= left).length,
    row: new Set(places.map(([, row]) => row).filter((row) => row <= down)).size };
}

/** The corners of a seat's buildings at the robber's tile. */
function besideRobber(scene, seat) {
  return scene.buildings
    .filter((piece) => piece.seat === seat
      && scene.vertices[piece.vertex].tiles.includes(scene.robber)).map(({ vertex }) => `v${vertex}`);
}
