// A lesson: a game explained on its own board, step by step.

import { get, post } from "../api.js";
import { makeBoard } from "../boards/board.js";
import { button } from "../controls.js";
import { h } from "../dom.js";
import { t, translate } from "../messages.js";
import { followPreparation } from "../preparing.js";
import { Controller, html, nothing } from "../view.js";
import { ended, sentence } from "../words.js";

/** `params.id`: the game. */
export async function show(root, params, app) {
  const lesson = await get(`/api/lessons/${encodeURIComponent(params.id ?? "")}`);
  if (!lesson.steps) throw new Error(t("learn.none"));
  const learn = new Learn(root, app, lesson);
  learn.go(0);
  return () => learn.close();
}

class Learn extends Controller {
  constructor(root, app, lesson) {
    super(root);
    this.app = app;
    this.lesson = lesson; // {game, title, rules, steps}
    this.at = 0; // the step
    this.step = null; // its board, as the server sent it
    this.reply = null; // to the last action: {is_right, text}
    this.wait = ""; // why there is no board yet
    this.turn = 0; // counts requests: only the last one's answer is shown
    this.prepared = followPreparation((wait) => this.set({ wait }), lesson.game);
    this.place = h("div", { class: "board-area" });
    this.board = makeBoard(this.place, { onAction: (id) => this.act(id),
      label: t("learn.board", { game: translate(lesson.title) }) });
    app.title(t("lobby.learn", { game: translate(lesson.title) }));
  }

  close() {
    this.prepared();
    this.board.close();
  }

  /** Shows a step from its beginning. */
  async go(at) {
    this.set({ at, reply: null });
    await this.load({ step: at });
  }

  async act(action) {
    await this.load({ step: this.at, action });
    if (this.reply?.is_right) this.root.querySelector(".next").focus();
  }

  async load(wanted) {
    const turn = ++this.turn;
    try {
      const step = await post(`/api/lessons/${this.lesson.game}`, wanted);
      this.prepared();
      if (turn !== this.turn) return;
      this.step = step;
      this.reply = step.reply;
    } catch (error) {
      if (turn !== this.turn) return;
      this.reply = { is_right: false, text: error.message };
    }
    this.draw();
  }

  draw() {
    super.draw();
    if (!this.step) return;
    const { scene, actions, mover, players } = this.step;
    this.board.update({ scene, actions, mover, players: players.map((name) => sentence(translate(name))) });
  }

  template() {
    const { lesson: { game, title, steps }, at, step, reply, place } = this;
    const last = at + 1 === steps;
    const done = reply?.is_right || (step && !step.is_task);
    return html`<div class="table-page learn-page">
      <header class="table-head"><h1>${t("lobby.learn", { game: translate(title) })}</h1>
        <p class="quiet turn-words">${t("learn.step", { n: at + 1, all: steps })}</p></header>
      <div class="table-main">${place}</div>
      <aside class="table-side"><section class="panel lesson-step" aria-label=${t("learn.the_step")}>
        <p class="lesson-text">${step ? translate(step.text) : this.wait}</p></section>
      <section class="panel stack lesson-answer" aria-label=${t("learn.answer")}>
        <p class="lesson-reply ${reply?.is_right ? "good" : "bad"}" role="status"
          ?hidden=${!reply}>${reply ? ended(translate(reply.text)) : ""}</p>
        <div class="line">${button(t("learn.back"), () => this.go(at - 1), { disabled: at === 0 })}${
          reply?.is_right ? button(t("learn.again"), () => this.go(at)) : nothing}${
          last && done ? html`<a class="button primary next" href="#/?game=${game}">${
            t("claim.play", { game: translate(title) })}</a>`
            : button(t(step?.is_task && !done ? "learn.skip" : "learn.next"), () => this.go(at + 1),
              { kind: done ? "next primary" : "next", disabled: last })}</div></section></aside></div>`;
  }
}
