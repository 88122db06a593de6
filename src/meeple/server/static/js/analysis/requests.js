// What the analysis asks of agents: one request at a time over a socket, and what becomes of the answers.

import { failure } from "../messages.js";
import { connect } from "../socket.js";
import { tokensOf } from "../tokens.js";

const RETRY_SECONDS = 2; // for the evaluation of a move that is tried again
const SETTLED = 200; // milliseconds at a position before it is thought about anew

export class Requests {
  /** `desk`: the analysis; see `views/analysis.js` for its state and parts. */
  constructor(desk) {
    this.desk = desk;
    this.kind = ""; // of the request under way: "thought", "beside", "retry", "games", "value", "second"
    this.id = 0; // of the newest request
    this.socket = connect("/ws/analysis", { onopen: () => this.reconnected(),
      onmessage: (message) => this.hear(message),
      onstate: (state) => desk.set({ offline: !["open", "connecting"].includes(state) }) });
  }

  /** Whether an agent thinks about the position, or about the next one. */
  get thinks() {
    return ["thought", "beside"].includes(this.kind);
  }

  close() {
    clearTimeout(this.later);
    this.socket.close();
  }

  /** Another position: it is thought about soon, if the last one was. */
  arrived() {
    clearTimeout(this.later);
    if (this.kind === "games") this.stop();
    if (this.thinks) this.later = setTimeout(() => this.think(), SETTLED);
  }

  think() {
    const { desk } = this;
    const { scene, thoughts } = desk;
    clearTimeout(this.later);
    if (!scene) return;
    if (scene.over || scene.to_move < 0) {
      this.idle();
      return;
    }
    this.send("thought", { type: "analyse", source: desk.here, ply: desk.ply, ...thoughts.wish });
    this.show("waiting", "idle");
  }

  start() {
    this.desk.retry.end(); // which hides what is found
    this.think();
  }

  /** Evaluates the position after a tried move, without showing what is found. */
  evaluate() {
    const { here: source, ply, thoughts } = this.desk;
    const { spec } = thoughts.wish;
    const wish = { type: "analyse", source, ply, seconds: RETRY_SECONDS };
    this.send("retry", spec ? { ...wish, spec } : wish);
  }

  /** Has the position evaluated by a second agent as well. */
  compare(spec) {
    const { here: source, ply, thoughts } = this.desk;
    this.send("beside", { type: "analyse", source, ply, spec, seconds: thoughts.seconds });
  }

  quickGames(action) {
    const { here: source, ply } = this.desk;
    this.send("games", { type: "games", source, ply, action });
    this.show("idle", "idle");
  }

  /** Nothing to think about here; it goes on by itself at the next position. */
  idle() {
    this.kind = "thought";
    this.socket.send({ type: "stop", id: ++this.id });
    this.desk.thoughts.state("idle");
  }

  /** Reviews the game, or by `second` beside that; `ready` takes the review made when it ended. */
  sweep({ ready = false, second = "" } = {}) {
    const { curve, source, thoughts } = this.desk;
    const spec = second ? { spec: second } : thoughts.wish;
    if (!second) curve.clear();
    this.send(second ? "second" : "value", { type: "sweep", source, ...spec, seconds: curve.seconds, ready });
    this.show("idle", "waiting");
  }

  send(kind, message) {
    const { table } = message.source;
    this.kind = kind;
    this.socket.send({ ...message, id: ++this.id, tokens: table ? tokensOf(table) : [] });
  }

  stop() {
    clearTimeout(this.later);
    if (!this.kind) return;
    this.kind = "";
    this.socket.send({ type: "stop", id: ++this.id });
    this.desk.opening.running = "";
    this.show("idle", "idle");
  }

  /** Shows what is under way: an agent that thinks, or the review. */
  show(thinking, reviewing) {
    this.desk.thoughts.state(thinking);
    this.desk.curve.state(reviewing);
  }

  reconnected() {
    if (this.thinks) this.think();
    else if (this.kind === "value") this.sweep();
    else if (this.kind === "second") this.desk.curve.compare.start();
  }

  hear(message) {
    if (message.id !== undefined && message.id !== this.id) return; // of an older wish
    const { desk, kind } = this;
    const { app, curve, opening, retry, thoughts } = desk;
    if (message.type === "thought" && retry.active) retry.evaluate(message);
    else if (kind === "beside" && message.type === "thought") thoughts.showSecond(message);
    else if (message.type === "thought") desk.showThought(message);
    else if (kind === "second" && ["value", "review"].includes(message.type)) curve.hearSecond(message);
    else if (message.type === "value") curve.add(message);
    else if (message.type === "games") opening.hear(message);
    else if (message.type === "review") curve.finish(message);
    else if (message.type === "done") {
      if (kind === "thought" && thoughts.thought) thoughts.state("done");
      if (kind === "beside") this.kind = "thought"; // the first agent continues at the next position
      if (["value", "second", "games"].includes(kind)) this.kind = "";
      curve.state("idle");
    } else if (message.type === "error") {
      this.kind = "";
      opening.running = "";
      this.show("idle", "idle");
      app.say(failure(message), "error");
    }
  }
}
