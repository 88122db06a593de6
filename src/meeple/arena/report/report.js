// Replays the games of a report. It lies in the page, beside the games as JSON, and fetches nothing.

(() => {
  const games = JSON.parse(document.getElementById("games-data").textContent);
  const byId = (id) => document.getElementById(id);
  const [choice, place, board, words] = ["game", "place", "board", "words"].map(byId);
  const safe = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const COLOURS = ["#c2410c", "#0b63b0", "#3f7d20", "#7a3e9d"];
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

  function stone(piece, x, y, last) {
    const player = /^p\d$/.test(piece) ? Number(piece[1]) : -1;
    const ring = last ? `<circle cx="${x}" cy="${y}" r="18.5" class="last"/>` : "";
    const disc = player < 0 ? "" : `<circle cx="${x}" cy="${y}" r="16" fill="${COLOURS[player]}"/>`;
    const sign = player < 0 ? piece : SIGNS[player];
    const kind = player < 0 ? "tile" : "sign";
    return `${disc}${ring}<text x="${x}" y="${y + 5}" class="${kind}">${safe(sign)}</text>`;
  }

  function hexagon(x, y) {
    const corners = [-90, -30, 30, 90, 150, 210].map((angle) => {
      const turn = (angle * Math.PI) / 180;
      return `${(x + 23 * Math.cos(turn)).toFixed(1)},${(y + 23 * Math.sin(turn)).toFixed(1)}`;
    });
    return `<polygon points="${corners.join(" ")}" class="cell"/>`;
  }

  function drawn(at) {
    const { family, rows, columns, sides } = game.board;
    const cells = contents(at);
    if (family === "text") return `<pre tabindex="0">${safe(cells.join("\n"))}</pre>`;
    const lastCells = new Set(game.frames[at][3]);
    const six = family === "hexagons";
    const middle = (row, column) =>
      six ? [60 + 40 * column + 20 * row, 45 + 35 * row] : [40 + 40 * column, 45 + 40 * row];
    const [right, bottom] = middle(rows - 1, columns - 1);
    let parts = "";
    if (sides) {
      const [topLeft, topRight, bottomLeft] = [middle(0, 0), middle(0, columns - 1),
        middle(rows - 1, 0)];
      const line = (from, to, player, dx, dy) =>
        `<line x1="${from[0] + dx}" y1="${from[1] + dy}" x2="${to[0] + dx}" y2="${to[1] + dy}"
          stroke="${COLOURS[player]}" class="side"/>`;
      parts += line(topLeft, topRight, sides.rows, 0, -26);
      parts += line(bottomLeft, [right, bottom], sides.rows, 0, 26);
      parts += line(topLeft, bottomLeft, sides.columns, -26, 8);
      parts += line(topRight, [right, bottom], sides.columns, 26, -8);
    }
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const [x, y] = middle(row, column);
        const cell = row * columns + column;
        parts += six ? hexagon(x, y)
          : `<rect x="${x - 20}" y="${y - 20}" width="40" height="40" class="cell"/>`;
        parts += stone(cells[cell] ?? "", x, y, lastCells.has(cell));
      }
    }
    for (let column = 0; column < columns; column += 1) {
      parts += `<text x="${middle(0, column)[0] - (six ? 18 : 0)}" y="13" class="name">${
        String.fromCharCode(97 + column)}</text>`;
    }
    for (let row = 0; row < rows; row += 1) {
      parts += `<text x="${middle(row, 0)[0] - (six ? 48 : 30)}" y="${middle(row, 0)[1] + 5}"
        class="name">${row + 1}</text>`;
    }
    return `<svg viewBox="0 0 ${right + 40} ${bottom + 35}" role="img"
      style="max-width: ${right + 40}px" aria-label="The board after move ${at}">${parts}</svg>`;
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
