// What an agent thinks of one position: chances, alternatives, the line it expects.

import { post } from "../api.js";
import { barRow, percent, smallBar } from "../charts.js";
import { clear, h } from "../dom.js";
import { evaluatedBy, sentence } from "../words.js";

const MAX_ROWS = 12;
const SECONDS = [1, 3, 10, 30, 120, 600];
const SEARCH = "uct:seconds=1"; // the seconds of a wish take the place of a spec's limits
const JUDGE = ""; // the server's choice: the strongest for the game, by matches
const OTHER = "other";
const PATIENCE = 4000; // milliseconds until a wait is explained
const LONG = "Beginning to think… What was never used before is made ready first, which may take "
  + "a minute.";

// `onPeek({line} | {action} | null)` while something is pointed at; `onPlay(names)`.
export function makeThoughts({ onStart, onStop, onPeek, onPlay }) {
  const thoughts = new Thoughts({ onStart, onStop, onPeek, onPlay });
  return thoughts;
}

class Thoughts {
  constructor(calls) {
    this.calls = calls;
    this.players = [];
    this.game = "";
    this.running = "idle";
    this.levels = h("select", { id: "analysis-level", onchange: () => this.chosen() },
      h("option", { value: JUDGE }, "The strongest known"));
    this.words = h("p", { class: "quiet small" });
    this.spec = h("input", { type: "text", id: "analysis-spec", spellcheck: "false",
      autocomplete: "off", maxlength: 200, onchange: () => this.again() });
    this.specField = h("div", { class: "field", hidden: true },
      h("label", { for: "analysis-spec" }, "Agent, such as uct:seconds=1,c=2"), this.spec);
    this.seconds = h("select", { id: "analysis-seconds", onchange: () => this.again() },
      SECONDS.map((seconds) => h("option", { value: seconds, selected: seconds === 10 },
        seconds < 60 ? `${seconds} s` : `${seconds / 60} min`)));
    this.start = h("button", { type: "button", class: "primary",
      onclick: () => (this.running === "idle" ? calls.onStart() : calls.onStop()) }, "Analyse");
    this.progress = h("p", { class: "quiet small numbers", role: "status" });
    this.judge = h("p", { class: "small" });
    this.chances = h("div", { class: "analysis-chances" });
    this.bar = barRow(this.chances, { label: "Chances of winning" });
    this.table = h("div", { class: "scroll-x" });
    this.line = h("div", { class: "analysis-line" });
    this.empty = h("p", { class: "quiet" });
    this.found = h("div", { class: "stack", hidden: true },
      h("section", {}, h("h2", {}, "Chances of winning"), this.chances, this.judge),
      h("section", {}, h("h2", {}, "Alternatives"), this.table),
      h("section", {}, h("h2", {}, "Expected line"), this.line));
    this.root = h("div", { class: "stack" },
      h("div", { class: "analysis-wish" },
        h("div", { class: "field" },
          h("label", { for: "analysis-level" }, "Who thinks"), this.levels),
        h("div", { class: "field" },
          h("label", { for: "analysis-seconds" }, "Think for"), this.seconds),
        this.start),
      this.specField, this.words, this.progress, this.empty, this.found);
  }

  close() {
    clearTimeout(this.waiting);
    this.bar.close();
  }

  get wish() {
    const spec = this.levels.value === OTHER ? this.spec.value.trim() : this.levels.value;
    return { ...(spec && { spec }), seconds: Number(this.seconds.value) };
  }

  // A game to think about: who can, is asked of the server.
  async begin(info) {
    this.players = info.players;
    const wanted = JSON.stringify([info.game, info.options]);
    if (wanted === this.game) return;
    this.game = wanted;
    const before = this.levels.value;
    let judge = null;
    let networks = [];
    try {
      const wish = { game: info.game, options: info.options };
      ({ judge, networks } = await post("/api/levels", wish));
    } catch {
      // then there is the search, and what one types
    }
    if (this.game !== wanted) return;
    this.told = new Map([[JUDGE, judge ? `${sentence(judge.words)}.` : ""],
      [SEARCH, "A tree search, without a network."],
      ...networks.map(({ spec, words }) => [spec, `${sentence(words)}.`])]);
    const named = networks.map(({ name, spec }) => h("option", { value: spec }, name));
    clear(this.levels).append(h("option", { value: JUDGE }, "The strongest known"),
      h("option", { value: SEARCH }, "Tree search"), ...named,
      h("option", { value: OTHER }, "Another agent…"));
    this.levels.value = [...this.told.keys(), OTHER].includes(before) ? before : JUDGE;
    this.chosen(false);
  }

  chosen(again = true) {
    const other = this.levels.value === OTHER;
    this.specField.hidden = !other;
    this.words.textContent = other ? "" : (this.told?.get(this.levels.value) ?? "");
    if (other && !this.spec.value) this.spec.value = "uct:seconds=1,c=2";
    if (again && !other) this.again();
    if (other && again) this.spec.focus();
  }

  again() {
    if (this.running !== "idle") this.calls.onStart();
  }

