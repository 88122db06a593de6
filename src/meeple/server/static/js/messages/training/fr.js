// The texts of Training in French, by the ids of `en.js`.

export const messages = {
  "training.title": "Entraînement",
  "training.begin_run": "Lancer un entraînement",
  "training.about":
    "Un réseau apprend un jeu en jouant contre lui-même : une recherche calcule à l’avance depuis chaque "
    + "position, et le réseau apprend à deviner ce qu’elle trouverait. Voici les entraînements du dossier "
    + "du serveur, le dernier modifié en premier.",
  "training.run": "Entraînement",
  "training.progress": "Avancement",
  "training.gain": "Gain par l’entraînement",
  "training.changed": "Modifié",
  "training.none":
    "Il n’y a pas encore d’entraînement ici. Le Nim s’apprend parfaitement en quelques secondes, le Hex "
    + "sur un petit plateau en une minute : {begin}, ou entraînez dans un terminal avec {command}.",
  "training.begin_one": "lancez-en un",
  "training.on": "sur {place}",
  "training.of_units": "{done} sur {all}",
  "training.not_rated": "pas encore classé",
  "training.all_runs": "Tous les entraînements",
  "training.state_running": "apprend",
  "training.state_stopping": "s’arrête",
  "training.state_elsewhere": "apprend, lancé ailleurs",
  "training.state_finished": "terminé",
  "training.state_stopped": "arrêté",
  "training.state_failed": "échoué",
  "training.being_rated": "{state}, classement en cours",
  "training.unit_episode": { "one": "{count} épisode", "other": "{count} épisodes" },
  "training.unit_round": { "one": "{count} cycle", "other": "{count} cycles" },
  "training.units_episode": "épisodes",
  "training.units_round": "cycles",
  "training.gain_words": "{rating} Elo ({low} à {high})",
  "training.stop_now": "Arrêter tout de suite",
  "training.stop_rating": "Arrêter le classement",
  "training.go_on": "Reprendre",
  "training.play": "Jouer contre lui",
  "training.opponents": "Contre des adversaires fixes",
  "training.advice": "Que changer",
  "training.output": "Les derniers messages de l’entraînement",
  "training.learning_time": "{time} d’apprentissage",
  "training.saving": "fin des parties en cours et sauvegarde",
  "training.left": "encore {time} environ",
  "training.preparing": "préparation",
  "training.kept": { "one": "{count} réseau conservé", "other": "{count} réseaux conservés" },
  "training.kept_of": "{kept} réseaux conservés sur {all}",
  "training.configuration": "La configuration",
  "training.rating": "Classement",
  "training.after": "après {count} {gain}",
  "training.axis": "{units} d’entraînement",
  "training.elo": "Classements Elo avec intervalles à 95 %",
  "training.rating_now": "Tournoi en cours…",
  "training.rate_again": "Refaire le classement",
  "training.rate": "Classer ses réseaux",
  "training.ratings": "Classement des réseaux conservés",
  "training.ratings_about":
    "Chaque réseau, du premier au plus récent, joue contre chaque autre sans recherche. Si l’apprentissage "
    + "fonctionne, les classements montent.",
  "training.tournament":
    "{games} parties, {pair} par paire, dont {distinct} différentes. Elo : 0 est la moyenne de ces "
    + "réseaux, et 400 points de plus signifient 10 chances contre 1. Les barres sont des intervalles à "
    + "95 %.",
  "training.one_network": "Il n’y a qu’un réseau pour l’instant ; le suivant sera conservé plus tard.",
  "training.unrated": "Pas encore classés.",
  "training.rise": "Les classements montent avec l’entraînement : du premier au dernier réseau, {gain}.",
  "training.fall": "Les classements baissent avec l’entraînement : du premier au dernier réseau, {gain}.",
  "training.unclear":
    "Il n’est pas démontré que les classements montent : du premier au dernier réseau, {gain}.",
  "training.newer": {
    "one": "{n} réseau plus récent n’est pas encore classé.",
    "other": "{n} réseaux plus récents ne sont pas encore classés.",
  },
  "training.each": "Chacun contre chacun",
  "training.each_about":
    "Sur les points entre deux réseaux, le pourcentage que celui de la ligne a gagné contre celui de la "
    + "colonne.",
  "training.each_label": "Résultat de chaque réseau contre chaque autre",
  "training.pair": "{one} contre {other} : {share} %",
  "training.sample": "Exemples de parties",
  "training.sample_about":
    "Ce que l’entraînement joue contre lui-même. Les premiers coups d’un épisode peuvent être tirés au "
    + "sort, pour qu’il voie beaucoup de positions.",
  "training.sample_board": "Plateau d’une partie contre lui-même",
  "training.no_game": "Il n’a encore joué aucune partie.",
  "training.first_games": "Les premières parties sont en cours.",
  "training.no_episode": "Cet épisode n’existe pas encore.",
  "training.episode": "Épisode",
  "training.at": "Épisode {episode}, coup {ply} sur {plies}",
  "training.show": "Afficher",
  "training.earlier": "Précédent",
  "training.later": "Suivant",
  "training.newest": "Dernier",
  "training.of": "sur {all}",
  "training.follow": "continuer avec la dernière partie",
  "training.group_losses": "Pertes : ce que l’entraînement réduit",
  "training.group_alone": "Le réseau seul contre des adversaires fixes",
  "training.group_search": "Avec un peu de recherche contre eux",
  "training.group_seats": "Depuis chaque place, dans ses matchs sans recherche",
  "training.group_habits": "Sa façon de jouer, par partie",
  "training.group_games": "Les parties contre lui-même",
  "training.group_training": "Le déroulement de l’entraînement",
  "training.group_gate": "Les parties qui décident si un nouveau réseau joue",
  "training.group_speed": "Vitesse",
  "training.group_others": "Autres chiffres",
  "training.nats": "nats",
  "training.share": "part de la victoire",
  "training.on_now": "Sur {place}",
  "training.on_last": "Dernièrement sur {place}",
  "training.wrong": "Ce qui ne va pas sur la grappe",
  "training.account": "Ce que sont devenues ses parties",
  "training.nodes": "Nœuds",
  "training.node": "Nœud",
  "training.alive": "actif",
  "training.dead": "mort",
  "training.processors": "Processeurs",
  "training.accelerators": "Accélérateurs",
  "training.address": "Adresse",
  "training.actors": "Acteurs",
  "training.actor": "Acteur",
  "training.rate_games": "Parties/s",
  "training.network_of_episode": "Réseau de l’épisode",
  "training.network_of_round": "Réseau du cycle",
  "training.restarts": "Redémarrages",
  "training.more": "et {count} de plus",
  "training.waits": "attend {what}",
  "training.works": "au travail",
  "training.nothing_said": "Aucun message pour l’instant.",
  "training.logs": "Journaux",
  "training.log_of": "Journal de",
  "training.log": "Les dernières lignes du journal",
  "training.no_configs":
    "Ce serveur n’a pas de configuration prête ; les entraînements lancés dans un terminal avec {command} "
    + "apparaissent ici.",
  "training.what": "Quoi apprendre, et comment",
  "training.name": "Nom de l’entraînement",
  "training.name_help": "Celui de son dossier : lettres minuscules, chiffres, - _ . et aucun espace.",
  "training.wanted": "Les plus utiles",
  "training.all_settings": "Tous les réglages",
  "training.settings_about": "Tels que dans la configuration ; vos changements sont vérifiés avant le début.",
  "training.begin": "Commencer",
  "training.start_help":
    "Commencer avec les poids d’un autre réseau de ce jeu, même d’une autre taille de plateau : un réseau "
    + "fourni, ou le dernier d’un entraînement.",
  "training.teacher_help":
    "Apprendre d’abord de parties que jouent des poids de motifs : ceux d’un entraînement, ou fournis.",
  "training.or_nothing": "{allowed}, ou rien",
};

