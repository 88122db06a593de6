// What shares of the win mean in a game: chances, or points where it counts them.

import { number, percent, span, t } from "./messages.js";

/** The unit of a game's values, from its `scale`: {sides, range}, either of which may be missing. Its kind
 *  is "chance"; "points" of the one side, which plays against a par; or the "lead" over the mean of the
 *  other sides. */
export class Worth {
  /** @param {Record<string, any>} [scale] */
  constructor({ sides, range } = {}) {
    this.sides = sides;
    this.range = range;
    this.kind = !range ? "chance" : sides.length === 1 ? "points" : "lead";
  }

  get label() {
    return t(`worth.${this.kind}`);
  }

  /** The limits of an axis; none where points decide. */
  get limits() {
    return this.range ? {} : { y: [0, 1] };
  }

  side(seat) {
    return this.sides?.find((seats) => seats.includes(seat)) ?? [seat];
  }

  /** A seat's value, of the shares of all seats, in the unit; null if it is unknown. */
  of(values, seat) {
    if (typeof values?.[seat] !== "number") return null;
    return this.ofSide(this.side(seat).reduce((sum, one) => sum + values[one], 0));
  }

  /** The same of the share of its side. */
  ofSide(share) {
    if (!this.range) return share;
    const [low, high] = this.range;
    return this.kind === "points" ? low + share * (high - low)
      : (share * this.sides.length - 1) * (high - low);
  }

  /** A number of the unit as text; "" for null. */
  text(value) {
    if (!this.range || value === null) return percent(value);
    return `${this.kind === "lead" && value > 0 ? "+" : ""}${number(value, 1)}`;
  }

  /** A seat's value as text: "63 %", "12.5" points, or a lead of "+3.1". */
  words(values, seat) {
    return this.text(this.of(values, seat));
  }

  /** A difference of a seat's shares as text: "15 % of the winning chance". */
  loss(share, seat) {
    if (!this.range) return t("worth.loss_chance", { share: percent(share) });
    const lost = this.ofSide(share * this.side(seat).length) - this.ofSide(0);
    return t("worth.loss_points", { n: number(lost, 1) });
  }

  /** The interval of a side's share as text. */
  span(interval) {
    const [low, high] = interval.map((end) => this.text(this.ofSide(end)));
    return this.range ? t("common.interval", { low, high }) : span(interval);
  }
}