  // Another position; `wanted`: it will be thought about at once.
  place({ scene, wanted }) {
    this.scene = scene;
    this.found.hidden = true;
    const closed = !scene || scene.over || scene.to_move < 0;
    this.start.disabled = closed && this.running === "idle";
    this.progress.textContent = "";
    if (!wanted) clearTimeout(this.waiting);
    if (!scene) this.empty.textContent = "";
    else if (scene.over) this.empty.textContent = "The game is over here.";
    else if (scene.to_move < 0) this.empty.textContent = "Chance decides here: choose an outcome.";
    else this.empty.textContent = wanted ? "" : "Start an agent to see what it thinks.";
    this.empty.hidden = !this.empty.textContent;
  }

  state(state) {
    this.running = state;
    clearTimeout(this.waiting);
    this.start.textContent = state === "idle" ? "Analyse" : "Stop";
    this.start.classList.toggle("primary", state === "idle");
    const closed = !this.scene || this.scene.over || this.scene.to_move < 0;
    this.start.disabled = closed && state === "idle";
    if (state === "waiting") {
      this.progress.textContent = "Beginning to think…";
      this.waiting = setTimeout(() => { this.progress.textContent = LONG; }, PATIENCE);
    }
    if (state === "done") this.progress.textContent += " Done; it goes on at the next position.";
    if (state !== "idle") this.empty.hidden = true;
  }

  // ------------------------------------------------------------ a thought

  show(thought) {
    clearTimeout(this.waiting);
    this.running = thought.final ? "done" : "thinking";
    this.empty.hidden = true;
    this.found.hidden = false;
    const count = thought.simulations.toLocaleString("en");
    const plies = thought.depth ? `Searched ${thought.depth} plies in ` : "Thought for ";
    this.progress.textContent = (thought.simulations ? `${count} simulations in ` : plies)
      + `${thought.seconds.toFixed(1)} s.`;
    if (thought.memory_full) this.progress.textContent += " It has all the memory it may take.";
    this.judge.textContent = evaluatedBy(thought);
    this.bar.update(this.players.map((name, seat) => ({
      name, share: thought.value ? thought.value[seat] : null, colour: `var(--p${seat % 4})`,
    })));
    this.drawTable(thought);
    this.drawLine(thought);
  }

  drawTable(thought) {
    const { visits, policy, raw, actions, names, reasons } = thought;
    const total = thought.simulations && visits.reduce((sum, number) => sum + number, 0);
    const share = actions.map((_, at) => (total ? visits[at] / total : policy[at]));
    const first = (at) => Number(actions[at] === thought.line[0]); // its choice: a proven win, say
    const order = actions.map((_, at) => at).sort((a, b) => first(b) - first(a) ||
      share[b] - share[a] || policy[b] - policy[a]).slice(0, MAX_ROWS);
    const mover = this.scene.to_move;
    const focused = this.table.contains(document.activeElement)
      ? document.activeElement.dataset.name : null;
    const head = ["Move", "Chance", total ? "Visits" : "Preference"];
    if (raw) head.push("Network alone");
    const rows = order.map((at) => {
      const value = thought.action_values?.[at]?.[mover];
      const peek = () => this.calls.onPeek({ action: actions[at] });
      const rest = () => this.calls.onPeek(null);
      const play = h("button", { type: "button", class: "link", onclick: () =>
        this.calls.onPlay([names[at]]), onfocus: peek, onblur: rest }, names[at]);
      play.dataset.name = names[at];
      return h("tr", { onpointerenter: peek, onpointerleave: rest },
        h("th", { scope: "row" }, play,
          reasons?.[at] ? h("div", { class: "reason quiet small" }, reasons[at]) : null),
        h("td", { class: "numbers" }, percent(value) || "–"),
        h("td", {}, smallBar(share[at])),
        raw ? h("td", {}, smallBar(raw[at], { colour: "var(--edge-strong)" })) : null);
    });
    clear(this.table).append(h("table", { class: "analysis-alternatives" },
      h("thead", {}, h("tr", {}, head.map((word) => h("th", { scope: "col" }, word)))),
      h("tbody", {}, rows)));
    if (actions.length > order.length) {
      this.table.append(h("p", { class: "quiet small" },
        `and ${actions.length - order.length} more moves`));
    }
    if (!thought.simulations && thought.action_values?.some(([value]) => value === null)) {
      this.table.append(h("p", { class: "quiet small" },
        "–: no better than its choice, as far as it has looked"));
    }
    if (focused !== null) {
      [...this.table.querySelectorAll("button")]
        .find((button) => button.dataset.name === focused)?.focus({ preventScroll: true });
    }
  }

  drawLine(thought) {
    const { line, line_names: names } = thought;
    if (this.line.contains(document.activeElement)) return; // somebody walks along it
    const rest = () => this.calls.onPeek(null);
    clear(this.line).append(...names.map((name, at) => {
      const peek = () => this.calls.onPeek({ line: line.slice(0, at + 1) });
      return h("button", { type: "button", class: "small", onpointerenter: peek, onfocus: peek,
        onpointerleave: rest, onblur: rest, "aria-label": `Play the line up to ${name}`,
        onclick: () => this.calls.onPlay(names.slice(0, at + 1)) },
      h("span", { class: "quiet" }, `${at + 1}`), name);
    }));
    if (!names.length) this.line.append(h("p", { class: "quiet" }, "It looks no further."));
  }
}
