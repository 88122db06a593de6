// Replays the games of a report. It lies in the page, beside the games as JSON, and fetches nothing.

(() => {
  const games = JSON.parse(document.getElementById("games-data").textContent);
  const byId = (id) => document.getElementById(id);
  const [choice, place, board, words] = ["game", "place", "board", "words"].map(byId);
  const safe = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const COLOURS = ["#c2410c", "#0b63b0", "#3f7d20", "#7a3e9d"];
  const STONES = { black: "#202226", white: "#fbfaf6" };
  const SIGNS = ["X", "O", "*", "#"]; // told apart without colours
  let game = games[0];

  for (const one of games) {
    choice.add(new Option(`${one.number}: ${one.seats.join(" – ")}, ${one.result}`));
  }

  function contents(at) {
    const found = [];
    for (const [, , changes] of game.frames.slice(0, at + 1)) {
      for (let i = 0; i < changes.length; i += 2) found[changes[i]] = changes[i + 1];
    }
    return found;
  }

  function piece(text, [x, y], last) {
    const look = game.board.looks?.[text];
    const player = look ? look.player ?? -1 : /^p\d$/.test(text) ? Number(text[1]) : -1;
    const ring = last ? `<circle cx="${x}" cy="${y}" r="18.5" class="last"/>` : "";
    if (look?.picture) {
      const box = `x="${x - 17}" y="${y - 17}" width="34" height="34"`;
      return `<image ${box} href="${safe(look.picture)}"/>${ring}`;
    }
    const own = look ? undefined : game.board.colours?.[player];
    const colour = look?.colour ?? STONES[own] ?? COLOURS[player];
    const disc = colour ? `<circle cx="${x}" cy="${y}" r="16" fill="${safe(colour)}"
      stroke="#8a8171"/>` : "";
    const sign = look ? look.letter : player < 0 ? text : SIGNS[player];
    const kind = disc && (look?.ink ?? "#ffffff") === "#ffffff" && own !== "white" ? "sign" : "tile";
    return `${disc}${ring}<text x="${x}" y="${y + 5}" class="${kind}">${safe(sign)}</text>`;
  }

  // A cell's outline around its middle; points are small, and stores of seeds are high.
  function outline(family, [x, y], tall) {
    if (family === "hexagons") {
      const corners = [-90, -30, 30, 90, 150, 210].map((angle) => {
        const turn = (angle * Math.PI) / 180;
        return `${(x + 23 * Math.cos(turn)).toFixed(1)},${(y + 23 * Math.sin(turn)).toFixed(1)}`;
      });
      return `<polygon points="${corners.join(" ")}" class="cell"/>`;
    }
    const [wide, high, round] = { points: [6, 6, 6], pits: [18, tall ? 36 : 18, 18] }[family] ?? [20, 20, 0];
    return `<rect x="${x - wide}" y="${y - high}" width="${2 * wide}" height="${2 * high}" rx="${round}"
      class="cell"/>`;
  }

  function drawn(at) {
    const { family, places, labels, joined = [], edges = [], tall = [] } = game.board;
    const cells = contents(at);
    if (family === "text") return `<pre tabindex="0">${safe(cells.join("\n"))}</pre>`;
    const lastCells = new Set(game.frames[at][3]);
    const all = [...places.filter(Boolean), ...labels.map(([, x, y]) => [x, y])];
    const [left, top] = [0, 1].map((axis) => Math.min(...all.map((one) => one[axis])) - 0.6);
    const [right, bottom] = [0, 1].map((axis) => Math.max(...all.map((one) => one[axis])) + 0.6);
    const middle = ([x, y]) => [40 * (x - left), 40 * (y - top)];
    const line = (points, colour, width) => `<polyline points="${points.map(middle).join(" ")}" fill="none"
      stroke="${colour}" stroke-width="${width}"/>`;
    const parts = [...joined.map((pair) => line(pair.map((cell) => places[cell]), "#a9a59b", 2)),
      ...places.map((place, cell) => place && outline(family, middle(place), tall.includes(cell))),
      ...edges.map(({ player, points }) => line(points, COLOURS[player] ?? "#1b2126", 5)),
      ...places.map((place, cell) => place && piece(cells[cell] ?? "", middle(place), lastCells.has(cell))),
      ...labels.map(([text, ...place]) => {
        const [x, y] = middle(place);
        return `<text x="${x}" y="${y + 5}" class="name">${safe(text)}</text>`;
      })].filter(Boolean);
    const [wide, high] = middle([right, bottom]);
    return `<svg viewBox="0 0 ${wide} ${high}" role="img"
      style="max-width: ${wide}px" aria-label="The board after move ${at}">${parts.join("")}</svg>`;
  }

  function said(at) {
    const [seat, action] = game.frames[at];
    const of = `Move ${at} of ${game.frames.length - 1}`;
    const end = at === game.frames.length - 1 ? ` – ${game.result}.` : "";
    if (!at) return `The start. ${game.frames.length - 1} moves follow.${end}`;
    if (at <= game.opening) return `${of}, opening: ${action}${end}`;
    return `${of}, ${seat < 0 ? "chance" : `${game.seats[seat]} (seat ${seat + 1}, ${
      SIGNS[seat]})`}: ${action}${end}`;
  }

  function show(at) {
    const most = game.frames.length - 1;
    const now = Math.max(0, Math.min(most, at));
    place.max = most;
    place.value = now;
    place.setAttribute("aria-valuetext", said(now));
    board.innerHTML = drawn(now);
    words.textContent = said(now);
    // Not `disabled`: a button at the end of a game would let the focus go.
    for (const id of ["first", "previous"]) byId(id).setAttribute("aria-disabled", now === 0);
    for (const id of ["next", "last"]) byId(id).setAttribute("aria-disabled", now === most);
  }

  const step = (by) => show(Number(place.value) + by);
  choice.addEventListener("change", () => {
    game = games[choice.selectedIndex];
    show(0);
  });
  place.addEventListener("input", () => show(Number(place.value)));
  byId("first").addEventListener("click", () => show(0));
  byId("previous").addEventListener("click", () => step(-1));
  byId("next").addEventListener("click", () => step(1));
  byId("last").addEventListener("click", () => show(game.frames.length - 1));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (["SELECT", "INPUT", "PRE"].includes(event.target.tagName)) return; // they have their own
    if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "ArrowRight") step(1);
    else return;
    event.preventDefault();
  });
  show(0);
})();
