// A run on a cluster: what it waits for, what became of its games, its nodes, actors and their logs.

import { clear, h } from "../dom.js";
import { get } from "../api.js";
import { ago, count } from "./words.js";

// `path`: of the run in the API. Hidden where a run learns on one machine.
export function clusterPanel(path) {
  const title = h("h2", {});
  const summary = h("p", { class: "numbers" });
  const problems = h("ul", { class: "bad", "aria-label": "What is wrong on the cluster" });
  const account = h("ul", { class: "plain numbers", "aria-label": "What became of its games" });
  const nodes = h("div", {});
  const actors = h("div", {});
  const logs = logPanel(path);
  const node = h("section", { class: "panel cluster" }, title, summary, problems, account,
    nodes, actors, logs.node);
  let shown = null;

  return {
    node,
    update({ cluster, unit, logs: names }) {
      node.hidden = !cluster;
      if (!cluster) return;
      title.textContent = cluster.running ? `On ${cluster.place}` : `Last on ${cluster.place}`;
      summary.textContent = `${cluster.summary} (${ago(cluster.time)})`;
      logs.update(names, cluster.running);
      const key = JSON.stringify(cluster);
      if (key === shown) return; // so that a table that is scrolled stays where it is
      shown = key;
      sentences(problems, cluster.problems);
      sentences(account, cluster.account_words);
      keepScroll(nodes, nodeTable(cluster));
      keepScroll(actors, actorTable(cluster, unit));
    },
  };
}

function sentences(list, lines) {
  clear(list).append(...lines.map((line) => h("li", {}, `${line[0].toUpperCase()}${line.slice(1)}.`)));
  list.hidden = !lines.length;
}

// Puts a table in the place of the last one; who has scrolled it sees the same part, and who has
// the keyboard in it keeps it.
function keepScroll(place, nodes) {
  const before = place.querySelector(".scroll-x");
  const [left, top] = [before?.scrollLeft ?? 0, before?.scrollTop ?? 0];
  const had = before && before === document.activeElement;
  clear(place).append(...nodes);
  const after = place.querySelector(".scroll-x");
  after?.scrollTo(left, top);
  if (had) after?.focus({ preventScroll: true });
}

function nodeTable({ nodes, more_nodes: more }) {
  if (!nodes.length) return [];
  const rows = nodes.map((one) => h("tr", {},
    h("th", { scope: "row" }, one.name),
    h("td", {}, sign(one.alive ? "alive" : "dead", one.alive)),
    h("td", { class: "number" }, count(one.processors)),
    h("td", {}, one.accelerators),
    h("td", {}, one.address)));
  return tableOf("Nodes", ["Node", "State", "Processors", "Accelerators", "Address"], [2], rows,
    more, "nodes");
}

function actorTable({ actors, more_actors: more }, unit) {
  if (!actors.length) return [];
  const rows = actors.map((one) => h("tr", {},
    h("th", { scope: "row" }, one.name),
    h("td", { class: "number" }, one.games_per_second ? speed(one.games_per_second) : ""),
    h("td", {}, sign(work(one), one.alive)),
    h("td", { class: "number" }, one.games ? count(one.games) : ""),
    h("td", {}, one.node),
    h("td", { class: "number" }, one.generation === null ? "" : count(one.generation)),
    h("td", { class: "number" }, one.restarts ? count(one.restarts) : "")));
  return tableOf("Actors",
    ["Actor", "Games/s", "State", "Games", "Node", `Network of ${unit}`, "Restarts"], [1, 3, 5, 6],
    rows, more, "actors");
}

function tableOf(name, heads, numbers, rows, more, what) {
  return [
    h("h3", {}, name),
    h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": name },
      h("table", { class: "cluster-table numbers" },
        h("thead", {}, h("tr", {}, heads.map((head, at) => h("th", { scope: "col",
          class: numbers.includes(at) ? "number" : null }, head)))),
        h("tbody", {}, rows))),
    more ? h("p", { class: "quiet small" }, `and ${count(more)} more ${what}`) : null,
  ].filter(Boolean);
}

function sign(words, alive) {
  return alive ? words : h("strong", { class: "bad" }, words);
}

function work({ alive, waiting }) {
  if (!alive) return "dead";
  return waiting ? `waits for ${waiting}` : "at work";
}

// Two digits or more, as `rate` in learn/run/cluster.py.
function speed(perSecond) {
  return perSecond >= 9.95 ? perSecond.toFixed(0) : String(Number(perSecond.toPrecision(2)));
}

// ---------------------------------------------------------------- logs

// The last lines of one actor's log, chosen from a list; asked for only while it is open.
function logPanel(path) {
  const choice = h("select", { "aria-label": "Log of", onchange: () => look() });
  const lines = h("pre", { class: "output", tabindex: "0", role: "region",
    "aria-label": "The log's last lines" });
  const node = h("details", { ontoggle: () => look() },
    h("summary", {}, h("h3", {}, "Logs")), choice, lines);
  let known = "";

  async function look() {
    if (!node.open || !choice.value) return;
    const name = choice.value;
    try {
      const found = await get(`${path}/logs/${encodeURIComponent(name)}`);
      if (name !== choice.value) return; // another was chosen meanwhile
      const text = found.lines.join("\n") || "Nothing was said yet.";
      if (text !== lines.textContent) {
        const atEnd = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 8;
        lines.textContent = text;
        if (atEnd) lines.scrollTop = lines.scrollHeight;
      }
    } catch (error) {
      lines.textContent = error.message;
    }
  }

  return {
    node,
    update(names, running) {
      node.hidden = !names.length;
      const key = names.join(" ");
      if (key !== known) {
        known = key;
        const before = choice.value;
        clear(choice).append(...names.map((name) => h("option", { value: name }, name)));
        if (names.includes(before)) choice.value = before;
        look();
      } else if (running) {
        look();
      }
    },
  };
}
