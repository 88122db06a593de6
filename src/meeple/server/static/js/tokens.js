// What lets this browser act for its seats, kept by table in localStorage.
// A table's entry: {tokens: {seat: token}, invites: {seat: invite}, host, at}.

const KEY = "meeple.tables";
const MOST = 200; // tables remembered, the newest

let memory = {}; // where the browser keeps nothing for pages

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return memory;
  }
}

function write(tables) {
  const newest = Object.entries(tables).sort(([, a], [, b]) => b.at - a.at).slice(0, MOST);
  memory = Object.fromEntries(newest);
  try {
    localStorage.setItem(KEY, JSON.stringify(memory));
  } catch {
    // then they last as long as the page
  }
}

function change(table, edit) {
  const tables = read();
  const entry = tables[table] ?? { tokens: {}, invites: {}, host: "" };
  edit(entry);
  entry.at = Date.now();
  write({ ...tables, [table]: entry });
}

// Remembers seats of a table ({seat: token}), and what its maker alone got.
export function keep(table, { tokens = {}, invites = {}, host = "" }) {
  change(table, (entry) => {
    Object.assign(entry.tokens, tokens);
    Object.assign(entry.invites, invites);
    if (host) entry.host = host;
  });
}

// All tokens that this browser has for a table, as a list to send.
export function tokensOf(table) {
  const entry = read()[table];
  if (!entry) return [];
  return [...Object.values(entry.tokens), ...(entry.host ? [entry.host] : [])];
}

// {seat: token} of a table.
export function seatTokens(table) {
  return read()[table]?.tokens ?? {};
}

// {seat: invite} that this browser may still hand out.
export function invitesOf(table) {
  return read()[table]?.invites ?? {};
}

// The tables that this browser has seats of, the newest first.
export function myTables() {
  const tables = Object.entries(read()).filter(([, entry]) => Object.keys(entry.tokens).length);
  return tables.sort(([, a], [, b]) => b.at - a.at).map(([table]) => table);
}

export function forget(table) {
  const tables = read();
  delete tables[table];
  write(tables);
}
