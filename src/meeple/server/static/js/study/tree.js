// A study's tree of variations: an array of nodes that is never changed, only replaced.
// A node: {id, parent, action, comment, marks, mover, text}; `marks`: "circle:12 cross:3". Node 0 is
// the opening position; every node comes after its parent, and the first child is the main line.

const SHAPES = ["circle", "square", "triangle", "cross"];
const COLUMNS = ["id", "parent", "action", "comment", "marks", "mover", "text"];

/** The nodes of a study that the server sent as columns, `{ids, parents, ...}`. */
export function fromColumns(columns) {
  return columns.ids.map((_, at) =>
    Object.fromEntries(COLUMNS.map((name) => [name, column(columns, name)[at]])));
}

function column(columns, name) {
  return columns[name === "marks" ? name : `${name}s`];
}

/** The columns that the server takes. */
export function toColumns(nodes) {
  const of = (name) => nodes.map((node) => node[name]);
  return { ids: of("id"), parents: of("parent"), actions: of("action"), comments: of("comment"),
    marks: of("marks") };
}

export function nodeOf(nodes, id) {
  return nodes.find((node) => node.id === id) ?? null;
}

/** The children of every node by its id. */
export function childrenOf(nodes) {
  const found = new Map(nodes.map(({ id }) => [id, []]));
  for (const node of nodes.slice(1)) found.get(node.parent).push(node);
  return found;
}

/** The nodes from the opening position to `id`. */
function wayTo(nodes, id) {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const way = [];
  for (let node = known.get(id) ?? nodes[0]; node; node = known.get(node.parent)) way.push(node);
  return way.reverse();
}

/** The way to `id`, and the line that goes on from it. */
export function lineThrough(nodes, id) {
  const line = wayTo(nodes, id);
  const children = childrenOf(nodes);
  for (let [next] = children.get(line.at(-1).id); next; [next] = children.get(next.id)) line.push(next);
  return line;
}

/** The node that a line of actions leads to, or the last one on its way. */
export function follow(nodes, actions) {
  const children = childrenOf(nodes);
  let [node] = nodes;
  for (const action of actions) {
    const next = children.get(node.id).find((one) => one.action === action);
    if (!next) break;
    node = next;
  }
  return node;
}

/** The other moves from the position before `id`, and itself. */
export function siblings(nodes, id) {
  const { parent } = nodeOf(nodes, id);
  return nodes.filter((node) => node.parent === parent);
}

/** The child of `parent` with an action: {nodes, id}; a new one if there is none. */
export function withChild(nodes, parent, action, mover) {
  const known = nodes.find((node) => node.parent === parent && node.action === action);
  if (known) return { nodes, id: known.id };
  const id = 1 + Math.max(...nodes.map((node) => node.id));
  const node = { id, parent, action, comment: "", marks: "", mover, text: action };
  return { nodes: [...nodes, node], id };
}

export function changed(nodes, id, changes) {
  return nodes.map((node) => (node.id === id ? { ...node, ...changes } : node));
}

/** Without `id` and all that follows from it. */
export function without(nodes, id) {
  const gone = new Set([id]);
  return nodes.filter((node) => {
    if (gone.has(node.parent)) gone.add(node.id);
    return !gone.has(node.id);
  });
}

/** The node nearest to `id`, on its way, that is not the first move from its position; or null. */
export function branching(nodes, id) {
  const children = childrenOf(nodes);
  return wayTo(nodes, id).slice(1).findLast((node) => children.get(node.parent)[0] !== node) ?? null;
}

/** The variation of `id` becomes the first one from the position where it begins. */
export function promoted(nodes, id) {
  const node = branching(nodes, id);
  if (!node) return nodes;
  const [first] = siblings(nodes, node.id);
  return nodes.filter((one) => one !== node).flatMap((one) => (one === first ? [node, first] : [one]));
}

/** The marks of a text by their spots: {"12": "circle"}. */
export function marksOf(text) {
  return Object.fromEntries(text.split(" ").filter(Boolean).map((mark) => mark.split(":").reverse()));
}

/** The marks with the next shape on a spot, or none after the last shape. */
export function nextMark(text, spot) {
  const marks = marksOf(text);
  const shape = SHAPES[SHAPES.indexOf(marks[spot]) + 1];
  delete marks[spot];
  if (shape) marks[spot] = shape;
  return Object.entries(marks).map(([place, kind]) => `${kind}:${place}`).join(" ");
}
