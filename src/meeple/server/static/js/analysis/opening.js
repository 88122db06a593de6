// The opening helper of Catan: quick games after each place that one points out during the set-up.

import { placeName, said, spotsOf } from "../catan/words.js";
import { number, percent, sentence, span, t, translate } from "../messages.js";
import { button, checkbox, heads, html, nothing, repeat } from "../view.js";

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

  template() {
    if (!this.open) return nothing;
    const rows = [...this.found.values()].sort((a, b) => (b.share ?? -1) - (a.share ?? -1));
    const judge = rows.find((row) => row.judge)?.judge;
    return html`<section class="panel opening" aria-label=${t("opening.title")}>
      <h2>${t("opening.title")}</h2>
      ${checkbox(t("opening.on"), this.on, (on) => {
        this.on = on;
        this.calls.draw();
      })}
      <p class="quiet small">${t("opening.about")}
        ${judge ? t("opening.beside", { name: translate(judge) }) : ""}</p>
      ${rows.length ? html`<div class="scroll-x"><table aria-label=${t("opening.places")}>
        ${heads([...["opening.place", "opening.won", "common.games", "opening.evaluated"].map((id) => t(id)),
          html`<span class="hidden-text">${t("opening.play")}</span>`])}<tbody>${
        repeat(rows, (row) => row.action, (row) => this.row(row))}</tbody></table></div>` : nothing}
      ${this.running ? button(t("common.stop"), () => this.calls.stop()) : nothing}</section>`;
  }

  row({ name, games, share, interval, chance }) {
    const [spot] = spotsOf(name);
    return html`<tr><th scope="row">${sentence(placeName(this.scene.scene, spot))}</th>
      <td class="numbers">${games ? html`${percent(share)} <span class="quiet small">${
        span(interval)}</span>` : "…"}</td>
      <td class="numbers">${number(games)}</td>
      <td class="numbers">${percent(chance) || "…"}</td>
      <td>${button(t("opening.play"), () => this.calls.play([name]),
        { kind: "small", label: t("opening.play_name", { move: said(name, this.scene.scene) }) })}</td></tr>`;
  }
}
