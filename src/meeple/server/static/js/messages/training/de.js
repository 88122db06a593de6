// The texts of Training in German, by the ids of `en.js`.

export const messages = {
  "training.title": "Training",
  "training.begin_run": "Lauf beginnen",
  "training.about":
    "Ein Netz lernt ein Spiel, indem es gegen sich selbst spielt: Eine Suche rechnet von jeder Stellung "
    + "aus voraus, und das Netz lernt zu erraten, was die Suche finden würde. Hier stehen die Läufe im "
    + "Ordner des Servers, der zuletzt geänderte zuerst.",
  "training.run": "Lauf",
  "training.progress": "Fortschritt",
  "training.gain": "Gewinn durch Training",
  "training.changed": "Geändert",
  "training.none":
    "Hier gibt es noch keinen Lauf. Nim wird in Sekunden perfekt gelernt, Hex auf einem kleinen Brett in "
    + "einer Minute: {begin}, oder trainiere im Terminal mit {command}.",
  "training.begin_one": "beginne einen",
  "training.on": "auf {place}",
  "training.of_units": "{done} von {all}",
  "training.not_rated": "noch nicht bewertet",
  "training.all_runs": "Alle Läufe",
  "training.state_running": "lernt",
  "training.state_stopping": "hält an",
  "training.state_elsewhere": "lernt, anderswo begonnen",
  "training.state_finished": "fertig",
  "training.state_stopped": "angehalten",
  "training.state_failed": "fehlgeschlagen",
  "training.being_rated": "{state}, wird bewertet",
  "training.unit_episode": { "one": "{count} Episode", "other": "{count} Episoden" },
  "training.unit_round": { "one": "{count} Runde", "other": "{count} Runden" },
  "training.units_episode": "Episoden",
  "training.units_round": "Runden",
  "training.gain_words": "{rating} Elo ({low} bis {high})",
  "training.stop_now": "Sofort anhalten",
  "training.stop_rating": "Bewertung anhalten",
  "training.go_on": "Fortsetzen",
  "training.play": "Dagegen spielen",
  "training.opponents": "Gegen feste Gegner",
  "training.advice": "Was zu ändern ist",
  "training.output": "Was der Lauf zuletzt ausgab",
  "training.learning_time": "{time} gelernt",
  "training.saving": "laufende Partien werden beendet und gespeichert",
  "training.left": "noch etwa {time}",
  "training.preparing": "wird vorbereitet",
  "training.kept": { "one": "{count} Netz gespeichert", "other": "{count} Netze gespeichert" },
  "training.kept_of": "{kept} von {all} Netzen gespeichert",
  "training.configuration": "Die Konfiguration",
  "training.rating": "Wertung",
  "training.after": "nach {count} {gain}",
  "training.axis": "{units} Training",
  "training.elo": "Elo-Wertungen mit 95-%-Intervallen",
  "training.rating_now": "Das Turnier läuft …",
  "training.rate_again": "Neu bewerten",
  "training.rate": "Netze bewerten",
  "training.ratings": "Wertungen der gespeicherten Netze",
  "training.ratings_about":
    "Jedes Netz, vom ersten bis zum neuesten, spielt ohne Suche gegen jedes andere. Wenn das Lernen "
    + "gelingt, steigen die Wertungen.",
  "training.tournament":
    "{games} Partien, {pair} je Paarung, {distinct} davon verschieden. Elo: 0 ist der Durchschnitt dieser "
    + "Netze, und 400 Punkte mehr bedeuten Chancen von 10 zu 1. Balken sind 95-%-Intervalle.",
  "training.one_network": "Bisher gibt es ein Netz; das nächste wird später im Lauf gespeichert.",
  "training.unrated": "Noch nicht bewertet.",
  "training.rise": "Die Wertungen steigen mit dem Training: vom ersten zum letzten Netz {gain}.",
  "training.fall": "Die Wertungen fallen mit dem Training: vom ersten zum letzten Netz {gain}.",
  "training.unclear": "Es ist nicht gezeigt, dass die Wertungen steigen: vom ersten zum letzten Netz {gain}.",
  "training.newer": {
    "one": "{n} neueres Netz ist noch nicht bewertet.",
    "other": "{n} neuere Netze sind noch nicht bewertet.",
  },
  "training.each": "Jedes gegen jedes",
  "training.each_about":
    "Von den Punkten zwischen zwei Netzen der Anteil in Prozent, den das Netz der Zeile gegen das der "
    + "Spalte gewann.",
  "training.each_label": "Ergebnis jedes Netzes gegen jedes",
  "training.pair": "{one} gegen {other}: {share} %",
  "training.sample": "Beispielpartien",
  "training.sample_about":
    "Was der Lauf gegen sich selbst spielt. Die ersten Züge einer Episode können ausgelost sein, damit er "
    + "viele Stellungen sieht.",
  "training.sample_board": "Brett einer Partie gegen sich selbst",
  "training.no_game": "Er hat noch keine Partie gespielt.",
  "training.first_games": "Die ersten Partien laufen.",
  "training.no_episode": "Diese Episode gibt es noch nicht.",
  "training.episode": "Episode",
  "training.at": "Episode {episode}, Zug {ply} von {plies}",
  "training.show": "Zeigen",
  "training.earlier": "Früher",
  "training.later": "Später",
  "training.newest": "Neueste",
  "training.of": "von {all}",
  "training.follow": "mit der neuesten Partie weitermachen",
  "training.group_losses": "Verluste: was das Training senkt",
  "training.group_alone": "Das Netz allein gegen feste Gegner",
  "training.group_search": "Mit etwas Suche gegen sie",
  "training.group_seats": "Von jedem Platz aus, in seinen Wettkämpfen ohne Suche",
  "training.group_habits": "Wie es spielt, je Partie davon",
  "training.group_games": "Die Partien gegen sich selbst",
  "training.group_training": "Wie das Training läuft",
  "training.group_gate": "Partien, die entscheiden, ob ein neues Netz spielt",
  "training.group_speed": "Geschwindigkeit",
  "training.group_others": "Weitere Zahlen",
  "training.nats": "Nats",
  "training.share": "Gewinnanteil",
  "training.on_now": "Auf {place}",
  "training.on_last": "Zuletzt auf {place}",
  "training.wrong": "Was auf dem Cluster nicht stimmt",
  "training.account": "Was aus seinen Partien wurde",
  "training.nodes": "Knoten",
  "training.node": "Knoten",
  "training.alive": "läuft",
  "training.dead": "ausgefallen",
  "training.processors": "Prozessoren",
  "training.accelerators": "Beschleuniger",
  "training.address": "Adresse",
  "training.actors": "Aktoren",
  "training.actor": "Aktor",
  "training.rate_games": "Partien/s",
  "training.network_of_episode": "Netz der Episode",
  "training.network_of_round": "Netz der Runde",
  "training.restarts": "Neustarts",
  "training.more": "und {count} weitere",
  "training.waits": "wartet auf {what}",
  "training.works": "arbeitet",
  "training.nothing_said": "Noch keine Ausgabe.",
  "training.logs": "Protokolle",
  "training.log_of": "Protokoll von",
  "training.log": "Die letzten Zeilen des Protokolls",
  "training.no_configs":
    "Dieser Server hat keine fertigen Konfigurationen; Läufe, die im Terminal mit {command} begonnen "
    + "werden, erscheinen hier.",
  "training.what": "Was gelernt wird, und wie",
  "training.name": "Name des Laufs",
  "training.name_help": "Der seines Ordners: kleine Buchstaben, Ziffern, - _ . und keine Leerzeichen.",
  "training.wanted": "Meistgebraucht",
  "training.all_settings": "Alle Einstellungen",
  "training.settings_about": "Wie in der Konfiguration; was du änderst, wird vor dem Beginn geprüft.",
  "training.begin": "Beginnen",
  "training.start_help":
    "Mit den Gewichten eines anderen Netzes dieses Spiels beginnen, auch von anderer Brettgröße: einem "
    + "mitgelieferten oder dem neuesten eines Laufs.",
  "training.teacher_help":
    "Zuerst aus Partien lernen, die Gewichte von Mustern spielen: die eines Laufs oder mitgelieferte.",
  "training.or_nothing": "{allowed}, oder nichts",
};