// Texts of the server.
export const server = {
  "Loss": "Perte",
  ["The weighted sum of the losses below, which training minimises. It does not reach 0, because the "
    + "targets are uncertain, and may rise when the games change."]:
    "La somme pondérée des pertes ci-dessous, que l’entraînement minimise. Elle n’atteint pas 0, car les "
    + "cibles sont incertaines, et peut monter quand les parties changent.",
  "Policy's loss": "Perte de la politique",
  ["Cross-entropy in nats between the network's probabilities of moves and those of the search, or the "
    + "moves of the records (lower is closer)."]:
    "Entropie croisée en nats entre les probabilités de coups du réseau et celles de la recherche, ou les "
    + "coups des parties enregistrées (plus bas est plus proche).",
  "Critic's loss": "Perte du critique",
  ["Cross-entropy in nats between its chances of winning and the games' results; always predicting one "
    + "half gives 0.69 in a game for two."]:
    "Entropie croisée en nats entre ses chances de gain et les résultats des parties ; toujours prédire un "
    + "demi donne 0,69 dans un jeu à deux.",
  "Owners' loss": "Perte des propriétaires",
  "Cross-entropy in nats of its prediction of each cell's owner at the end, a mean over cells.":
    "Entropie croisée en nats de sa prédiction du propriétaire final de chaque case, en moyenne sur les "
    + "cases.",
  "Policy's loss, games not seen before": "Perte de la politique, parties nouvelles",
  "The same for the games of a wave, before the network learns from them.":
    "La même chose pour les parties d’une vague, avant que le réseau en apprenne.",
  "Critic's loss, games not seen before": "Perte du critique, parties nouvelles",
  "The same for games it has not learned from. If this rises while the critic's loss falls, it overfits.":
    "La même chose pour des parties dont il n’a pas appris. Si elle monte tandis que la perte du critique "
    + "baisse, il surapprend.",
  "Owners' loss, games not seen before": "Perte des propriétaires, parties nouvelles",
  "The same for games it has not learned from.": "La même chose pour des parties dont il n’a pas appris.",
  "Chances, labels not seen before": "Chances, étiquettes nouvelles",
  ["Cross-entropy in nats between the network's chances of each seat and labels that it has not learned "
    + "from; includes the variance of playouts."]:
    "Entropie croisée en nats entre les chances de chaque place selon le réseau et des étiquettes dont il "
    + "n’a pas appris ; la variance des simulations y est incluse.",
  "Gain by choosing": "Gain par le choix",
  ["The value of the sibling that the network prefers minus the mean of its siblings, by labels that it "
    + "has not learned from, as a share of the win: above 0, the network is better than random choice."]:
    "La valeur du coup frère que le réseau préfère moins la moyenne de ses frères, d’après des étiquettes "
    + "dont il n’a pas appris, en part de la victoire : au-dessus de 0, le réseau fait mieux que le hasard.",
  "Siblings told apart": "Frères distingués",
  "Squared error of the differences between siblings, for labels that it has not learned from.":
    "Erreur quadratique des différences entre frères, pour des étiquettes dont il n’a pas appris.",
  "A new network among quick players": "Un nouveau réseau parmi des joueurs rapides",
  "Its share of the games that decide whether it is accepted.":
    "Sa part des parties qui décident s’il est accepté.",
  "A new network among those that play now": "Un nouveau réseau parmi ceux qui jouent maintenant",
  "The same with the network that played before in all other seats.":
    "La même chose avec l’ancien réseau à toutes les autres places.",
  "Accepted": "Accepté",
  "1 if the new network plays from then on, 0 if it does not.":
    "1 si le nouveau réseau joue dès lors, 0 sinon.",
  "First player's share": "Part du premier joueur",
  ["Of the points in self-play. Half means an even game; many games favour the first player the more, the "
    + "better both play."]:
    "Des points des parties contre lui-même. La moitié : un jeu équilibré ; beaucoup de jeux avantagent "
    + "d’autant plus le premier joueur que les deux jouent bien.",
  "Length of an episode": "Longueur d’un épisode",
  "Moves of a game that were searched, on average.": "Coups recherchés d’une partie, en moyenne.",
  "Drawn games": "Parties nulles",
  "Share of the games of self-play that end equal for all.":
    "Part des parties contre lui-même qui finissent à égalité.",
  "Games played before": "Parties déjà jouées",
  ["Share of the games that equal one of the last 200. If it is high, there is little new to learn: raise "
    + "the temperature of the moves."]:
    "Part des parties identiques à l’une des 200 dernières. Si elle est élevée, il y a peu à apprendre : "
    + "augmentez la température des coups.",
  "Policy's loss, games held out": "Perte de la politique, parties réservées",
  ["Cross-entropy in nats between its probabilities of moves and the moves of people in games that it "
    + "never learns from, after each epoch."]:
    "Entropie croisée en nats entre ses probabilités de coups et les coups humains de parties dont il "
    + "n’apprend jamais, après chaque époque.",
  "Critic's loss, games held out": "Perte du critique, parties réservées",
  ["Cross-entropy in nats between its chances of winning and the results of games that it never learns "
    + "from, after each epoch."]:
    "Entropie croisée en nats entre ses chances de gain et les résultats de parties dont il n’apprend "
    + "jamais, après chaque époque.",
  "Moves predicted": "Coups prédits",
  "Share of positions in games held out in which its best legal move was played.":
    "Part des positions des parties réservées où son meilleur coup légal a été joué.",
  "Error of the chances": "Erreur des chances",
  ["Mean squared error of the mover's share of the win in games held out; always predicting one half gives "
    + "0.25."]:
    "Erreur quadratique moyenne de la part de victoire du joueur au trait dans les parties réservées ; "
    + "toujours prédire un demi donne 0,25.",
  "Agreement with the search": "Accord avec la recherche",
  "Share of positions in new games where the best actions of policy and search are equal.":
    "Part des positions de nouvelles parties où la politique et la recherche ont le même meilleur coup.",
  "Results explained by the critic": "Résultats expliqués par le critique",
  "Share of explained variance in new games: 1 is perfect, 0 is no better than the mean.":
    "Part de variance expliquée dans de nouvelles parties : 1 est parfait, 0 ne vaut pas mieux que la "
    + "moyenne.",
  "Spread of the policy": "Dispersion de la politique",
  "Its entropy in nats: 0 if it puts all probability on one action.":
    "Son entropie en nats : 0 si toute la probabilité porte sur un coup.",
  "Spread of the search": "Dispersion de la recherche",
  "The entropy of the search's policy; the policy's loss cannot fall below it.":
    "L’entropie de la politique de la recherche ; la perte de la politique ne peut pas descendre en dessous.",
  "Gradient": "Gradient",
  "The norm of the gradient of a minibatch. Growing peaks mean unstable training: lower the learning rate.":
    "La norme du gradient d’un mini-lot. Des pics croissants signifient un entraînement instable : baissez "
    + "le taux d’apprentissage.",
  "Positions in the replay buffer": "Positions dans la mémoire de rejeu",
  "Minibatches are drawn from it; it grows to its capacity.":
    "Les mini-lots en sont tirés ; elle croît jusqu’à sa capacité.",
  "Simulations a second": "Simulations par seconde",
  "Of the searches of all games together.": "Des recherches de toutes les parties ensemble.",
  "Evaluations a second": "Évaluations par seconde",
  "Positions that the network evaluated.": "Positions que le réseau a évaluées.",
  "The network's share of the time": "Part du temps du réseau",
  "Of self-play; the rest is the search itself.":
    "Des parties contre lui-même ; le reste est la recherche elle-même.",
  "Self-play, seconds": "Parties contre lui-même, secondes",
  "Time to play a wave of episodes.": "Temps pour jouer une vague d’épisodes.",
  "Learning, seconds": "Apprentissage, secondes",
  "Time for the minibatches after a wave, or of a round.":
    "Temps des mini-lots après une vague, ou d’un cycle.",
  "Labels": "Étiquettes",
  "Labels that a round's network is trained on, older rounds included.":
    "Étiquettes dont le réseau d’un cycle apprend, cycles plus anciens compris.",
  "Labelling, seconds": "Étiquetage, secondes",
  "Time for the playouts of a round.": "Temps des simulations d’un cycle.",
  "Gate, seconds": "Sélection, secondes",
  "Time for the games that decide whether a network is accepted.":
    "Temps des parties qui décident si un réseau est accepté.",
  "Training threads": "Fils d’entraînement",
  "The faster number by measurement, unless one is set.":
    "Le nombre mesuré le plus rapide, sauf s’il est fixé.",
  "Seat {n}": "Place {n}",
  "Its share of the points where it plays from this seat.": "Sa part des points quand il joue à cette place.",
  "How often it does this in a game, on average over matches.":
    "Combien de fois il le fait par partie, en moyenne sur les matchs.",
  "Longest road": "Route la plus longue",
  "Largest army": "Armée la plus puissante",
  "Cards discarded": "Cartes défaussées",
  "Robber moved while another leads": "Voleur déplacé alors qu’un autre mène",
  "Robber kept off all who lead": "Voleur tenu loin de tous ceux qui mènent",
  "Development cards bought": "Cartes développement achetées",
  "Trades with the bank": "Échanges avec la banque",
  "Offers": "Offres",
  "Trades with players": "Échanges avec des joueurs",
  "The network alone wins {list}; even is {n} %.": "Le réseau seul gagne {list} ; l’égalité est à {n} %.",
  "The network alone wins {list}.": "Le réseau seul gagne {list}.",
  "With search it wins {list}; even is {n} %.": "Avec recherche, il gagne {list} ; l’égalité est à {n} %.",
  "With search it wins {list}.": "Avec recherche, il gagne {list}.",
  "{result}), {rest}": "{result}), {rest}",
  "{n} % of {n2} games against {agent} ({n3} to {n4}, rising)":
    "{n} % de {n2} parties contre {agent} ({n3} à {n4}, en hausse)",
  "{n} % of {n2} games against {agent} ({n3} to {n4}, falling)":
    "{n} % de {n2} parties contre {agent} ({n3} à {n4}, en baisse)",
  "{n} % of {n2} games against {agent} ({n3} to {n4})": "{n} % de {n2} parties contre {agent} ({n3} à {n4})",
  "{n} % of {n2} games against {agent} ({n3} to {n4}, rising":
    "{n} % de {n2} parties contre {agent} ({n3} à {n4}, en hausse",
  "{n} % of {n2} games against {agent} ({n3} to {n4}, falling":
    "{n} % de {n2} parties contre {agent} ({n3} à {n4}, en baisse",
  "{n} % of {n2} games against {agent} ({n3} to {n4}": "{n} % de {n2} parties contre {agent} ({n3} à {n4}",
  "{name} was asked to stop and has not ended yet: a search may take long. Asked again, it stops at once":
    "{name} doit s’arrêter et n’a pas encore fini : une recherche peut durer. À une seconde demande, il "
    + "s’arrête tout de suite",
  "{name} was stopped after its time, so that others can train: resume it when none does":
    "{name} a été arrêté après son temps, pour que d’autres puissent entraîner : reprenez-le quand "
    + "personne ne le fait",
  "{name} was stopped, for the folder of runs is full: delete runs there, and resume it":
    "{name} a été arrêté, car le dossier des entraînements est plein : supprimez-en, puis reprenez-le",
  "{name} was stopped, for it took more memory than a run may: begin a smaller one":
    "{name} a été arrêté, car il prenait plus de mémoire que permis : lancez-en un plus petit",
  "{name} ended by an error; what was saved before is whole. Its last words:":
    "{name} s’est terminé par une erreur ; ce qui était sauvegardé est intact. Ses derniers messages :",
  "{name} could not be rated. The last words:": "{name} n’a pas pu être classé. Les derniers messages :",
  "After {time} the network {finding}. {advice}": "Après {time}, le réseau {finding}. {advice}",
  "{n} episodes": "{n} épisodes",
  "{n} rounds": "{n} cycles",
  "is worse than chance: {result}; even is {n} %":
    "est plus faible que le hasard : {result} ; l’égalité est à {n} %",
  "is worse than chance: {result}": "est plus faible que le hasard : {result}",
  "is not shown to be better than chance: {result}; even is {n} %":
    "n’est pas démontré meilleur que le hasard : {result} ; l’égalité est à {n} %",
  "is not shown to be better than chance: {result}": "n’est pas démontré meilleur que le hasard : {result}",
  "may or may not be better than chance, which so few games cannot show: {result}":
    "est peut-être meilleur que le hasard, ce que si peu de parties ne peuvent montrer : {result}",
  "is weaker than the one it began with: {result}": "est plus faible que celui du début : {result}",
  "is not shown to be stronger than the one it began with: {result}":
    "n’est pas démontré plus fort que celui du début : {result}",
  ["won less than an even share against the one it began with, in too few games to show that it is weaker: "
    + "{result}"]:
    "a gagné moins que sa part contre celui du début, en trop peu de parties pour montrer qu’il est plus "
    + "faible : {result}",
  "Run `{command}`, then {advice}": "Lancez `{command}`, puis {advice}",
  "train longer ({field}) or {more}.": "entraînez plus longtemps ({field}) ou {more}.",
  "raise search.simulations": "augmentez search.simulations",
  "raise training.games": "augmentez training.games",
  "raise labels.games": "augmentez labels.games",
  "Raise matches.games to {n}.": "Augmentez matches.games à {n}.",
  "Lower training.learning_rate, or raise search.simulations.":
    "Baissez training.learning_rate, ou augmentez search.simulations.",
  ["Give matches more time, which is about a tenth of that from one round to the next: matches.minutes = "
    + "{n}."]:
    "Donnez plus de temps aux matchs, environ un dixième du temps d’un cycle au suivant : matches.minutes "
    + "= {n}.",
  ["The policy's loss has not moved for {n} episodes, and its best action is the search's in {n2} % of "
    + "positions: the network may not see what matters. See whether `observe` shows all that a choice "
    + "depends on; then try a higher training.learning_rate, more training.batches, or a larger network."]:
    "La perte de la politique n’a pas bougé depuis {n} épisodes, et son meilleur coup est celui de la "
    + "recherche dans {n2} % des positions : le réseau ne voit peut-être pas ce qui compte. Vérifiez que "
    + "`observe` montre tout ce dont dépend un choix ; essayez ensuite un training.learning_rate plus "
    + "haut, plus de training.batches ou un réseau plus grand.",
  ["The critic's loss rises on games it has not seen ({n} to {n2}), while it is {n3} on those it learns "
    + "from: overfitting. Learn less from each game (training.batches), remember more of them "
    + "(replay.capacity), or set training.weight_decay."]:
    "La perte du critique monte sur de nouvelles parties ({n} à {n2}), alors qu’elle est de {n3} sur "
    + "celles dont il apprend : surapprentissage. Apprenez moins de chaque partie (training.batches), "
    + "gardez-en plus (replay.capacity), ou réglez training.weight_decay.",
  "Every game is drawn. {advice}": "Toutes les parties sont nulles. {advice}",
  "{n} % of games are drawn. {advice}": "{n} % des parties sont nulles. {advice}",
  ["See by `{command}` whether games can be won; more search.simulations or selfplay.random_plies may find "
    + "a win."]:
    "Vérifiez avec `{command}` si des parties peuvent être gagnées ; plus de search.simulations ou de "
    + "selfplay.random_plies trouvera peut-être un gain.",
  ["Self-play repeats itself: {n} % equal games. Raise selfplay.temperature, selfplay.random_plies or "
    + "search.noise_fraction."]:
    "Les parties se répètent : {n} % de parties identiques. Augmentez selfplay.temperature, "
    + "selfplay.random_plies ou search.noise_fraction.",
  ["The first player wins nearly every game ({n} % of the points), so that there is little to learn from "
    + "results. {advice}"]:
    "Le premier joueur gagne presque toutes les parties ({n} % des points), si bien qu’il y a peu à "
    + "apprendre des résultats. {advice}",
  ["The first player loses nearly every game ({n} % of the points), so that there is little to learn from "
    + "results. {advice}"]:
    "Le premier joueur perd presque toutes les parties ({n} % des points), si bien qu’il y a peu à "
    + "apprendre des résultats. {advice}",
  "Begin episodes with selfplay.random_plies, or learn a larger board.":
    "Commencez les épisodes avec selfplay.random_plies, ou apprenez un plateau plus grand.",
  ["The critic predicts nothing: it is no better than a constant prediction. See whether `observe` shows "
    + "who is ahead; learn longer ({field}), or lower training.learning_rate."]:
    "Le critique ne prédit rien : il ne vaut pas mieux qu’une prédiction constante. Vérifiez que `observe` "
    + "montre qui mène ; apprenez plus longtemps ({field}), ou baissez training.learning_rate.",
  "One wave: {n} s learning, {n2} s playing. {advice}":
    "Une vague : {n} s d’apprentissage, {n2} s de jeu. {advice}",
  "Fewer training.batches, or a smaller network.": "Moins de training.batches, ou un réseau plus petit.",
  "Use fewer threads (training.threads = 1), fewer training.batches, or a smaller network.":
    "Moins de fils (training.threads = 1), moins de training.batches, ou un réseau plus petit.",
  "{nodes} · {actors} · {n} games/s · {waiting}": "{nodes} · {actors} · {n} parties/s · {waiting}",
  "{nodes} · {actors} · {n} games/s": "{nodes} · {actors} · {n} parties/s",
  "{things} ({n} dead)": "{things} (dont {n} morts)",
  "{n} nodes": "{n} nœuds",
  "1 node": "1 nœud",
  "{n} actors": "{n} acteurs",
  "1 actor": "1 acteur",
  "{n} games begun: {n2} finished, {n3} lost with {deaths}, {n4} given up, {n5} in flight":
    "{n} parties commencées : {n2} terminées, {n3} perdues avec {deaths}, {n4} abandonnées, {n5} en cours",
  "{n} actors that died": "{n} acteurs morts",
  "1 actor that died": "1 acteur mort",
  "{n} stored, {n2} learned from": "{n} stockées, {n2} apprises",
  "the counts do not add up: {n} games are unaccounted for":
    "les comptes ne tombent pas juste : il manque {n} parties",
  "the trainer ended unexpectedly; this is its last report":
    "l’entraînement s’est terminé de façon inattendue ; voici son dernier rapport",
  "the trainer has reported nothing for {time}": "l’entraînement ne donne plus de nouvelles depuis {time}",
  "the node {name} is dead": "le nœud {name} est mort",
  "the actor {name} is dead": "l’acteur {name} est mort",
  "the nodes {names} and {last} are dead": "les nœuds {names} et {last} sont morts",
  "the actors {names} and {last} are dead": "les acteurs {names} et {last} sont morts",
  "run": "entraînement",
  "game": "jeu",
  "network": "réseau",
  "search": "recherche",
  "selfplay": "parties contre lui-même",
  "replay": "mémoire de rejeu",
  "training": "entraînement",
  "matches": "matchs",
  "topp": "tournoi des réseaux",
  "seed": "graine",
  "episodes": "épisodes",
  "networks": "réseaux",
  "start": "point de départ",
  "teacher": "maître",
  "minutes": "minutes",
  "network minutes": "minutes par réseau",
  "name": "nom",
  "kind": "type",
  "hidden": "couches cachées",
  "channels": "canaux",
  "blocks": "blocs",
  "activation": "activation",
  "critic": "critique",
  "mode": "méthode",
  "simulations": "simulations",
  "seconds": "secondes",
  "root": "racine",
  "considered": "coups considérés",
  "value scale": "poids des valeurs",
  "rule": "règle de choix",
  "fast simulations": "simulations des coups rapides",
  "full share": "part des coups complets",
  "c": "c",
  "leaves": "feuilles",
  "solve": "prouver",
  "noise alpha": "alpha du bruit",
  "noise fraction": "part du bruit",
  "games": "parties",
  "workers": "fils",
  "epsilon": "epsilon",
  "sigma": "sigma",
  "temperature": "température",
  "temperature plies": "coups avec température",
  "random plies": "coups au hasard",
  "exact": "solution exacte",
  "format": "format des nombres",
  "device": "appareil",
  "capacity": "capacité",
  "memory": "mémoire",
  "optimizer": "optimiseur",
  "learning rate": "taux d’apprentissage",
  "weight decay": "décroissance des poids",
  "momentum": "inertie",
  "batch size": "taille des mini-lots",
  "batches": "mini-lots",
  "value weight": "poids du critique",
  "ownership": "propriétaires",
  "search value": "valeur de la recherche",
  "discount": "décote",
  "surprise": "surprise",
  "max gradient norm": "norme maximale du gradient",
  "symmetries": "symétries",
  "threads": "fils",
  "opponents": "adversaires",
  "policy": "choix",
  "Length of the run, its random seed, and the networks that it saves.":
    "Durée de l’entraînement, sa graine aléatoire et les réseaux qu’il conserve.",
  "The game to learn.": "Le jeu à apprendre.",
  "Architecture of the network.": "Architecture du réseau.",
  "The tree search that chooses the moves of self-play.":
    "La recherche arborescente qui choisit les coups des parties contre lui-même.",
  "How episodes of self-play are played.": "Comment les épisodes sont joués.",
  "The replay buffer, from which minibatches are drawn.":
    "La mémoire de rejeu, d’où les mini-lots sont tirés.",
  "How the network is trained on minibatches of positions.":
    "Comment le réseau est entraîné sur des mini-lots de positions.",
  ["Matches against fixed opponents during training, which measure progress. They do not affect what is "
    + "learned."]:
    "Matchs contre des adversaires fixes pendant l’entraînement, qui mesurent les progrès. Ils "
    + "n’influencent pas ce qui est appris.",
  "Tournament of progressive policies between the saved networks of a run, `meeple topp`.":
    "Tournoi entre les réseaux conservés d’un entraînement, `meeple topp`.",
  "Seed of all random numbers of the run: equal seeds give equal runs on one machine.":
    "Graine de tous les nombres aléatoires : des graines égales donnent des entraînements égaux sur une "
    + "même machine.",
  "Number of games of self-play. In a run on game records, `records.epochs` sets it.":
    "Nombre de parties contre lui-même. Pour un entraînement sur des parties enregistrées, "
    + "`records.epochs` le fixe.",
  ["Number of networks to save: the untrained one first, the final one last, the others at equal intervals "
    + "of `episodes`, or of `minutes` if that limit is reached sooner."]:
    "Nombre de réseaux à conserver : d’abord le non entraîné, enfin le dernier, les autres à intervalles "
    + "égaux de `episodes`, ou de `minutes` si cette limite est atteinte plus tôt.",
  ["Network to start from, instead of random weights: a file, the folder of a run, or the name of a "
    + "shipped network. It must be of the same game; its board may have another size."]:
    "Réseau de départ au lieu de poids aléatoires : un fichier, le dossier d’un entraînement, ou le nom "
    + "d’un réseau fourni. Il doit être du même jeu ; son plateau peut avoir une autre taille.",
  ["Weights of patterns whose games the network learns from first: a file, the folder of a run of mode "
    + "patterns, or the name of a shipped file. `teaching.episodes` says how many games."]:
    "Poids de motifs dont le réseau apprend d’abord les parties : un fichier, le dossier d’un entraînement "
    + "de mode patterns, ou le nom d’un fichier fourni. `teaching.episodes` dit combien de parties.",
  "Limit of the training time in minutes, in addition to `episodes`.":
    "Limite du temps d’entraînement en minutes, en plus de `episodes`.",
  "Also save a network each time this many minutes of training have passed.":
    "Conserver aussi un réseau chaque fois que ce nombre de minutes d’entraînement s’est écoulé.",
  "Name of the game, as listed by `meeple games`.": "Nom du jeu, tel que `meeple games` le donne.",
  ["mlp: dense layers on the flattened observation. conv: a residual tower, for games with a board. "
    + "classic: 3x3 convolutions in sequence, as in AlphaZero_Gomoku."]:
    "mlp : couches denses sur l’observation aplatie. conv : une tour résiduelle, pour les jeux à plateau. "
    + "classic : des convolutions 3x3 en séquence, comme dans AlphaZero_Gomoku.",
  "mlp: width of each hidden layer. classic: channels of each convolution.":
    "mlp : largeur de chaque couche cachée. classic : canaux de chaque convolution.",
  "conv: number of channels.": "conv : nombre de canaux.",
  "conv: number of residual blocks.": "conv : nombre de blocs résiduels.",
  "Activation function between the layers.": "Fonction d’activation entre les couches.",
  ["Whether the network has a value head, which predicts each player's share of the win. The mode "
    + "alphazero needs it, and so does a `sigma` below 1."]:
    "Si le réseau a une tête de valeur, qui prédit la part de victoire de chaque joueur. La méthode "
    + "alphazero en a besoin, de même qu’un `sigma` inférieur à 1.",
  ["on-policy: UCT; each leaf is evaluated by a rollout that the network's policy plays, or by its value "
    + "head, see `sigma`. alphazero: PUCT with the network's policy as priors and its value head at the "
    + "leaves."]:
    "on-policy : UCT ; chaque feuille est évaluée par une simulation que joue la politique du réseau, ou "
    + "par sa tête de valeur, voir `sigma`. alphazero : PUCT avec la politique du réseau comme a priori "
    + "et sa tête de valeur aux feuilles.",
  ["Simulations per move. [[0, 400], [10, 100]]: 400 from move 0 of an episode, 100 from its move 10. "
    + "Those in the subtree that is reused from the previous move are not counted."]:
    "Simulations par coup. [[0, 400], [10, 100]] : 400 dès le coup 0 d’un épisode, 100 dès son coup 10. "
    + "Celles du sous-arbre repris du coup précédent ne comptent pas.",
  ["Search time per move in seconds, shared by all games of a wave, instead of `simulations`. The result "
    + "of the run then depends on the speed of the machine."]:
    "Temps de recherche par coup en secondes, partagé par toutes les parties d’une vague, au lieu de "
    + "`simulations`. Le résultat dépend alors de la vitesse de la machine.",
  ["alphazero: how simulations are distributed at the root. gumbel: by sequential halving among actions "
    + "that are sampled from the policy, useful from 16 simulations. puct: by the PUCT formula with "
    + "Dirichlet noise."]:
    "alphazero : répartition des simulations à la racine. gumbel : par moitiés successives parmi des coups "
    + "tirés de la politique, utile dès 16 simulations. puct : par la formule PUCT avec un bruit de "
    + "Dirichlet.",
  "gumbel: number of actions that sequential halving starts with, at most about the number of simulations.":
    "gumbel : nombre de coups au départ des moitiés successives, au plus environ le nombre de simulations.",
  ["gumbel: weight of the action values against the policy's logits, both in the choice of a move and in "
    + "the policy target."]:
    "gumbel : poids des valeurs des coups face aux logits de la politique, dans le choix d’un coup et dans "
    + "la cible de la politique.",
  ["alphazero: how actions are selected below the root. improved: visits in proportion to the improved "
    + "policy."]:
    "alphazero : choix des coups sous la racine. improved : visites en proportion de la politique améliorée.",
  ["alphazero: simulations of a fast move, which is played but not trained on. Not set: there are no fast "
    + "moves."]:
    "alphazero : simulations d’un coup rapide, joué mais non appris. Vide : pas de coups rapides.",
  "With fast_simulations: share of the moves that get all `simulations` and are trained on.":
    "Avec fast_simulations : part des coups qui reçoivent toutes les `simulations` et dont on apprend.",
  ["Exploration constant of UCT or PUCT for values in [0, 1]. classic: half of the usual constants for "
    + "values in [-1, 1], which are sqrt 2 in UCT and 5 in PUCT."]:
    "Constante d’exploration d’UCT ou de PUCT pour des valeurs dans [0, 1]. classic : la moitié des "
    + "constantes usuelles pour des valeurs dans [-1, 1], racine de 2 pour UCT et 5 pour PUCT.",
  ["Leaves of a tree that are evaluated in one call of the network. 1: the exact sequential search; more: "
    + "larger batches, less exact."]:
    "Feuilles d’un arbre évaluées en un appel du réseau. 1 : la recherche séquentielle exacte ; plus : de "
    + "plus grands lots, moins exact.",
  "Back up proven results, and do not train on a move that is proven to lose if another move is not.":
    "Propager les résultats prouvés, et ne pas apprendre d’un coup prouvé perdant si un autre ne l’est pas.",
  "puct: Dirichlet noise at the root has the parameter noise_alpha / number of legal actions.":
    "puct : le bruit de Dirichlet à la racine a pour paramètre noise_alpha / nombre de coups légaux.",
  "puct: weight of the noise in the root's priors.": "puct : poids du bruit dans les a priori de la racine.",
  "Episodes in a wave: they are played in lockstep, and the network is trained after them.":
    "Épisodes d’une vague : ils sont joués de front, et le réseau est entraîné après eux.",
  "Threads that share the episodes of a wave.": "Fils qui se partagent les épisodes d’une vague.",
  ["on-policy: probability of a random action at each move of a rollout. [first, last]: linear over the "
    + "episodes."]:
    "on-policy : probabilité d’un coup au hasard à chaque coup d’une simulation. [premier, dernier] : "
    + "linéaire sur les épisodes.",
  ["on-policy: probability that a leaf is evaluated by a rollout, not by the value head. [first, last]: "
    + "linear over the episodes."]:
    "on-policy : probabilité qu’une feuille soit évaluée par une simulation, non par la tête de valeur. "
    + "[premier, dernier] : linéaire sur les épisodes.",
  ["Moves are sampled in proportion to visits ** (1 / temperature): below 1 greedier, above 1 more random. "
    + "With root = gumbel: factor of the Gumbel noise."]:
    "Les coups sont tirés en proportion de visites ** (1 / température) : sous 1 plus avide, au-dessus "
    + "plus aléatoire. Avec root = gumbel : facteur du bruit de Gumbel.",
  "Number of moves at the start of an episode that are sampled; later ones are the best of the search.":
    "Nombre de coups tirés au début d’un épisode ; les suivants sont les meilleurs de la recherche.",
  "Each episode starts with a random number of random moves, from 0 to this, which are not trained on.":
    "Chaque épisode commence par un nombre aléatoire de coups au hasard, de 0 à cette valeur, dont on "
    + "n’apprend pas.",
  ["Work of the exact solver, as a share of that of the searches: it plays games of two players without "
    + "chance or hidden information to their ends once it proves their results. 0: never."]:
    "Travail du solveur exact, en part de celui des recherches : il joue jusqu’au bout les parties à deux "
    + "joueurs sans hasard ni information cachée dès qu’il en prouve le résultat. 0 : jamais.",
  ["Number format of the network in self-play. auto: the faster one of float32 and bfloat16 on this "
    + "machine. int8: conv on the CPU by OpenVINO, else as auto; observations must be from 0 to 1. "
    + "float16: on accelerators only."]:
    "Format des nombres du réseau en jeu. auto : le plus rapide de float32 et bfloat16 sur cette machine. "
    + "int8 : conv sur le processeur par OpenVINO, sinon comme auto ; les observations doivent "
    + "être de 0 à 1. "
    + "float16 : sur accélérateurs seulement.",
  ["Device of the network in self-play. auto: an accelerator if PyTorch finds one, and always the CPU for "
    + "an mlp. The CPU is used if a device is missing."]:
    "Appareil du réseau en jeu. auto : un accélérateur si PyTorch en trouve un, et toujours le processeur "
    + "pour un mlp. Le processeur est utilisé si un appareil manque.",
  "Maximum number of positions in the buffer; the newest ones stay.":
    "Nombre maximal de positions en mémoire ; les plus récentes restent.",
  ["Maximum size of the buffer in memory, in megabytes. A larger one is stored in a file in the folder for "
    + "temporary files (TMPDIR)."]:
    "Taille maximale de la mémoire de rejeu, en mégaoctets. Une plus grande est stockée dans un fichier du "
    + "dossier temporaire (TMPDIR).",
  "Optimizer of the weights.": "Optimiseur des poids.",
  ["Step size of the optimizer. [first, last]: linear over the episodes, or over the minutes of the run if "
    + "that limit is reached sooner."]:
    "Pas de l’optimiseur. [premier, dernier] : linéaire sur les épisodes, ou sur les minutes si cette "
    + "limite est atteinte plus tôt.",
  "L2 penalty: this times the weights is added to their gradient. Typically 0 to 0.001.":
    "Pénalité L2 : ce multiple des poids est ajouté à leur gradient. Typiquement 0 à 0,001.",
  "Momentum of sgd and rmsprop; the other optimizers need 0.":
    "Inertie de sgd et rmsprop ; les autres optimiseurs exigent 0.",
  "Positions in a minibatch.": "Positions d’un mini-lot.",
  "Minibatches per episode, on average.": "Mini-lots par épisode, en moyenne.",
  "Weight of the value loss; the policy loss has weight 1.":
    "Poids de la perte du critique ; celle de la politique a le poids 1.",
  ["conv: weight of the loss of a third head, which predicts the owner of each cell at the end of the "
    + "game; 0: no such head. Reversi and Hex define owners."]:
    "conv : poids de la perte d’une troisième tête, qui prédit le propriétaire final de chaque case ; 0 : "
    + "pas de telle tête. Le Reversi et le Hex définissent des propriétaires.",
  "Share of the search's value in the value target; the rest is the result of the game.":
    "Part de la valeur de la recherche dans la cible du critique ; le reste est le résultat de la partie.",
  ["Factor per action of a player until the end of the game, by which its result in the value target is "
    + "moved towards equal shares; outcomes of chance do not count; 1: no discount."]:
    "Facteur par action d’un joueur jusqu’à la fin de la partie, qui rapproche son résultat de parts égales "
    + "dans la cible du critique ; les issues du hasard ne comptent pas ; 1 : pas de décote.",
  ["Share of an episode's weight that its positions get in proportion to the KL divergence of the search's "
    + "policy from the network's; 0: all positions weigh the same."]:
    "Part du poids d’un épisode que ses positions reçoivent en proportion de la divergence KL entre la "
    + "politique de la recherche et celle du réseau ; 0 : toutes les positions pèsent autant.",
  "Longer gradients are scaled down to this L2 norm.":
    "Les gradients plus longs sont réduits à cette norme L2.",
  "Transform each position of a minibatch by a random symmetry of the game.":
    "Transformer chaque position d’un mini-lot par une symétrie aléatoire du jeu.",
  ["Threads of the training on the CPU; 0: one, or more if that is measured to be faster. With a number "
    + "above 0, or an mlp, equal seeds give networks that are equal bit for bit."]:
    "Fils de l’entraînement sur le processeur ; 0 : un, ou plus si c’est mesuré plus rapide. Avec un "
    + "nombre supérieur à 0, ou un mlp, des graines égales donnent des réseaux égaux au bit près.",
  "Device of the training; see selfplay.device.": "Appareil de l’entraînement ; voir selfplay.device.",
  ["Number format of the training. bfloat16: mixed precision with weights in float32. fastest: the faster "
    + "one, as measured. auto: the faster one on an accelerator, float32 on the CPU."]:
    "Format des nombres de l’entraînement. bfloat16 : précision mixte avec des poids en float32. "
    + "fastest : le plus rapide, mesuré. auto : le plus rapide sur un accélérateur, float32 sur "
    + "le processeur.",
  ["Minutes of training from one round of matches to the next; 0: no matches. The last round is at the end "
    + "of the run. A round takes about a tenth of the time since the previous one."]:
    "Minutes d’entraînement d’une série de matchs à la suivante ; 0 : pas de matchs. La dernière série est "
    + "à la fin. Une série prend environ un dixième du temps écoulé depuis la précédente.",
  "Maximum number of games against each opponent in a round.":
    "Nombre maximal de parties contre chaque adversaire dans une série.",
  ["Specs of agents, such as uct:sims=1000, or start: the network that the run started from. Empty: "
    + "random, uct:sims=100, start, and greedy if the game has a heuristic."]:
    "Descriptions de programmes, comme uct:sims=1000, ou start : le réseau de départ. Vide : random, "
    + "uct:sims=100, start, et greedy si le jeu a une heuristique.",
  ["The network plays once without search and once with this many simulations per move; 0: only without "
    + "search."]:
    "Le réseau joue une fois sans recherche et une fois avec ce nombre de simulations par coup ; 0 : sans "
    + "recherche seulement.",
  "Games per pair of networks.": "Parties par paire de réseaux.",
  ["How a network chooses. greedy: its most probable action. epsilon: a random action with the probability "
    + "`epsilon`, else greedy. sample: an action drawn from its policy."]:
    "Comment un réseau choisit. greedy : son coup le plus probable. epsilon : un coup au hasard avec la "
    + "probabilité `epsilon`, sinon greedy. sample : un coup tiré de sa politique.",
  "With policy = epsilon: probability of a random action.":
    "Avec policy = epsilon : probabilité d’un coup au hasard.",
  "a whole number from {n} to {n2}": "un nombre entier de {n} à {n2}",
  "a number above {n} up to {n2}": "un nombre supérieur à {n}, jusqu’à {n2}",
  "a number above {n}": "un nombre supérieur à {n}",
  "a number from {n} to below {n2}": "un nombre de {n} à moins de {n2}",
  "a number from {n} to {n2}": "un nombre de {n} à {n2}",
  "a number from {n} to {n2}, or classic": "un nombre de {n} à {n2}, ou classic",
  "a list of at most {n} items, each {item}": "une liste d’au plus {n} éléments, chacun {item}",
  "{item}, or a list of at most {n} items, each [{pair}]":
    "{item}, ou une liste d’au plus {n} éléments, chacun [{pair}]",
  "a whole number from {n} to {n2}, a whole number from {n3} to {n4}":
    "un nombre entier de {n} à {n2}, un nombre entier de {n3} à {n4}",
  "{item}, or [first, last], each {other}": "{item}, ou [premier, dernier], chacun {other}",
  "a string": "un texte",
  "auto, cpu, cuda, or cuda:N for accelerator N": "auto, cpu, cuda, ou cuda:N pour l’accélérateur N",
  "Hex on 5x5 cells, on-policy: a few minutes on two cores. `meeple demo` trains it.":
    "Hex sur 5x5 cases, on-policy : quelques minutes sur deux cœurs. `meeple demo` l’entraîne.",
  "Gomoku on 6x6 cells, four in a row, with the network and constants of AlphaZero_Gomoku (Song 2017).":
    "Gomoku sur 6x6 cases, quatre alignés, avec le réseau et les constantes d’AlphaZero_Gomoku (Song 2017).",
  "Gomoku on 6x6 cells, four in a row: eight minutes on one core. Its network ships as gomoku6.":
    "Gomoku sur 6x6 cases, quatre alignés : huit minutes sur un cœur. Son réseau est fourni sous le nom "
    + "gomoku6.",
  "Gomoku on 8x8 cells, five in a row: an hour on one core. Its network ships as gomoku8.":
    "Gomoku sur 8x8 cases, cinq alignés : une heure sur un cœur. Son réseau est fourni sous le nom gomoku8.",
  ["Hex on 11x11 cells, from the network of hex9. The hex11 that ships learned for {n} minutes on a busy "
    + "core, {n2} episodes."]:
    "Hex sur 11x11 cases, depuis le réseau de hex9. Le hex11 fourni a appris {n} minutes sur un cœur "
    + "occupé, {n2} épisodes.",
  "Hex on 3x3 cells, on-policy: seconds. A first look at a run and its tournament.":
    "Hex sur 3x3 cases, on-policy : quelques secondes. Un premier aperçu d’un entraînement et de son "
    + "tournoi.",
  "Hex on 4x4 cells, on-policy: less than a minute.": "Hex sur 4x4 cases, on-policy : moins d’une minute.",
  "Hex on 5x5 cells, on-policy: ten minutes on one core. Its network then plays well without search.":
    "Hex sur 5x5 cases, on-policy : dix minutes sur un cœur. Son réseau joue ensuite bien sans recherche.",
  ["Hex on 7x7 cells, part 2 of 3: {n} episodes in {n2} minutes of a busy core, half of them from a random "
    + "first move. It continues from the last network of hex7. Part 3 is hex7-wide."]:
    "Hex sur 7x7 cases, partie 2 sur 3 : {n} épisodes en {n2} minutes sur un cœur occupé, dont la moitié "
    + "avec un premier coup au hasard. Suite du dernier réseau de hex7. La partie 3 est hex7-wide.",
  ["Hex on 7x7 cells, part 3 of 3: a larger network, first from the games of hex7-openings, then from {n} of "
    + "its own, in {n2} and {n3} minutes on a GPU (NVIDIA H100). It ships as hex7 (docs/networks.md)."]:
    "Hex sur 7x7 cases, partie 3 sur 3 : un réseau plus grand, d’abord sur les parties de hex7-openings, "
    + "puis sur {n} parties à lui, en {n2} et {n3} minutes sur un GPU (NVIDIA H100). Il est fourni "
    + "sous le nom hex7 (docs/networks.md).",
  "Hex on 7x7 cells, AlphaZero, part 1 of 3: half an hour on one core. Part 2 is hex7-openings.":
    "Hex sur 7x7 cases, AlphaZero, partie 1 sur 3 : une demi-heure sur un cœur. La partie 2 est "
    + "hex7-openings.",
  ["Hex on 9x9 cells, from the network of hex7: {n} minutes. The hex9 that ships had {n2} of them on a "
    + "busy core, {n3} episodes."]:
    "Hex sur 9x9 cases, depuis le réseau de hex7 : {n} minutes. Le hex9 fourni en a eu {n2} sur un cœur "
    + "occupé, {n3} épisodes.",
  "Ledge on 8 cells, a win for the first player, on-policy: a quarter of a minute.":
    "Ledge sur 8 cases, gagnant pour le premier joueur, on-policy : un quart de minute.",
  "Nim with 15 stones, at most 3 a move, on-policy: perfect play after seconds.":
    "Nim avec 15 pierres, au plus 3 par coup, on-policy : jeu parfait après quelques secondes.",
  "Reversi on 6x6 cells, AlphaZero: a quarter of an hour on one core. Its network ships as reversi6.":
    "Reversi sur 6x6 cases, AlphaZero : un quart d’heure sur un cœur. Son réseau est fourni sous le nom "
    + "reversi6.",
  "Reversi on 8x8 cells, part 1 of 2: {n} minutes on one core. reversi8 begins with its network.":
    "Reversi sur 8x8 cases, partie 1 sur 3 : {n} minutes sur un cœur. reversi8 commence avec son réseau.",
  ["Reversi on 8x8 cells, part 2 of 2: {n} minutes on one core, from the last network of reversi8-first. "
    + "Its network ships as reversi8."]:
    "Reversi sur 8x8 cases, partie 2 sur 2 : {n} minutes sur un cœur, depuis le dernier réseau de "
    + "reversi8-first. Son réseau est fourni sous le nom reversi8.",
  "Tic-tac-toe, AlphaZero: half a minute on one core. Its network ships as tictactoe.":
    "Tic-tac-toe, AlphaZero : une demi-minute sur un cœur. Son réseau est fourni sous le nom tictactoe.",
  ["{name}: network.critic must be true with search.mode = \"alphazero\", and with selfplay.sigma "
    + "below 1"]:
    "{name} : network.critic doit être vrai avec search.mode = \"alphazero\" ou si selfplay.sigma "
    + "est inférieur à 1",
  "{name}: training.momentum must be 0: {field} has no momentum":
    "{name} : training.momentum doit être 0 : {field} n’a pas de momentum",
  "{name}: search.simulations must start at move 0, its move numbers must rise":
    "{name} : search.simulations doit commencer au coup 0, et les numéros de coup doivent croître",
  "{name}: search.fast_simulations needs search.mode = \"alphazero\"":
    "{name} : search.fast_simulations exige search.mode = \"alphazero\"",
  "{name}: search.fast_simulations and search.seconds exclude each other":
    "{name} : search.fast_simulations et search.seconds s’excluent",
  "{name}: search.seconds needs search.root = \"puct\"":
    "{name} : search.seconds exige search.root = \"puct\"",
  "{name}: selfplay.format must be auto or float32: an mlp does not support bfloat16":
    "{name} : selfplay.format doit être auto ou float32 : mlp ne gère pas bfloat16",
  "{name}: run.networks must be at most {n}: one before the first episode, and one after each":
    "{name} : run.networks doit être au plus {n} : un avant le premier épisode et un après chacun",
  ["{name}: lower training.batch_size, or choose a smaller network: a minibatch would take {n} GB "
    + "of memory; at most {n2} GB are allowed"]:
    "{name} : réduisez training.batch_size ou choisissez un réseau plus petit : un minibatch "
    + "prendrait {n} Go de mémoire ; au plus {n2} Go sont permis",
  ["{name}: lower selfplay.games or search.leaves, or choose a smaller network: a batch of "
    + "positions would take {n} GB of memory; at most {n2} GB are allowed"]:
    "{name} : réduisez selfplay.games ou search.leaves, ou choisissez un réseau plus petit : un lot "
    + "de positions prendrait {n} Go de mémoire ; au plus {n2} Go sont permis",
  ["{name}: lower selfplay.games or search.simulations: the trees of a wave would take {n} GB of "
    + "memory; at most {n2} GB are allowed"]:
    "{name} : réduisez selfplay.games ou search.simulations : les arbres d’une vague prendraient {n} "
    + "Go de mémoire ; au plus {n2} Go sont permis",
  "{name}: training.ownership must be 0: {game} does not define owners of cells":
    "{name} : training.ownership doit être 0 : {game} ne définit pas de propriétaires de cases",
};
