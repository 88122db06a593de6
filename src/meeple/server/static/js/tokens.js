// What lets this browser act for its seats, kept by table in localStorage.
// A table's entry: {tokens: {seat: token}, invites: {seat: invite}, host, at}.

import { sentence, translate } from "./messages.js";
import { recallJson, remember, secret } from "./storage.js";

const KEY = "meeple.tables";
const UPLOADER = "meeple.uploader"; // the key of the token with which this browser's uploads may be deleted
export const YOU = sentence(translate("you"));
const MAX_TABLES = 200; // whose tokens are stored, the newest

const read = () => recallJson(KEY, {});

function write(tables) {
  const newest = Object.entries(tables).sort(([, a], [, b]) => b.at - a.at).slice(0, MAX_TABLES);
  remember(KEY, JSON.stringify(Object.fromEntries(newest)));
}

function change(table, edit) {
  const tables = read();
  const entry = tables[table] ?? { tokens: {}, invites: {}, host: "" };
  edit(entry);
  entry.at = Date.now();
  write({ ...tables, [table]: entry });
}

/** Remembers seats of a table ({seat: token}), and what its maker alone got.
 *  @param {string} table
 *  @param {{tokens?: any, invites?: any, host?: string}} given */
export function keep(table, { tokens = {}, invites = {}, host = "" }) {
  change(table, (entry) => {
    const { host: hosts = host, ...seats } = tokens; // who has no seat gets the token "host"
    Object.assign(entry.tokens, seats);
    Object.assign(entry.invites, invites);
    if (hosts) entry.host = hosts;
  });
}

// All tokens that this browser has for a table, as a list to send.
export function tokensOf(table) {
  const entry = read()[table];
  if (!entry) return [];
  return [...Object.values(entry.tokens), ...(entry.host ? [entry.host] : [])];
}

// The seats of a table that this browser plays.
export function seatsOf(table) {
  return Object.keys(read()[table]?.tokens ?? {}).map(Number).filter(Number.isInteger);
}

/** A copy of a stored game, or of an entry of a list: the visitor's seats without a name are called `YOU`. */
export function withYou(game, table = game.id) {
  const own = seatsOf(table);
  return { ...game, seats: game.seats.map((name, seat) =>
    (name === "guest" && own.includes(seat) ? YOU : name)) };
}

/** The token of this browser's uploads. */
export const uploader = () => secret(UPLOADER);

/** Whether this browser may delete a game of a list: it uploaded it, began it or had all seats of people. */
export const isOwn = ({ id, people, begun }) => begun || Boolean(read()[id]?.host)
  || (people > 0 && seatsOf(id).length === people);

// {seat: invite} that this browser may still hand out.
export function invitesOf(table) {
  return read()[table]?.invites ?? {};
}

// The tables that this browser has seats of or began, the newest first.
export function myTables() {
  const tables = Object.entries(read());
  return tables.sort(([, a], [, b]) => b.at - a.at).map(([table]) => table);
}

// A rematch: every token is for another seat of the new table. `seats`: {old seat: new seat}.
export function moveOn(table, next, seats) {
  const entry = read()[table];
  if (!entry) return;
  const moved = Object.entries(entry.tokens).map(([seat, token]) => [seats[seat] ?? seat, token]);
  keep(next, { tokens: Object.fromEntries(moved), host: entry.host });
}

// An invitation that somebody has taken is of no more use.
export function dropInvite(table, seat) {
  change(table, (entry) => delete entry.invites[seat]);
}