// Texts of the server.
export const server = {
  "Loss": "Verlust",
  ["The weighted sum of the losses below, which training minimises. It does not reach 0, because the "
    + "targets are uncertain, and may rise when the games change."]:
    "Die gewichtete Summe der Verluste unten, die das Training minimiert. Sie erreicht nicht 0, weil die "
    + "Ziele unsicher sind, und kann steigen, wenn sich die Partien ändern.",
  "Policy's loss": "Verlust der Policy",
  ["Cross-entropy in nats between the network's probabilities of moves and those of the search, or the "
    + "moves of the records (lower is closer)."]:
    "Kreuzentropie in Nats zwischen den Zugwahrscheinlichkeiten des Netzes und denen der Suche oder den "
    + "Zügen der Aufzeichnungen (kleiner ist näher).",
  "Critic's loss": "Verlust der Bewertung",
  ["Cross-entropy in nats between its chances of winning and the games' results; always predicting one "
    + "half gives 0.69 in a game for two."]:
    "Kreuzentropie in Nats zwischen seinen Gewinnchancen und den Ergebnissen der Partien; immer die Hälfte "
    + "vorherzusagen ergibt 0,69 in einem Spiel zu zweit.",
  "Owners' loss": "Verlust der Besitzer",
  "Cross-entropy in nats of its prediction of each cell's owner at the end, a mean over cells.":
    "Kreuzentropie in Nats seiner Vorhersage, wem jedes Feld am Ende gehört, gemittelt über die Felder.",
  "Policy's loss, games not seen before": "Verlust der Policy, neue Partien",
  "The same for the games of a wave, before the network learns from them.":
    "Dasselbe für die Partien einer Welle, bevor das Netz aus ihnen lernt.",
  "Critic's loss, games not seen before": "Verlust der Bewertung, neue Partien",
  "The same for games it has not learned from. If this rises while the critic's loss falls, it overfits.":
    "Dasselbe für Partien, aus denen es nicht gelernt hat. Steigt dieser Verlust, während der andere "
    + "fällt, lernt es auswendig.",
  "Owners' loss, games not seen before": "Verlust der Besitzer, neue Partien",
  "The same for games it has not learned from.": "Dasselbe für Partien, aus denen es nicht gelernt hat.",
  "Chances, labels not seen before": "Chancen, neue Labels",
  ["Cross-entropy in nats between the network's chances of each seat and labels that it has not learned "
    + "from; includes the variance of playouts."]:
    "Kreuzentropie in Nats zwischen den Chancen jedes Platzes nach dem Netz und Labels, aus denen es nicht "
    + "gelernt hat; enthält die Varianz der Playouts.",
  "Gain by choosing": "Gewinn durch Auswahl",
  ["The value of the sibling that the network prefers minus the mean of its siblings, by labels that it "
    + "has not learned from, as a share of the win: above 0, the network is better than random choice."]:
    "Der Wert des Geschwisters, das das Netz vorzieht, minus das Mittel der Geschwister, nach Labels, aus "
    + "denen es nicht gelernt hat, als Gewinnanteil: Über 0 ist das Netz besser als zufällige Wahl.",
  "Siblings told apart": "Geschwister unterschieden",
  "Squared error of the differences between siblings, for labels that it has not learned from.":
    "Quadratischer Fehler der Unterschiede zwischen Geschwistern, für Labels, aus denen es nicht gelernt "
    + "hat.",
  "A new network among quick players": "Ein neues Netz unter schnellen Spielern",
  "Its share of the games that decide whether it is accepted.":
    "Sein Anteil an den Partien, die entscheiden, ob es angenommen wird.",
  "A new network among those that play now": "Ein neues Netz unter denen, die jetzt spielen",
  "The same with the network that played before in all other seats.":
    "Dasselbe mit dem bisherigen Netz auf allen anderen Plätzen.",
  "Accepted": "Angenommen",
  "1 if the new network plays from then on, 0 if it does not.":
    "1, wenn von da an das neue Netz spielt, sonst 0.",
  "First player's share": "Anteil des ersten Spielers",
  ["Of the points in self-play. Half means an even game; many games favour the first player the more, the "
    + "better both play."]:
    "An den Punkten der Partien gegen sich selbst. Die Hälfte heißt: ein ausgeglichenes Spiel; viele "
    + "Spiele begünstigen den ersten Spieler umso mehr, je besser beide spielen.",
  "Length of an episode": "Länge einer Episode",
  "Moves of a game that were searched, on average.": "Durchsuchte Züge einer Partie, im Durchschnitt.",
  "Drawn games": "Unentschiedene Partien",
  "Share of the games of self-play that end equal for all.":
    "Anteil der Partien gegen sich selbst, die für alle gleich enden.",
  "Games played before": "Schon gespielte Partien",
  ["Share of the games that equal one of the last 200. If it is high, there is little new to learn: raise "
    + "the temperature of the moves."]:
    "Anteil der Partien, die einer der letzten 200 gleichen. Ist er hoch, gibt es wenig Neues zu lernen: "
    + "Erhöhe die Temperatur der Züge.",
  "Policy's loss, games held out": "Verlust der Policy, zurückgehaltene Partien",
  ["Cross-entropy in nats between its probabilities of moves and the moves of people in games that it "
    + "never learns from, after each epoch."]:
    "Kreuzentropie in Nats zwischen seinen Zugwahrscheinlichkeiten und den Zügen von Menschen in Partien, "
    + "aus denen es nie lernt, nach jeder Epoche.",
  "Critic's loss, games held out": "Verlust der Bewertung, zurückgehaltene Partien",
  ["Cross-entropy in nats between its chances of winning and the results of games that it never learns "
    + "from, after each epoch."]:
    "Kreuzentropie in Nats zwischen seinen Gewinnchancen und den Ergebnissen von Partien, aus denen es nie "
    + "lernt, nach jeder Epoche.",
  "Moves predicted": "Vorhergesagte Züge",
  "Share of positions in games held out in which its best legal move was played.":
    "Anteil der Stellungen zurückgehaltener Partien, in denen sein bester erlaubter Zug gespielt wurde.",
  "Error of the chances": "Fehler der Chancen",
  ["Mean squared error of the mover's share of the win in games held out; always predicting one half gives "
    + "0.25."]:
    "Mittlerer quadratischer Fehler des Gewinnanteils dessen, der am Zug ist, in zurückgehaltenen Partien; "
    + "immer die Hälfte vorherzusagen ergibt 0,25.",
  "Agreement with the search": "Übereinstimmung mit der Suche",
  "Share of positions in new games where the best actions of policy and search are equal.":
    "Anteil der Stellungen neuer Partien, in denen Policy und Suche denselben Zug für den besten halten.",
  "Results explained by the critic": "Von der Bewertung erklärte Ergebnisse",
  "Share of explained variance in new games: 1 is perfect, 0 is no better than the mean.":
    "Anteil der erklärten Varianz in neuen Partien: 1 ist perfekt, 0 ist nicht besser als der Mittelwert.",
  "Spread of the policy": "Streuung der Policy",
  "Its entropy in nats: 0 if it puts all probability on one action.":
    "Ihre Entropie in Nats: 0, wenn alle Wahrscheinlichkeit auf einem Zug liegt.",
  "Spread of the search": "Streuung der Suche",
  "The entropy of the search's policy; the policy's loss cannot fall below it.":
    "Die Entropie der Zugverteilung der Suche; der Verlust der Policy kann nicht darunter fallen.",
  "Gradient": "Gradient",
  "The norm of the gradient of a minibatch. Growing peaks mean unstable training: lower the learning rate.":
    "Die Norm des Gradienten eines Minibatches. Wachsende Spitzen heißen instabiles Training: Senke die "
    + "Lernrate.",
  "Positions in the replay buffer": "Stellungen im Replay-Puffer",
  "Minibatches are drawn from it; it grows to its capacity.":
    "Aus ihm werden Minibatches gezogen; er wächst bis zu seiner Kapazität.",
  "Simulations a second": "Simulationen pro Sekunde",
  "Of the searches of all games together.": "Der Suchen aller Partien zusammen.",
  "Evaluations a second": "Bewertungen pro Sekunde",
  "Positions that the network evaluated.": "Stellungen, die das Netz bewertet hat.",
  "The network's share of the time": "Zeitanteil des Netzes",
  "Of self-play; the rest is the search itself.": "An den Partien gegen sich selbst; der Rest ist die Suche.",
  "Self-play, seconds": "Partien gegen sich selbst, Sekunden",
  "Time to play a wave of episodes.": "Zeit, eine Welle von Episoden zu spielen.",
  "Learning, seconds": "Lernen, Sekunden",
  "Time for the minibatches after a wave, or of a round.":
    "Zeit für die Minibatches nach einer Welle oder in einer Runde.",
  "Labels": "Labels",
  "Labels that a round's network is trained on, older rounds included.":
    "Labels, mit denen das Netz einer Runde trainiert wird, ältere Runden eingeschlossen.",
  "Labelling, seconds": "Labeln, Sekunden",
  "Time for the playouts of a round.": "Zeit für die Playouts einer Runde.",
  "Gate, seconds": "Annahme, Sekunden",
  "Time for the games that decide whether a network is accepted.":
    "Zeit für die Partien, die entscheiden, ob ein Netz angenommen wird.",
  "Training threads": "Threads des Trainings",
  "The faster number by measurement, unless one is set.":
    "Die gemessen schnellere Anzahl, wenn keine festgelegt ist.",
  "Seat {n}": "Platz {n}",
  "Its share of the points where it plays from this seat.":
    "Sein Anteil an den Punkten, wenn es von diesem Platz aus spielt.",
  "How often it does this in a game, on average over matches.":
    "Wie oft es das in einer Partie tut, im Durchschnitt der Wettkämpfe.",
  "Longest road": "Längste Handelsstraße",
  "Largest army": "Größte Rittermacht",
  "Cards discarded": "Abgeworfene Karten",
  "Robber moved while another leads": "Räuber versetzt, während ein anderer führt",
  "Robber kept off all who lead": "Räuber von allen Führenden ferngehalten",
  "Development cards bought": "Gekaufte Entwicklungskarten",
  "Trades with the bank": "Tausche mit der Bank",
  "Offers": "Angebote",
  "Trades with players": "Tausche mit Spielern",
  "The network alone wins {list}; even is {n} %.":
    "Das Netz allein gewinnt {list}; ausgeglichen wären {n} %.",
  "The network alone wins {list}.": "Das Netz allein gewinnt {list}.",
  "With search it wins {list}; even is {n} %.": "Mit Suche gewinnt es {list}; ausgeglichen wären {n} %.",
  "With search it wins {list}.": "Mit Suche gewinnt es {list}.",
  "{result}), {rest}": "{result}), {rest}",
  "{n} % of {n2} games against {agent} ({n3} to {n4}, rising)":
    "{n} % von {n2} Partien gegen {agent} ({n3} bis {n4}, steigend)",
  "{n} % of {n2} games against {agent} ({n3} to {n4}, falling)":
    "{n} % von {n2} Partien gegen {agent} ({n3} bis {n4}, fallend)",
  "{n} % of {n2} games against {agent} ({n3} to {n4})":
    "{n} % von {n2} Partien gegen {agent} ({n3} bis {n4})",
  "{n} % of {n2} games against {agent} ({n3} to {n4}, rising":
    "{n} % von {n2} Partien gegen {agent} ({n3} bis {n4}, steigend",
  "{n} % of {n2} games against {agent} ({n3} to {n4}, falling":
    "{n} % von {n2} Partien gegen {agent} ({n3} bis {n4}, fallend",
  "{n} % of {n2} games against {agent} ({n3} to {n4}": "{n} % von {n2} Partien gegen {agent} ({n3} bis {n4}",
  "{name} was asked to stop and has not ended yet: a search may take long. Asked again, it stops at once":
    "{name} soll anhalten und ist noch nicht fertig: Eine Suche kann lange dauern. Bei einer zweiten "
    + "Aufforderung hält er sofort an",
  "{name} was stopped after its time, so that others can train: resume it when none does":
    "{name} wurde nach seiner Zeit angehalten, damit auch andere trainieren können: Setze ihn fort, wenn "
    + "keiner es tut",
  "{name} was stopped, for the folder of runs is full: delete runs there, and resume it":
    "{name} wurde angehalten, weil der Ordner der Läufe voll ist: Lösche dort Läufe und setze ihn fort",
  "{name} was stopped, for it took more memory than a run may: begin a smaller one":
    "{name} wurde angehalten, weil er mehr Speicher nahm, als ein Lauf darf: Beginne einen kleineren",
  "{name} ended by an error; what was saved before is whole. Its last words:":
    "{name} endete durch einen Fehler; was vorher gespeichert wurde, ist unversehrt. Die letzte Ausgabe:",
  "{name} could not be rated. The last words:": "{name} konnte nicht bewertet werden. Die letzte Ausgabe:",
  "After {time} the network {finding}. {advice}": "Nach {time} gilt für das Netz: {finding}. {advice}",
  "{n} episodes": "{n} Episoden",
  "{n} rounds": "{n} Runden",
  "is worse than chance: {result}; even is {n} %":
    "schlechter als Zufall: {result}; ausgeglichen wären {n} %",
  "is worse than chance: {result}": "schlechter als Zufall: {result}",
  "is not shown to be better than chance: {result}; even is {n} %":
    "nicht nachweislich besser als Zufall: {result}; ausgeglichen wären {n} %",
  "is not shown to be better than chance: {result}": "nicht nachweislich besser als Zufall: {result}",
  "may or may not be better than chance, which so few games cannot show: {result}":
    "vielleicht besser als Zufall, was so wenige Partien nicht zeigen können: {result}",
  "is weaker than the one it began with: {result}": "schwächer als das, mit dem es begann: {result}",
  "is not shown to be stronger than the one it began with: {result}":
    "nicht nachweislich stärker als das, mit dem es begann: {result}",
  ["won less than an even share against the one it began with, in too few games to show that it is weaker: "
    + "{result}"]:
    "gewann gegen das, mit dem es begann, weniger als die Hälfte, in zu wenigen Partien, um zu zeigen, "
    + "dass es schwächer ist: {result}",
  "Run `{command}`, then {advice}": "Rufe `{command}` auf, dann: {advice}",
  "train longer ({field}) or {more}.": "trainiere länger ({field}) oder {more}.",
  "raise search.simulations": "erhöhe search.simulations",
  "raise training.games": "erhöhe training.games",
  "raise labels.games": "erhöhe labels.games",
  "Raise matches.games to {n}.": "Erhöhe matches.games auf {n}.",
  "Lower training.learning_rate, or raise search.simulations.":
    "Senke training.learning_rate oder erhöhe search.simulations.",
  ["Give matches more time, which is about a tenth of that from one round to the next: matches.minutes = "
    + "{n}."]:
    "Gib den Wettkämpfen mehr Zeit, etwa ein Zehntel der Zeit von einer Runde zur nächsten: "
    + "matches.minutes = {n}.",
  ["The policy's loss has not moved for {n} episodes, and its best action is the search's in {n2} % of "
    + "positions: the network may not see what matters. See whether `observe` shows all that a choice "
    + "depends on; then try a higher training.learning_rate, more training.batches, or a larger network."]:
    "Der Verlust der Policy hat sich seit {n} Episoden nicht bewegt, und ihr bester Zug ist in {n2} % der "
    + "Stellungen der der Suche: Das Netz sieht vielleicht nicht, worauf es ankommt. Prüfe, ob `observe` "
    + "alles zeigt, wovon eine Wahl abhängt; versuche dann ein höheres training.learning_rate, mehr "
    + "training.batches oder ein größeres Netz.",
  ["The critic's loss rises on games it has not seen ({n} to {n2}), while it is {n3} on those it learns "
    + "from: overfitting. Learn less from each game (training.batches), remember more of them "
    + "(replay.capacity), or set training.weight_decay."]:
    "Der Verlust der Bewertung steigt bei neuen Partien ({n} auf {n2}), während er bei den gelernten {n3} "
    + "ist: Überanpassung. Lerne weniger aus jeder Partie (training.batches), behalte mehr davon "
    + "(replay.capacity) oder setze training.weight_decay.",
  "Every game is drawn. {advice}": "Jede Partie endet unentschieden. {advice}",
  "{n} % of games are drawn. {advice}": "{n} % der Partien enden unentschieden. {advice}",
  ["See by `{command}` whether games can be won; more search.simulations or selfplay.random_plies may find "
    + "a win."]:
    "Prüfe mit `{command}`, ob Partien gewonnen werden können; mehr search.simulations oder "
    + "selfplay.random_plies findet vielleicht einen Gewinn.",
  ["Self-play repeats itself: {n} % equal games. Raise selfplay.temperature, selfplay.random_plies or "
    + "search.noise_fraction."]:
    "Die Partien wiederholen sich: {n} % gleiche Partien. Erhöhe selfplay.temperature, "
    + "selfplay.random_plies oder search.noise_fraction.",
  ["The first player wins nearly every game ({n} % of the points), so that there is little to learn from "
    + "results. {advice}"]:
    "Der erste Spieler gewinnt fast jede Partie ({n} % der Punkte), sodass aus Ergebnissen wenig zu lernen "
    + "ist. {advice}",
  ["The first player loses nearly every game ({n} % of the points), so that there is little to learn from "
    + "results. {advice}"]:
    "Der erste Spieler verliert fast jede Partie ({n} % der Punkte), sodass aus Ergebnissen wenig zu "
    + "lernen ist. {advice}",
  "Begin episodes with selfplay.random_plies, or learn a larger board.":
    "Beginne Episoden mit selfplay.random_plies oder lerne ein größeres Brett.",
  ["The critic predicts nothing: it is no better than a constant prediction. See whether `observe` shows "
    + "who is ahead; learn longer ({field}), or lower training.learning_rate."]:
    "Die Bewertung sagt nichts vorher: Sie ist nicht besser als eine feste Vorhersage. Prüfe, ob `observe` "
    + "zeigt, wer vorne liegt; lerne länger ({field}) oder senke training.learning_rate.",
  "One wave: {n} s learning, {n2} s playing. {advice}": "Eine Welle: {n} s Lernen, {n2} s Spielen. {advice}",
  "Fewer training.batches, or a smaller network.": "Weniger training.batches oder ein kleineres Netz.",
  "Use fewer threads (training.threads = 1), fewer training.batches, or a smaller network.":
    "Weniger Threads (training.threads = 1), weniger training.batches oder ein kleineres Netz.",
  "{nodes} · {actors} · {n} games/s · {waiting}": "{nodes} · {actors} · {n} Partien/s · {waiting}",
  "{nodes} · {actors} · {n} games/s": "{nodes} · {actors} · {n} Partien/s",
  "{things} ({n} dead)": "{things} ({n} ausgefallen)",
  "{n} nodes": "{n} Knoten",
  "1 node": "1 Knoten",
  "{n} actors": "{n} Aktoren",
  "1 actor": "1 Aktor",
  "{n} games begun: {n2} finished, {n3} lost with {deaths}, {n4} given up, {n5} in flight":
    "{n} Partien begonnen: {n2} beendet, {n3} verloren mit {deaths}, {n4} aufgegeben, {n5} laufen",
  "{n} actors that died": "{n} ausgefallenen Aktoren",
  "1 actor that died": "1 ausgefallenen Aktor",
  "{n} stored, {n2} learned from": "{n} gespeichert, aus {n2} gelernt",
  "the counts do not add up: {n} games are unaccounted for": "die Zahlen gehen nicht auf: {n} Partien fehlen",
  "the trainer ended unexpectedly; this is its last report":
    "das Training endete unerwartet; dies ist sein letzter Bericht",
  "the trainer has reported nothing for {time}": "das Training hat seit {time} nichts gemeldet",
  "the node {name} is dead": "der Knoten {name} ist ausgefallen",
  "the actor {name} is dead": "der Aktor {name} ist ausgefallen",
  "the nodes {names} and {last} are dead": "die Knoten {names} und {last} sind ausgefallen",
  "the actors {names} and {last} are dead": "die Aktoren {names} und {last} sind ausgefallen",
  "run": "Lauf",
  "game": "Spiel",
  "network": "Netz",
  "search": "Suche",
  "selfplay": "Partien gegen sich selbst",
  "replay": "Replay-Puffer",
  "training": "Training",
  "matches": "Wettkämpfe",
  "topp": "Turnier der Netze",
  "seed": "Startwert",
  "episodes": "Episoden",
  "networks": "Netze",
  "start": "Beginnt mit",
  "teacher": "Lehrer",
  "minutes": "Minuten",
  "network minutes": "Minuten je Netz",
  "name": "Name",
  "kind": "Art",
  "hidden": "Verborgene Schichten",
  "channels": "Kanäle",
  "blocks": "Blöcke",
  "activation": "Aktivierung",
  "critic": "Bewertung",
  "mode": "Verfahren",
  "simulations": "Simulationen",
  "seconds": "Sekunden",
  "root": "Wurzel",
  "considered": "Betrachtete Züge",
  "value scale": "Gewicht der Werte",
  "rule": "Auswahlregel",
  "fast simulations": "Simulationen schneller Züge",
  "full share": "Anteil voller Züge",
  "c": "c",
  "leaves": "Blätter",
  "solve": "Beweisen",
  "noise alpha": "Alpha des Rauschens",
  "noise fraction": "Anteil des Rauschens",
  "games": "Partien",
  "workers": "Threads",
  "epsilon": "Epsilon",
  "sigma": "Sigma",
  "temperature": "Temperatur",
  "temperature plies": "Züge mit Temperatur",
  "random plies": "Zufällige Züge",
  "exact": "Exakte Lösung",
  "format": "Zahlenformat",
  "device": "Gerät",
  "capacity": "Kapazität",
  "memory": "Speicher",
  "optimizer": "Optimierer",
  "learning rate": "Lernrate",
  "weight decay": "Gewichtsabnahme",
  "momentum": "Momentum",
  "batch size": "Größe der Minibatches",
  "batches": "Minibatches",
  "value weight": "Gewicht der Bewertung",
  "ownership": "Besitzer",
  "search value": "Wert der Suche",
  "discount": "Abzinsung",
  "surprise": "Überraschung",
  "max gradient norm": "Größte Norm des Gradienten",
  "symmetries": "Symmetrien",
  "threads": "Threads",
  "opponents": "Gegner",
  "policy": "Auswahl",
  "Length of the run, its random seed, and the networks that it saves.":
    "Länge des Laufs, sein Startwert und die Netze, die er speichert.",
  "The game to learn.": "Das Spiel, das gelernt wird.",
  "Architecture of the network.": "Aufbau des Netzes.",
  "The tree search that chooses the moves of self-play.":
    "Die Baumsuche, die die Züge der Partien gegen sich selbst wählt.",
  "How episodes of self-play are played.": "Wie die Episoden gespielt werden.",
  "The replay buffer, from which minibatches are drawn.":
    "Der Replay-Puffer, aus dem Minibatches gezogen werden.",
  "How the network is trained on minibatches of positions.":
    "Wie das Netz mit Minibatches von Stellungen trainiert wird.",
  ["Matches against fixed opponents during training, which measure progress. They do not affect what is "
    + "learned."]:
    "Wettkämpfe gegen feste Gegner während des Trainings, die den Fortschritt messen. Sie beeinflussen "
    + "nicht, was gelernt wird.",
  "Tournament of progressive policies between the saved networks of a run, `meeple topp`.":
    "Turnier zwischen den gespeicherten Netzen eines Laufs, `meeple topp`.",
  "Seed of all random numbers of the run: equal seeds give equal runs on one machine.":
    "Startwert aller Zufallszahlen des Laufs: Gleiche Startwerte ergeben auf einer Maschine gleiche Läufe.",
  "Number of games of self-play. In a run on game records, `records.epochs` sets it.":
    "Anzahl der Partien gegen sich selbst. Bei einem Lauf mit Aufzeichnungen legt `records.epochs` sie fest.",
  ["Number of networks to save: the untrained one first, the final one last, the others at equal intervals "
    + "of `episodes`, or of `minutes` if that limit is reached sooner."]:
    "Anzahl der Netze, die gespeichert werden: zuerst das untrainierte, zuletzt das fertige, die anderen "
    + "in gleichen Abständen von `episodes`, oder von `minutes`, wenn diese Grenze früher erreicht wird.",
  ["Network to start from, instead of random weights: a file, the folder of a run, or the name of a "
    + "shipped network. It must be of the same game; its board may have another size."]:
    "Netz, mit dem statt mit zufälligen Gewichten begonnen wird: eine Datei, der Ordner eines Laufs oder "
    + "der Name eines mitgelieferten Netzes. Es muss vom selben Spiel sein; sein Brett darf eine andere "
    + "Größe haben.",
  ["Weights of patterns whose games the network learns from first: a file, the folder of a run of mode "
    + "patterns, or the name of a shipped file. `teaching.episodes` says how many games."]:
    "Gewichte von Mustern, aus deren Partien das Netz zuerst lernt: eine Datei, der Ordner eines Laufs der "
    + "Art patterns oder der Name einer mitgelieferten Datei. `teaching.episodes` sagt, wie viele Partien.",
  "Limit of the training time in minutes, in addition to `episodes`.":
    "Grenze der Trainingszeit in Minuten, zusätzlich zu `episodes`.",
  "Also save a network each time this many minutes of training have passed.":
    "Auch jedes Mal ein Netz speichern, wenn so viele Minuten trainiert wurde.",
  "Name of the game, as listed by `meeple games`.": "Name des Spiels, wie ihn `meeple games` auflistet.",
  ["mlp: dense layers on the flattened observation. conv: a residual tower, for games with a board. "
    + "classic: 3x3 convolutions in sequence, as in AlphaZero_Gomoku."]:
    "mlp: dichte Schichten auf der flachen Beobachtung. conv: ein Residualturm, für Spiele mit Brett. "
    + "classic: 3x3-Faltungen hintereinander, wie in AlphaZero_Gomoku.",
  "mlp: width of each hidden layer. classic: channels of each convolution.":
    "mlp: Breite jeder verborgenen Schicht. classic: Kanäle jeder Faltung.",
  "conv: number of channels.": "conv: Anzahl der Kanäle.",
  "conv: number of residual blocks.": "conv: Anzahl der Residualblöcke.",
  "Activation function between the layers.": "Aktivierungsfunktion zwischen den Schichten.",
  ["Whether the network has a value head, which predicts each player's share of the win. The mode "
    + "alphazero needs it, and so does a `sigma` below 1."]:
    "Ob das Netz eine Bewertung hat, die den Gewinnanteil jedes Spielers vorhersagt. Das Verfahren "
    + "alphazero braucht sie, ebenso ein `sigma` unter 1.",
  ["on-policy: UCT; each leaf is evaluated by a rollout that the network's policy plays, or by its value "
    + "head, see `sigma`. alphazero: PUCT with the network's policy as priors and its value head at the "
    + "leaves."]:
    "on-policy: UCT; jedes Blatt bewertet ein Rollout, das die Policy des Netzes spielt, oder seine "
    + "Bewertung, siehe `sigma`. alphazero: PUCT mit der Policy des Netzes als Prior und seiner Bewertung "
    + "an den Blättern.",
  ["Simulations per move. [[0, 400], [10, 100]]: 400 from move 0 of an episode, 100 from its move 10. "
    + "Those in the subtree that is reused from the previous move are not counted."]:
    "Simulationen pro Zug. [[0, 400], [10, 100]]: 400 ab Zug 0 einer Episode, 100 ab ihrem Zug 10. Die im "
    + "Teilbaum, der vom vorigen Zug übernommen wird, zählen nicht.",
  ["Search time per move in seconds, shared by all games of a wave, instead of `simulations`. The result "
    + "of the run then depends on the speed of the machine."]:
    "Suchzeit pro Zug in Sekunden, die sich alle Partien einer Welle teilen, statt `simulations`. Das "
    + "Ergebnis des Laufs hängt dann von der Geschwindigkeit der Maschine ab.",
  ["alphazero: how simulations are distributed at the root. gumbel: by sequential halving among actions "
    + "that are sampled from the policy, useful from 16 simulations. puct: by the PUCT formula with "
    + "Dirichlet noise."]:
    "alphazero: wie Simulationen an der Wurzel verteilt werden. gumbel: durch Sequential Halving unter "
    + "Zügen, die aus der Policy gezogen werden, nützlich ab 16 Simulationen. puct: nach der PUCT-Formel "
    + "mit Dirichlet-Rauschen.",
  "gumbel: number of actions that sequential halving starts with, at most about the number of simulations.":
    "gumbel: Anzahl der Züge, mit denen Sequential Halving beginnt, höchstens etwa die Anzahl der "
    + "Simulationen.",
  ["gumbel: weight of the action values against the policy's logits, both in the choice of a move and in "
    + "the policy target."]:
    "gumbel: Gewicht der Zugwerte gegen die Logits der Policy, bei der Zugwahl und im Ziel der Policy.",
  ["alphazero: how actions are selected below the root. improved: visits in proportion to the improved "
    + "policy."]:
    "alphazero: wie Züge unterhalb der Wurzel gewählt werden. improved: Besuche im Verhältnis zur "
    + "verbesserten Policy.",
  ["alphazero: simulations of a fast move, which is played but not trained on. Not set: there are no fast "
    + "moves."]:
    "alphazero: Simulationen eines schnellen Zugs, der gespielt wird, aus dem aber nicht gelernt wird. "
    + "Leer: keine schnellen Züge.",
  "With fast_simulations: share of the moves that get all `simulations` and are trained on.":
    "Mit fast_simulations: Anteil der Züge, die alle `simulations` bekommen und aus denen gelernt wird.",
  ["Exploration constant of UCT or PUCT for values in [0, 1]. classic: half of the usual constants for "
    + "values in [-1, 1], which are sqrt 2 in UCT and 5 in PUCT."]:
    "Explorationskonstante von UCT oder PUCT für Werte in [0, 1]. classic: die Hälfte der üblichen "
    + "Konstanten für Werte in [-1, 1], nämlich Wurzel 2 bei UCT und 5 bei PUCT.",
  ["Leaves of a tree that are evaluated in one call of the network. 1: the exact sequential search; more: "
    + "larger batches, less exact."]:
    "Blätter eines Baums, die ein Aufruf des Netzes bewertet. 1: die exakte Suche nacheinander; mehr: "
    + "größere Batches, weniger exakt.",
  "Back up proven results, and do not train on a move that is proven to lose if another move is not.":
    "Bewiesene Ergebnisse weitergeben und nicht aus einem Zug lernen, der bewiesen verliert, wenn ein "
    + "anderer das nicht tut.",
  "puct: Dirichlet noise at the root has the parameter noise_alpha / number of legal actions.":
    "puct: Das Dirichlet-Rauschen an der Wurzel hat den Parameter noise_alpha / Anzahl der erlaubten Züge.",
  "puct: weight of the noise in the root's priors.": "puct: Gewicht des Rauschens im Prior der Wurzel.",
  "Episodes in a wave: they are played in lockstep, and the network is trained after them.":
    "Episoden einer Welle: Sie werden im Gleichschritt gespielt, und danach wird das Netz trainiert.",
  "Threads that share the episodes of a wave.": "Threads, die sich die Episoden einer Welle teilen.",
  ["on-policy: probability of a random action at each move of a rollout. [first, last]: linear over the "
    + "episodes."]:
    "on-policy: Wahrscheinlichkeit eines zufälligen Zugs bei jedem Zug eines Rollouts. [erster, letzter]: "
    + "linear über die Episoden.",
  ["on-policy: probability that a leaf is evaluated by a rollout, not by the value head. [first, last]: "
    + "linear over the episodes."]:
    "on-policy: Wahrscheinlichkeit, dass ein Rollout und nicht die Bewertung des Netzes ein Blatt "
    + "bewertet. [erster, letzter]: linear über die Episoden.",
  ["Moves are sampled in proportion to visits ** (1 / temperature): below 1 greedier, above 1 more random. "
    + "With root = gumbel: factor of the Gumbel noise."]:
    "Züge werden im Verhältnis zu Besuche ** (1 / Temperatur) gezogen: unter 1 gieriger, über 1 "
    + "zufälliger. Mit root = gumbel: Faktor des Gumbel-Rauschens.",
  "Number of moves at the start of an episode that are sampled; later ones are the best of the search.":
    "Anzahl der Züge am Anfang einer Episode, die gezogen werden; spätere sind die besten der Suche.",
  "Each episode starts with a random number of random moves, from 0 to this, which are not trained on.":
    "Jede Episode beginnt mit einer zufälligen Anzahl zufälliger Züge, von 0 bis hier, aus denen nicht "
    + "gelernt wird.",
  ["Work of the exact solver, as a share of that of the searches: it plays games of two players without "
    + "chance or hidden information to their ends once it proves their results. 0: never."]:
    "Arbeit des exakten Lösers als Anteil an der der Suchen: Er spielt Partien von zwei Spielern ohne "
    + "Zufall und verdeckte Information zu Ende, sobald er ihr Ergebnis beweist. 0: nie.",
  ["Number format of the network in self-play. auto: the faster one of float32 and bfloat16 on this "
    + "machine. int8: conv on the CPU by OpenVINO, else as auto; observations must be from 0 to 1. "
    + "float16: on accelerators only."]:
    "Zahlenformat des Netzes beim Spielen. auto: das schnellere von float32 und bfloat16 auf "
    + "dieser Maschine. "
    + "int8: conv auf der CPU durch OpenVINO, sonst wie auto; Beobachtungen müssen von 0 bis 1 sein. "
    + "float16: nur auf Beschleunigern.",
  ["Device of the network in self-play. auto: an accelerator if PyTorch finds one, and always the CPU for "
    + "an mlp. The CPU is used if a device is missing."]:
    "Gerät des Netzes beim Spielen. auto: ein Beschleuniger, wenn PyTorch einen findet, und für ein mlp "
    + "immer die CPU. Fehlt ein Gerät, wird die CPU benutzt.",
  "Maximum number of positions in the buffer; the newest ones stay.":
    "Größte Anzahl von Stellungen im Puffer; die neuesten bleiben.",
  ["Maximum size of the buffer in memory, in megabytes. A larger one is stored in a file in the folder for "
    + "temporary files (TMPDIR)."]:
    "Höchste Größe des Puffers im Speicher, in Megabyte. Ein größerer liegt in einer Datei im Ordner für "
    + "temporäre Dateien (TMPDIR).",
  "Optimizer of the weights.": "Optimierer der Gewichte.",
  ["Step size of the optimizer. [first, last]: linear over the episodes, or over the minutes of the run if "
    + "that limit is reached sooner."]:
    "Schrittweite des Optimierers. [erster, letzter]: linear über die Episoden oder über die Minuten des "
    + "Laufs, wenn diese Grenze früher erreicht wird.",
  "L2 penalty: this times the weights is added to their gradient. Typically 0 to 0.001.":
    "L2-Strafe: Dieses Vielfache der Gewichte wird zu ihrem Gradienten addiert. Üblich sind 0 bis 0,001.",
  "Momentum of sgd and rmsprop; the other optimizers need 0.":
    "Momentum von sgd und rmsprop; die anderen Optimierer brauchen 0.",
  "Positions in a minibatch.": "Stellungen in einem Minibatch.",
  "Minibatches per episode, on average.": "Minibatches pro Episode, im Durchschnitt.",
  "Weight of the value loss; the policy loss has weight 1.":
    "Gewicht des Verlusts der Bewertung; der der Policy hat das Gewicht 1.",
  ["conv: weight of the loss of a third head, which predicts the owner of each cell at the end of the "
    + "game; 0: no such head. Reversi and Hex define owners."]:
    "conv: Gewicht des Verlusts eines dritten Kopfs, der vorhersagt, wem jedes Feld am Ende gehört; 0: "
    + "kein solcher Kopf. Reversi und Hex bestimmen Besitzer.",
  "Share of the search's value in the value target; the rest is the result of the game.":
    "Anteil des Werts der Suche am Ziel der Bewertung; der Rest ist das Ergebnis der Partie.",
  ["Factor per action of a player until the end of the game, by which its result in the value target is "
    + "moved towards equal shares; outcomes of chance do not count; 1: no discount."]:
    "Faktor pro Aktion eines Spielers bis zum Ende der Partie, um den ihr Ergebnis im Ziel der Bewertung zu "
    + "gleichen Anteilen hin verschoben wird; Zufallsergebnisse zählen nicht; 1: keine Abzinsung.",
  ["Share of an episode's weight that its positions get in proportion to the KL divergence of the search's "
    + "policy from the network's; 0: all positions weigh the same."]:
    "Anteil am Gewicht einer Episode, den ihre Stellungen im Verhältnis zur KL-Divergenz zwischen der "
    + "Policy der Suche und der des Netzes bekommen; 0: Alle Stellungen wiegen gleich.",
  "Longer gradients are scaled down to this L2 norm.":
    "Längere Gradienten werden auf diese L2-Norm verkleinert.",
  "Transform each position of a minibatch by a random symmetry of the game.":
    "Jede Stellung eines Minibatches mit einer zufälligen Symmetrie des Spiels abbilden.",
  ["Threads of the training on the CPU; 0: one, or more if that is measured to be faster. With a number "
    + "above 0, or an mlp, equal seeds give networks that are equal bit for bit."]:
    "Threads des Trainings auf der CPU; 0: einer, oder mehr, wenn das gemessen schneller ist. Mit einer "
    + "Zahl über 0 oder einem mlp ergeben gleiche Startwerte bitweise gleiche Netze.",
  "Device of the training; see selfplay.device.": "Gerät des Trainings; siehe selfplay.device.",
  ["Number format of the training. bfloat16: mixed precision with weights in float32. fastest: the faster "
    + "one, as measured. auto: the faster one on an accelerator, float32 on the CPU."]:
    "Zahlenformat des Trainings. bfloat16: gemischte Genauigkeit mit Gewichten in float32. "
    + "fastest: das gemessen schnellere. auto: das schnellere auf einem Beschleuniger, float32 auf der CPU.",
  ["Minutes of training from one round of matches to the next; 0: no matches. The last round is at the end "
    + "of the run. A round takes about a tenth of the time since the previous one."]:
    "Minuten Training von einer Runde Wettkämpfe zur nächsten; 0: keine Wettkämpfe. Die letzte Runde ist "
    + "am Ende des Laufs. Eine Runde dauert etwa ein Zehntel der Zeit seit der vorigen.",
  "Maximum number of games against each opponent in a round.":
    "Größte Anzahl von Partien gegen jeden Gegner in einer Runde.",
  ["Specs of agents, such as uct:sims=1000, or start: the network that the run started from. Empty: "
    + "random, uct:sims=100, start, and greedy if the game has a heuristic."]:
    "Beschreibungen von Programmen, etwa uct:sims=1000, oder start: das Netz, mit dem der Lauf begann. "
    + "Leer: random, uct:sims=100, start, und greedy, wenn das Spiel eine Heuristik hat.",
  ["The network plays once without search and once with this many simulations per move; 0: only without "
    + "search."]:
    "Das Netz spielt einmal ohne Suche und einmal mit so vielen Simulationen pro Zug; 0: nur ohne Suche.",
  "Games per pair of networks.": "Partien je Paar von Netzen.",
  ["How a network chooses. greedy: its most probable action. epsilon: a random action with the probability "
    + "`epsilon`, else greedy. sample: an action drawn from its policy."]:
    "Wie ein Netz wählt. greedy: seinen wahrscheinlichsten Zug. epsilon: mit der Wahrscheinlichkeit "
    + "`epsilon` einen zufälligen Zug, sonst greedy. sample: einen Zug, der aus seiner Policy gezogen wird.",
  "With policy = epsilon: probability of a random action.":
    "Mit policy = epsilon: Wahrscheinlichkeit eines zufälligen Zugs.",
  "a whole number from {n} to {n2}": "eine ganze Zahl von {n} bis {n2}",
  "a number above {n} up to {n2}": "eine Zahl über {n} bis {n2}",
  "a number above {n}": "eine Zahl über {n}",
  "a number from {n} to below {n2}": "eine Zahl von {n} bis unter {n2}",
  "a number from {n} to {n2}": "eine Zahl von {n} bis {n2}",
  "a number from {n} to {n2}, or classic": "eine Zahl von {n} bis {n2}, oder classic",
  "a list of at most {n} items, each {item}": "eine Liste mit höchstens {n} Einträgen, jeder {item}",
  "{item}, or a list of at most {n} items, each [{pair}]":
    "{item}, oder eine Liste mit höchstens {n} Einträgen, jeder [{pair}]",
  "a whole number from {n} to {n2}, a whole number from {n3} to {n4}":
    "eine ganze Zahl von {n} bis {n2}, eine ganze Zahl von {n3} bis {n4}",
  "{item}, or [first, last], each {other}": "{item}, oder [erster, letzter], jeder {other}",
  "a string": "ein Text",
  "auto, cpu, cuda, or cuda:N for accelerator N": "auto, cpu, cuda, oder cuda:N für Beschleuniger N",
  "Hex on 5x5 cells, on-policy: a few minutes on two cores. `meeple demo` trains it.":
    "Hex auf 5x5 Feldern, on-policy: wenige Minuten auf zwei Kernen. `meeple demo` trainiert es.",
  "Gomoku on 6x6 cells, four in a row, with the network and constants of AlphaZero_Gomoku (Song 2017).":
    "Gomoku auf 6x6 Feldern, vier in einer Reihe, mit Netz und Konstanten von AlphaZero_Gomoku (Song 2017).",
  "Gomoku on 6x6 cells, four in a row: eight minutes on one core. Its network ships as gomoku6.":
    "Gomoku auf 6x6 Feldern, vier in einer Reihe: acht Minuten auf einem Kern. Das Netz wird als gomoku6 "
    + "mitgeliefert.",
  "Gomoku on 8x8 cells, five in a row: an hour on one core. Its network ships as gomoku8.":
    "Gomoku auf 8x8 Feldern, fünf in einer Reihe: eine Stunde auf einem Kern. Das Netz wird als gomoku8 "
    + "mitgeliefert.",
  ["Hex on 11x11 cells, from the network of hex9. The hex11 that ships learned for {n} minutes on a busy "
    + "core, {n2} episodes."]:
    "Hex auf 11x11 Feldern, mit dem Netz von hex9. Das mitgelieferte hex11 lernte {n} Minuten auf einem "
    + "ausgelasteten Kern, {n2} Episoden.",
  "Hex on 3x3 cells, on-policy: seconds. A first look at a run and its tournament.":
    "Hex auf 3x3 Feldern, on-policy: Sekunden. Ein erster Blick auf einen Lauf und sein Turnier.",
  "Hex on 4x4 cells, on-policy: less than a minute.":
    "Hex auf 4x4 Feldern, on-policy: weniger als eine Minute.",
  "Hex on 5x5 cells, on-policy: ten minutes on one core. Its network then plays well without search.":
    "Hex auf 5x5 Feldern, on-policy: zehn Minuten auf einem Kern. Das Netz spielt dann ohne Suche gut.",
  ["Hex on 7x7 cells, part 2 of 3: {n} episodes in {n2} minutes of a busy core, half of them from a random "
    + "first move. It continues from the last network of hex7. Part 3 is hex7-wide."]:
    "Hex auf 7x7 Feldern, Teil 2 von 3: {n} Episoden in {n2} Minuten auf einem ausgelasteten Kern, die "
    + "Hälfte mit zufälligem ersten Zug. Setzt das letzte Netz von hex7 fort. Teil 3 ist hex7-wide.",
  ["Hex on 7x7 cells, part 3 of 3: a larger network, first from the games of hex7-openings, then from {n} of "
    + "its own, in {n2} and {n3} minutes on a GPU (NVIDIA H100). It ships as hex7 (docs/networks.md)."]:
    "Hex auf 7x7 Feldern, Teil 3 von 3: ein größeres Netz, erst aus den Partien von hex7-openings, dann "
    + "aus {n} eigenen, in {n2} und {n3} Minuten auf einer GPU (NVIDIA H100). Es wird als hex7 mitgeliefert "
    + "(docs/networks.md).",
  "Hex on 7x7 cells, AlphaZero, part 1 of 3: half an hour on one core. Part 2 is hex7-openings.":
    "Hex auf 7x7 Feldern, AlphaZero, Teil 1 von 3: eine halbe Stunde auf einem Kern. Teil 2 ist "
    + "hex7-openings.",
  ["Hex on 9x9 cells, from the network of hex7: {n} minutes. The hex9 that ships had {n2} of them on a "
    + "busy core, {n3} episodes."]:
    "Hex auf 9x9 Feldern, mit dem Netz von hex7: {n} Minuten. Das mitgelieferte hex9 hatte {n2} davon auf "
    + "einem ausgelasteten Kern, {n3} Episoden.",
  "Ledge on 8 cells, a win for the first player, on-policy: a quarter of a minute.":
    "Ledge auf 8 Feldern, ein Gewinn für den ersten Spieler, on-policy: eine Viertelminute.",
  "Nim with 15 stones, at most 3 a move, on-policy: perfect play after seconds.":
    "Nim mit 15 Steinen, höchstens 3 pro Zug, on-policy: perfektes Spiel nach Sekunden.",
  "Reversi on 6x6 cells, AlphaZero: a quarter of an hour on one core. Its network ships as reversi6.":
    "Reversi auf 6x6 Feldern, AlphaZero: eine Viertelstunde auf einem Kern. Das Netz wird als reversi6 "
    + "mitgeliefert.",
  "Reversi on 8x8 cells, part 1 of 2: {n} minutes on one core. reversi8 begins with its network.":
    "Reversi auf 8x8 Feldern, Teil 1 von 3: {n} Minuten auf einem Kern. reversi8 beginnt mit diesem Netz.",
  ["Reversi on 8x8 cells, part 2 of 2: {n} minutes on one core, from the last network of reversi8-first. "
    + "Its network ships as reversi8."]:
    "Reversi auf 8x8 Feldern, Teil 2 von 2: {n} Minuten auf einem Kern, mit dem letzten Netz von "
    + "reversi8-first. Das Netz wird als reversi8 mitgeliefert.",
  "Tic-tac-toe, AlphaZero: half a minute on one core. Its network ships as tictactoe.":
    "Tic-Tac-Toe, AlphaZero: eine halbe Minute auf einem Kern. Das Netz wird als tictactoe mitgeliefert.",
  ["{name}: network.critic must be true with search.mode = \"alphazero\", and with selfplay.sigma "
    + "below 1"]:
    "{name}: network.critic muss wahr sein, wenn search.mode = \"alphazero\" oder selfplay.sigma "
    + "kleiner als 1 ist",
  "{name}: training.momentum must be 0: {field} has no momentum":
    "{name}: training.momentum muss 0 sein: {field} hat kein Momentum",
  "{name}: search.simulations must start at move 0, its move numbers must rise":
    "{name}: search.simulations muss mit Zug 0 beginnen, und die Zugnummern müssen steigen",
  "{name}: search.fast_simulations needs search.mode = \"alphazero\"":
    "{name}: search.fast_simulations verlangt search.mode = \"alphazero\"",
  "{name}: search.fast_simulations and search.seconds exclude each other":
    "{name}: search.fast_simulations und search.seconds schließen einander aus",
  "{name}: search.seconds needs search.root = \"puct\"":
    "{name}: search.seconds verlangt search.root = \"puct\"",
  "{name}: selfplay.format must be auto or float32: an mlp does not support bfloat16":
    "{name}: selfplay.format muss auto oder float32 sein: mlp kann kein bfloat16",
  "{name}: run.networks must be at most {n}: one before the first episode, and one after each":
    "{name}: run.networks darf höchstens {n} sein: eines vor der ersten Episode und eines nach jeder",
  ["{name}: lower training.batch_size, or choose a smaller network: a minibatch would take {n} GB "
    + "of memory; at most {n2} GB are allowed"]:
    "{name}: verringere training.batch_size oder wähle ein kleineres Netz: Ein Minibatch braucht {n} "
    + "GB Speicher; erlaubt sind höchstens {n2} GB",
  ["{name}: lower selfplay.games or search.leaves, or choose a smaller network: a batch of "
    + "positions would take {n} GB of memory; at most {n2} GB are allowed"]:
    "{name}: verringere selfplay.games oder search.leaves oder wähle ein kleineres Netz: Ein Batch "
    + "von Stellungen braucht {n} GB Speicher; erlaubt sind höchstens {n2} GB",
  ["{name}: lower selfplay.games or search.simulations: the trees of a wave would take {n} GB of "
    + "memory; at most {n2} GB are allowed"]:
    "{name}: verringere selfplay.games oder search.simulations: Die Bäume einer Welle brauchen {n} "
    + "GB Speicher; erlaubt sind höchstens {n2} GB",
  "{name}: training.ownership must be 0: {game} does not define owners of cells":
    "{name}: training.ownership muss 0 sein: {game} legt keine Besitzer von Feldern fest",
};
