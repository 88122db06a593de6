// The games of a tournament, of one player or of all.

import { get } from "../../js/api.js";
import { t } from "../../js/messages.js";
import { button, Controller, heads, html, nothing } from "../../js/view.js";
import { place, result } from "./words.js";

export async function showGames(root, { id: player }) {
  const list = new GameList(root, player);
  await list.load();
}

class GameList extends Controller {
  constructor(root, player) {
    super(root);
    this.player = player;
    this.games = [];
    this.more = false;
  }

  async load() {
    const { games, player } = this;
    const query = new URLSearchParams();
    if (player) query.set("player", player);
    if (games.length) query.set("before", games.at(-1).id);
    const found = await get(`/api/oht/games?${query}`);
    this.set({ games: [...games, ...found.games], more: found.more });
  }

  template() {
    const { games, player, more } = this;
    return html`<h1>${t(player ? "oht.games_of_player" : "oht.games")}</h1>
      ${player ? html`<p><a href="#/games">${t("oht.all_games")}</a></p>` : nothing}
      <div class="panel oht-scroll" tabindex="0" role="region" aria-label=${t("oht.games")}>
        <table class="oht-table">${heads([t("oht.game"), t("oht.players"), t("oht.result"),
          t("oht.moves")])}<tbody>${games.length
          ? games.map(row) : html`<tr><td colspan="4">${t("oht.none")}</td></tr>`}</tbody></table>
      </div>${more ? button(t("oht.older"), () => this.load()) : nothing}`;
  }
}

function row(game) {
  return html`<tr><th scope="row"><a href="#/game/${game.id}">${place(game)}</a></th>
    <td>${game.players.join(" – ")}</td><td>${result(game)}</td>
    <td class="numbers">${game.plies}</td></tr>`;
}
