// Deals of several players: what one says, agreeing to it, and composing one.

import { h } from "../dom.js";
import { icon } from "./drawings.js";
import { sentence } from "../words.js";

export function dealPart(redraw) {
  let turn = null; // whose composing the changes are
  let changes = []; // of each seat by resource: what it gains
  let place = ""; // of the robber or the road
  const clear = (scene) => {
    changes = scene.players.map(() => scene.resources.map(() => 0));
    place = "";
  };
  return {
    key({ scene, view, legal }) {
      const now = `${view.id} ${scene.turn} ${scene.to_move} ${scene.phase}`;
      if (now !== turn) clear(scene);
      turn = now;
      return [scene.deal, [...legal.keys()], scene.phase, scene.players.map((one) => one.hand_size),
        changes, place];
    },
    draw(table) {
      const { scene, mine, legal } = table;
      if (!scene.deal) return null;
      const { codes } = scene;
      const may = [...legal.keys()].some((id) => id >= codes.deal_give);
      const body = [
        scene.deal.words ? h("p", {}, `${sentence(scene.deal.words)}.`) : null,
        scene.deal.asked.length ? h("p", { class: "quiet small" },
          `Not answered yet: ${scene.deal.asked.map(table.name, table).join(", ")}.`) : null,
        mine && ["main", "robber"].includes(scene.phase) && may ? compose(table) : null,
      ].filter(Boolean);
      return body.length ? [h("h2", {}, "Deal"), ...body] : null;
    },
  };

  function compose(table) {
    const { scene } = table;
    const { codes, resources } = scene;
    const robber = scene.phase === "robber";
    const chosen = scene.deal.places.find(({ action }) => String(action) === place);
    const left = resources.map((_, r) => -changes.reduce((sum, own) => sum + own[r], 0));
    const due = chosen?.cost ?? resources.map(() => 0);
    const balanced = left.every((n, r) => n === due[r]);
    const others = changes.some((own, seat) => seat !== scene.on_turn && own.some(Boolean));
    const count = resources.length;
    const all = changes.flatMap((own, seat) => own.map((n, r) => [seat * count + r, n]));
    const ids = [
      ...all.flatMap(([at, n]) => Array(Math.max(0, -n)).fill(codes.deal_give + at)),
      ...all.flatMap(([at, n]) => Array(Math.max(0, n)).fill(codes.deal_get + at)),
      ...(chosen ? [chosen.action] : []),
      codes.propose,
    ];
    const choice = h("select", { "data-keep": "deal-place", id: "deal-place",
      onchange: (event) => {
        place = event.target.value;
        redraw();
      } },
    h("option", { value: "" }, robber ? "choose a tile" : "none"),
    scene.deal.places.map(({ action, words }) => h("option", { value: action,
      selected: String(action) === place }, words)));
    return h("details", { class: "composer", open: others || Boolean(chosen) },
      h("summary", {}, robber ? "Sell the robber's place" : "Compose a deal"),
      h("p", { class: "quiet small" }, "What each player gains (+) and gives (−). All who take "
        + "part must agree."),
      h("table", { class: "deal" },
        h("thead", {}, h("tr", {}, h("th", {}, ""), resources.map((name) =>
          h("th", { scope: "col" }, icon(name, 18), h("span", { class: "hidden-text" }, name))))),
        h("tbody", {}, changes.map((own, seat) => h("tr", {},
          h("th", { scope: "row" }, sentence(table.name(seat))),
          own.map((n, r) => h("td", {}, stepper(table, seat, r, n))))))),
      h("div", { class: "field" }, h("label", { for: "deal-place" },
        robber ? "The robber goes to" : "Paid with what is left over"), choice),
      h("div", { class: "catan-buttons" },
        button("Propose the deal", "propose-new-deal", () => table.play(ids), "primary",
          !balanced || !others || (robber && !chosen)),
        button("Clear", "clear-deal", () => {
          clear(scene);
          redraw();
        })),
      balanced ? null : h("p", { class: "quiet small" }, "What is given must be what is got"
        + `${robber ? "" : ", but for the cost of what is built"}.`));
  }

  function stepper(table, seat, r, n) {
    const { scene } = table;
    const who = `${table.name(seat)}, ${scene.resources[r]}`;
    const step = (by, label, sign) => h("button", { type: "button", class: "small step",
      "aria-label": label, "data-keep": `deal${seat}-${r}${by}`, onclick: () => {
        changes[seat][r] += by;
        redraw();
      } }, sign);
    return h("span", { class: `stepper${n ? " some" : ""}` }, step(-1, `${who}: one less`, "−"),
      h("strong", {}, n > 0 ? `+${n}` : String(n).replace("-", "−")),
      step(1, `${who}: one more`, "+"));
  }
}

function button(label, keep, onclick, kind = "", disabled = false) {
  return h("button", { type: "button", class: kind || null, "data-keep": keep, onclick, disabled },
    label);
}

/** What is to be decided about a deal now, for the bar of a turn; null if nothing is. */
export function dealDecision(table) {
  const { mine, scene: { phase } } = table;
  if (mine && phase === "consent") return answer(table);
  return mine && phase === "deal" ? leave(table) : null;
}

function answer(table) {
  const { scene: { codes }, legal } = table;
  const can = legal.has(codes.accept);
  return h("div", { class: "catan-buttons" },
    button("Agree", "agree", () => table.play([codes.accept]), "primary", !can),
    button("Refuse", "refuse-deal", () => table.play([codes.refuse])),
    can ? null : h("p", { class: "quiet small" }, "You do not hold what you would give."));
}

/** Out of a deal that somebody began by single actions. */
function leave(table) {
  const { scene: { codes }, legal } = table;
  return h("div", { class: "catan-buttons" },
    legal.has(codes.propose)
      ? button("Propose it", "propose-deal", () => table.play([codes.propose]), "primary") : null,
    button("Drop the deal", "drop-deal", () => table.play([codes.withdraw])));
}
