// The opening helper of Catan: quick games after each place that one points out during the set-up.

import { placeName, spotsOf } from "../catan/words.js";
import { button, checkbox } from "../controls.js";
import { html, nothing, repeat } from "../view.js";
import { percent, sentence } from "../words.js";

export class Opening {
  /** `calls`: {draw, ask(name), stop, play(names)}: ask for quick games after an action. */
  constructor(calls) {
    this.calls = calls;
    this.on = true; // whether a click on a corner asks for games instead of playing there
    this.scene = null;
    this.found = new Map(); // by action, the newest message
    this.running = ""; // the action whose games are played
  }

  /** Another position. */
  place(scene) {
    this.scene = scene;
    this.found = new Map();
    this.running = "";
  }

  get open() {
    return Boolean(this.scene?.setup);
  }

  /** Whether a click on an action asks for quick games. */
  takes({ clicks }) {
    return this.open && this.on && clicks[0]?.startsWith("v");
  }

  begin({ id, name }) {
    this.running = name;
    this.found.set(id, { action: id, name, games: 0 });
    this.calls.ask(name);
  }

  hear(message) {
    this.found.set(message.action, message);
    if (message.final) this.running = "";
    this.calls.draw();
  }

  end() {
    this.running = "";
  }

  template() {
    if (!this.open) return nothing;
    const rows = [...this.found.values()].sort((a, b) => (b.share ?? -1) - (a.share ?? -1));
    const judge = rows.find((row) => row.judge)?.judge;
    return html`<section class="panel opening" aria-label="Opening helper"><h2>Opening helper</h2>
      ${checkbox("A click on a corner plays quick games from there", this.on, (on) => {
        this.on = on;
        this.calls.draw();
      })}
      <p class="quiet small">Up to 2,000 games, all players by rules of thumb; with the 95 % interval.
        ${judge ? `Beside them a short evaluation by ${judge}.` : ""}</p>
      ${rows.length ? html`<div class="scroll-x"><table aria-label="Places"><thead><tr>
        ${["Place", "Won", "Games", "Evaluated", ""].map((name) => html`<th scope="col">${name ||
          html`<span class="hidden-text">Play</span>`}</th>`)}</tr></thead><tbody>${
        repeat(rows, (row) => row.action, (row) => this.row(row))}</tbody></table></div>` : nothing}
      ${this.running ? button("Stop", () => this.calls.stop()) : nothing}</section>`;
  }

  row({ name, games, share, interval, chance }) {
    const [spot] = spotsOf(name);
    return html`<tr><th scope="row">${sentence(placeName(this.scene.scene, spot))}</th>
      <td class="numbers">${games ? html`${percent(share)} <span class="quiet small">${
        Math.round(100 * interval[0])} to ${percent(interval[1])}</span>` : "…"}</td>
      <td class="numbers">${games.toLocaleString("en")}</td>
      <td class="numbers">${percent(chance) || "…"}</td>
      <td>${button("Play", () => this.calls.play([name]),
        { kind: "small", label: `Play ${name}` })}</td></tr>`;
  }
}
