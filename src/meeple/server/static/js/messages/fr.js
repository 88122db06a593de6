// The texts of the page in French, by the ids of `en.js`.

export const messages = {
  // The frame of the page
  "shell.skip": "Aller au contenu",
  "shell.main": "Menu principal",
  "shell.language": "Langue",
  "shell.theme": "Thème sombre",
  "shell.theme_title": "Clair ou sombre",
  "shell.play": "Jouer",
  "shell.table": "Table",
  "shell.learn": "Apprendre",
  "shell.cup": "Tournoi",
  "shell.analysis": "Analyse",
  "shell.puzzles": "Problèmes",
  "shell.library": "Bibliothèque",
  "shell.replay": "Revoir",
  "shell.study": "Étude",
  "shell.training": "Entraînement",
  "shell.close_message": "Fermer le message",
  "shell.no_page": "Cette page n’existe pas.",
  "shell.not_loaded": "Cette partie de Meeple n’a pas pu être chargée.",
  "shell.sorry": "Désolé",
  "shell.back": "Retour aux jeux",
  // Words that several views share
  "common.cancel": "Annuler",
  "common.close": "Fermer",
  "common.copy": "Copier",
  "common.copied": "Copié",
  "common.press_ctrl_c": "Faites Ctrl-C",
  "common.stop": "Arrêter",
  "common.share": "Partager",
  "common.download": "Télécharger",
  "common.undo": "Annuler",
  "common.your_name": "Votre nom",
  "common.all_games": "Tous les jeux",
  "common.game": "Jeu",
  "common.games": "Parties",
  "common.moves": "Coups",
  "common.move": "Coup",
  "common.players": "Joueurs",
  "common.player": "Joueur",
  "common.result": "Résultat",
  "common.state": "État",
  "common.title": "Titre",
  "common.board": "Plateau",
  "common.position": "Position",
  "common.save_as_study": "Enregistrer comme étude",
  "common.to_table": "Vers la table",
  "common.broken_off": "interrompue",
  "common.more_moves": { "one": "et {n} autre coup", "other": "et {n} autres coups" },
  "common.interval": "{low} à {high}",
  "common.of": "{n} sur {all}",
  "common.none": "aucun",
  "common.opens_link": "Qui ouvre ce lien la voit",
  "common.live": "Cette partie est en cours ; ses coups apparaissent ici au fur et à mesure.",
  "common.evaluated_by": "Évalué par {by}.",
  "common.against": "{one} contre {other}",
  "common.now": "à l’instant",
  "common.ago": "il y a {time}",
  "common.pair": "{name} : {value}",
  "common.without": "sans {name}",
  "common.silent": "Le serveur ne répond pas ; fonctionne-t-il encore ?",
  "common.refused": "Le serveur a refusé ({status})",
  "common.no_connection": "Pas de connexion : rien n’a été envoyé.",
  // What the server prepares
  "preparing.first": "Préparation de ce jeu : la première fois, cela prend jusqu’à une minute.",
  "preparing.game": "Préparation de {game} : {step}.",
  "preparing.kernel": "Préparation de {game}, noyau {n} sur {all} : {step}.",
  // Walking through a game
  "walk.first": "Première position",
  "walk.back": "Un coup en arrière",
  "walk.on": "Un coup en avant",
  "walk.last": "Dernière position",
  "walk.pause": "Pause",
  "walk.play": "Lecture automatique",
  "walk.no_moves": "Aucun coup",
  "walk.slow": "lent",
  "walk.one": "1 par seconde",
  "walk.two": "2 par seconde",
  "walk.fast": "rapide",
  "grade.inaccuracy": "imprécision",
  "grade.mistake": "erreur",
  "grade.blunder": "gaffe",
  // Charts
  "chart.numbers": "Les chiffres",
  "chart.table": "Les chiffres en tableau",
  "chart.empty": "{name} : pas encore de points",
  "chart.ends": "{name} de {first} à {last}",
  "chart.remarks": "Remarques",
  "chart.unknown": "inconnu",
  // Boards, as a screen reader says them
  "board.other_moves": "Autres coups",
  "board.marked": "marqué : {shape}",
  "board.circle": "cercle",
  "board.square": "carré",
  "board.triangle": "triangle",
  "board.cross": "croix",
  "board.last": "dernier coup",
  "board.winning": "fait partie de l’alignement gagnant",
  "board.percent": "{n} pour cent",
  "board.line": "coup {moves} de la variante",
  "board.and": " et ",
  "board.planned": "votre coup anticipé, Échap l’annule",
  "board.chosen": "choisi, Échap le relâche",
  "board.can_choose": "vous pouvez choisir ceci",
  "board.can_play": "vous pouvez jouer ici",
  "board.can_play_name": "vous pouvez jouer ici : {name}",
  "board.empty": "vide",
  "board.stone": "pierre de {player}",
  "board.player": "joueur {n}",
  "board.ledge": "rebord",
  "board.cell": "case {n}",
  "board.heap": "tas {heap}, place {n}",
  "board.place": "place {n}",
  "board.copper": "pièce de cuivre",
  "board.gold": "pièce d’or",
  "board.pebble": "pierre",
  "board.upright": "tuile verticale",
  "board.flat": "tuile horizontale",
  // The page that asks for the password
  "login.title": "Meeple : mot de passe",
  "login.label": "Mot de passe de ce serveur",
  "login.enter": "Entrer",
  // The lobby
  "lobby.title": "À quoi joue-t-on ?",
  "lobby.rules": "Règles",
  "lobby.learn": "Apprendre {game}",
  "lobby.cup": "Tournoi par lien…",
  "lobby.start": "Commencer",
  "lobby.watch": "Les regarder jouer",
  "lobby.more_options": "Plus d’options",
  "lobby.range": " ({low} à {high})",
  "lobby.go_on": { "one": "Reprendre une partie", "other": "Reprendre {n} parties" },
  "lobby.go_on_title": "Reprendre une partie",
  "lobby.look_on": "Regarder",
  "lobby.at_move": "coup {n}",
  "lobby.over": "terminée",
  // Seats
  "seats.title": "Qui joue",
  "seats.seats": "Places",
  "seats.me": "Moi",
  "seats.friend": "Un ami",
  "seats.computer": "Ordinateur",
  "seats.seat": "Place {n}",
  "seats.rated": "{name}, environ {rating}",
  "seats.rated_title": "points Elo au-dessus du jeu au hasard",
  "seats.link": "Vous recevrez un lien à envoyer dès que la table sera prête.",
  "seats.name": "Nom de {seat}",
  "seats.name_hint": "Votre nom, si vous voulez",
  "seats.own": "Votre choix",
  "seats.strength": "Force de {seat}",
  "seats.any": "N’importe quel programme",
  "seats.agent": "Programme de {seat}",
  "seats.first": "Qui commence",
  "seats.another": "Un autre",
  "seats.other": "L’autre",
  "seats.random": "Au hasard",
  // Clock, pace and help
  "terms.no_clock": "Sans pendule",
  "terms.per_move": "Par coup",
  "terms.per_game": "Par partie",
  "terms.seconds": "Secondes par coup",
  "terms.minutes": "Minutes par joueur",
  "terms.increment": "Secondes ajoutées par coup",
  "terms.wrong": "{name} : un nombre de {low} à {high}",
  "terms.time": "Temps de réflexion des joueurs humains",
  "terms.pace": "Un coup de l’ordinateur dure au moins",
  "terms.fastest": "aussi vite que possible",
  "terms.half": "une demi-seconde",
  "terms.pace_seconds": { "one": "{n} seconde", "other": "{n} secondes" },
  "terms.help": "Indices et analyse autorisés",
  // Tournaments by link
  "cup.new": "Un tournoi par lien",
  "cup.about":
    "Vous recevez un lien ; qui l’ouvre peut participer. Vous lancez le tournoi quand tout le monde est "
    + "là.",
  "cup.format": "Formule",
  "cup.round_robin": "toutes rondes",
  "cup.swiss": "système suisse : quelques rondes, selon les scores",
  "cup.computers": "Ordinateurs participants",
  "cup.create": "Créer",
  "cup.title": "{game} : tournoi",
  "cup.open": "En attente de joueurs",
  "cup.over": "Terminé",
  "cup.round_of": "Ronde {n} sur {all}",
  "cup.begun": "Votre partie a commencé.",
  "cup.begun_notice": "Votre partie du tournoi a commencé.",
  "cup.take_part": "Participer",
  "cup.link": "Lien pour les joueurs",
  "cup.standings": "Classement",
  "cup.points": "Points",
  "cup.you": "{name} (vous)",
  "cup.round": "Ronde",
  "cup.a_game": "Partie",
  "cup.playing": "en cours",
  "cup.play": "Jouer",
  "cup.look": "Voir",
  // A table
  "table.no_id": "Cette adresse ne désigne aucune table.",
  "table.used": "Cette invitation a déjà servi : vous regardez.",
  "table.refused": "la connexion a été refusée",
  "table.reconnecting": "Reconnexion…",
  "table.move_stands": "Votre coup reste : tous n’étaient pas d’accord.",
  "table.not_sent": "Pas de connexion : le coup n’a pas été envoyé.",
  "table.resign": "Abandonner",
  "table.resign_ask": "Abandonner cette partie ?",
  "table.resign_many": "Un ordinateur continue à votre place.",
  "table.resign_two": "Votre adversaire gagne.",
  "table.shared_past":
    "Les mains sont cachées aux autres joueurs de cet écran : aucune position antérieure n’est affichée.",
  "table.title_yours": "● À vous de jouer – {game}",
  "table.title_over": "Terminée – {game}",
  "table.the_board": "{game}, le plateau",
  "table.no_island": "L’île n’a pas pu être chargée.",
  "table.controls": "Commandes",
  "table.undo_ask": "Demander aux autres de reprendre votre coup",
  "table.looking": "Recherche…",
  "table.hint": "Indice",
  "table.go_on": "Reprendre",
  "table.pause": "Pause",
  "table.analyse": "Analyser",
  "table.help": "Aide",
  "table.look_back": "Vous voyez une position antérieure.",
  "table.back_to_now": "Revenir à la partie",
  "table.to_come": "{n} coups à venir",
  "table.show_now": "Montrer maintenant",
  "table.premove": "Coup anticipé : {move}",
  "table.drop": "L’annuler",
  "table.premove_illegal": "Votre coup anticipé {move} n’est plus possible.",
  // What happens at a table
  "turn.waiting": "En attente des autres joueurs",
  "turn.over": "La partie est terminée",
  "turn.paused": "Pause : c’est à {name} de jouer",
  "turn.to_move": "C’est à {name} de jouer",
  "turn.busy": "{name} attend : le serveur est occupé",
  "turn.preparing": "{name} se prépare",
  "turn.preparing_step": "{name} se prépare : {step}",
  "turn.thinking": "{name} réfléchit",
  "turn.yours": "À vous de jouer",
  "turn.again": "Encore à vous de jouer",
  "turn.yours_as": "À vous de jouer ({name})",
  "turn.again_as": "Encore à vous de jouer ({name})",
  "turn.passed": "{name} a passé.",
  "turn.swapped": "{name} a échangé les couleurs.",
  "turn.took_black": "{name} a pris les noirs.",
  "turn.took_white": "{name} a pris les blancs.",
  "turn.two_more": "{name} pose deux autres pierres.",
  "turn.played": "{name} a joué {move}.",
  "turn.did": "{name} : {move}.",
  "turn.you_passed": "Vous avez passé.",
  "turn.you_swapped": "Vous avez échangé les couleurs.",
  "turn.you_took_black": "Vous avez pris les noirs.",
  "turn.you_took_white": "Vous avez pris les blancs.",
  "turn.you_two_more": "Vous posez deux autres pierres.",
  "turn.you_played": "Vous avez joué {move}.",
  "turn.you_did": "Vous : {move}.",
  "turn.must_pass": "Aucun coup n’est possible : vous devez passer.",
  "turn.only_move": "Il n’y a qu’un seul coup : {move}.",
  "turn.may_swap": "Au lieu de jouer, vous pouvez reprendre la première pierre de l’adversaire.",
  "turn.choose_colour": "Choisissez votre couleur ; les blancs jouent ensuite.",
  "turn.may_choose": "Vous pouvez aussi choisir ceci :",
  "turn.win": "Vous gagnez",
  "turn.shared": "Vous partagez la victoire",
  "turn.draw": "Partie nulle",
  "turn.loss": "Vous perdez",
  // Alerts
  "alerts.sound": "Un son quand c’est à moi de jouer",
  "alerts.notice": "Une notification quand cette page est cachée",
  "alerts.refused": "Ce navigateur n’affiche pas les notifications de cette page.",
  "alerts.turn": "À vous de jouer : {game}",
  // Chat
  "chat.chat": "Discussion",
  "chat.fresh": { "one": "({n} nouveau)", "other": "({n} nouveaux)" },
  "chat.looks": { "one": "{n} spectateur", "other": "{n} spectateurs" },
  "chat.empty": "Personne n’a encore écrit.",
  "chat.closed": "Seuls les joueurs écrivent ici.",
  "chat.host": "Hôte",
  "chat.mute": "Rendre {name} muet",
  "chat.message": "Message",
  "chat.send": "Envoyer",
  "chat.hello": "Bonjour !",
  "chat.luck": "Bonne chance",
  "chat.moment": "Un instant, s’il vous plaît",
  "chat.well_played": "Bien joué",
  "chat.thanks": "Merci",
  "chat.oops": "Oups",
  // The dialogs of a table
  "share.title": "Partager cette partie",
  "share.seat": "Lien pour {seat}",
  "share.watch": "Lien pour regarder",
  "share.picture": "Télécharger une image du plateau",
  "help.played_with": "Joué avec : {options}.",
  "help.lesson": "Apprendre {game} pas à pas",
  "help.pace": "Coups des ordinateurs affichés",
  "help.at_once": "tout de suite",
  "help.one_by_one": "l’un après l’autre",
  "help.slowly": "lentement",
  "help.keys": "Touches",
  "help.key_undo": "reprendre un coup",
  "help.key_hint": "un indice",
  "help.key_help": "cette aide",
  "help.key_walk": "revenir en arrière et avancer",
  "help.key_escape": "revenir à la partie ; annuler un coup anticipé ; montrer tous les coups à venir",
  "help.arrows": "Flèches",
  "help.key_arrows": "se déplacer sur le plateau",
  "help.enter": "Entrée",
  "help.key_enter": "jouer là",
  "help.key_release": "relâcher une pièce choisie",
  "claim.options": "Options",
  "claim.seat": "Votre place",
  "claim.seat_of": "{seat} ({n} sur {all})",
  "claim.clock": "Pendule",
  "claim.help": "Aide",
  "claim.help_on": "les indices et l’analyse sont autorisés",
  "claim.help_off": "les indices et l’analyse sont désactivés pendant la partie",
  "claim.no_clock": "sans pendule",
  "claim.per_move": "{time} par coup",
  "claim.each": "{time} par joueur",
  "claim.each_increment": "{time} par joueur, plus {increment} par coup",
  "claim.play": "Jouer à {game}",
  "claim.invites": "{name} vous invite à une partie.",
  "claim.somebody": "Quelqu’un",
  "claim.only_look": "Seulement regarder",
  "claim.take": "Prendre la place",
  // A hint
  "hint.close": "Fermer l’indice",
  "hint.simulations": "{n} simulations :",
  "hint.chance": "chance de gain {share}",
  "hint.search": "{share} de la recherche",
  // The list of moves
  "moves.earlier": "Montrer les coups précédents",
  "moves.none": "Pas encore de coups. {about}",
  // Notices beside the board
  "notice.to_rematch": "Aller à la revanche",
  "notice.rematch": "Revanche",
  "notice.review": "Revoir la partie",
  "notice.invitations": "Invitations",
  "notice.send": "Envoyez ceci à qui doit jouer.",
  "notice.begins": "La partie commence quand toutes les places sont prises.",
  "notice.you_asked": "Vous avez demandé à reprendre un coup : réponse en attente.",
  "notice.asks": "{name} demande à reprendre un coup.",
  "notice.refuse": "Refuser",
  "notice.agree": "Accepter",
  "notice.hand_over": "Passez l’écran à {name}",
  "notice.hidden": "Les mains cachées ne sont montrées qu’à leur propriétaire.",
  "notice.i_am": "Je suis {name}",
  // The players of a table
  "people.now": "Jouer maintenant",
  "people.chances": "Chances de gain",
  "people.estimated": "Estimées par {name}",
  "people.open": "pas encore là",
  "people.gone": "a abandonné ; {spec} continue",
  "people.away": "{name}, non connecté",
  "people.waiting": "attend {n} s",
  "people.busy": "serveur occupé {n} s",
  "people.preparing": "préparation {n} s",
  "people.thinking": "réfléchit {n} s",
  "table.undo": "Annuler",
  // Catan: the table
  "catan.island": "L’île",
  "catan.hand": "Votre main",
  "catan.development_cards": "Cartes développement",
  "catan.your_move": "À vous de jouer",
  "catan.dice": "Dés",
  "catan.panels": "Panneaux de la table",
  "catan.trade": "Commerce",
  "catan.own_turn": "Vous faites vos offres pendant votre tour.",
  "catan.deal": "Accord",
  "catan.refusals": "Refus",
  "catan.log": "Journal",
  "catan.bank": "Banque",
  "catan.bank_and_costs": "Banque et coûts",
  "catan.rolls": "Lancers",
  "catan.tracker": "Compteur de cartes",
  "catan.you": "vous",
  "catan.nothing": "rien",
  "catan.rolled": "Résultat :",
  "catan.not_rolled": "Pas lancés",
  "catan.rolls_so_far": { "one": "{n} lancer", "other": "{n} lancers" },
  "catan.rolls_caption": "{rolls} jusqu’ici ; les lignes montrent ce qu’on attend",
  "catan.deck": "Pioche {n}",
  "catan.costs": "Coûts",
  "catan.for": " pour {cost}",
  // Catan: the hand and the cards
  "catan.cards": { "one": "{n} carte", "other": "{n} cartes" },
  "catan.points_of": "{n} points sur {all}",
  "catan.choose_discard": "Choisissez-en encore {n} à défausser.",
  "catan.enough": "Cela suffit.",
  "catan.discard": "Défausser {n} cartes",
  "catan.discard_one": "Défausser 1 {resource}, il en reste {n}",
  "catan.take_back": "Reprendre 1 {resource} sur {n}",
  "catan.knight": "déplacez le voleur et volez une carte",
  "catan.victory_point": "un point, caché jusqu’à la victoire",
  "catan.road_building": "deux routes gratuites",
  "catan.plenty": "deux cartes de la banque",
  "catan.monopoly": "toutes les cartes d’une ressource de tous les joueurs",
  "catan.fresh": {
    "one": "{n} nouvelle, jouable dès votre prochain tour",
    "other": "{n} nouvelles, jouables dès votre prochain tour",
  },
  "catan.fresh_short": { "one": " {n} nouvelle", "other": " {n} nouvelles" },
  "catan.play": "Jouer",
  "catan.second_card": "{resource}, et quelle deuxième carte ?",
  "catan.first_card": "Quelle carte prenez-vous d’abord ?",
  "catan.which_monopoly": "Quelle ressource tous les autres vous donnent-ils ?",
  // Catan: the players
  "catan.left": "Restent : {roads}, {settlements}, {cities}",
  "catan.roads": { "one": "{n} route", "other": "{n} routes" },
  "catan.settlements": { "one": "{n} colonie", "other": "{n} colonies" },
  "catan.cities": { "one": "{n} ville", "other": "{n} villes" },
  "catan.fact_points": { "one": "point", "other": "points" },
  "catan.fact_cards": { "one": "carte", "other": "cartes" },
  "catan.fact_developments": { "one": "carte développement", "other": "cartes développement" },
  "catan.fact_dev": "dév.",
  "catan.fact_knights": { "one": "chevalier", "other": "chevaliers" },
  "catan.fact_road": { "one": "route d’affilée", "other": "routes d’affilée" },
  "catan.fact_road_short": { "one": "route", "other": "routes" },
  "catan.largest_army": "Armée la plus puissante",
  "catan.longest_road": "Route la plus longue",
  "catan.must_discard": "Doit défausser {n}",
  "catan.tracker_about":
    "Pour chaque joueur, la chance d’avoir une carte au moins une fois (la barre) et combien on en "
    + "attend (le nombre).",
  "catan.certain": "{n} de façon sûre",
  "catan.likely": "{share} % au moins une, {expected} attendues",
  "catan.may_hold": "Ce que {name} peut avoir",
  "catan.may_hold_sample": "Ce que {name} peut avoir, d’après un échantillon",
  // Catan: a turn
  "catan.roll": "Lancer les dés",
  "catan.buy": "Acheter une carte",
  "catan.trade_open": "Commercer…",
  "catan.end": "Finir le tour",
  "catan.rob": "Voler {name} ({cards})",
  "catan.places": {
    "one": "{n} place marquée sur l’île ; il en reste {left}",
    "other": "{n} places marquées sur l’île ; il en reste {left}",
  },
  "catan.costs_place": "cela coûte {cost} et demande une place ; il en reste {left}",
  "catan.none_left": "il n’en reste plus",
  "catan.task_settlement": "Placez une colonie : cliquez sur un croisement marqué.",
  "catan.task_first_road": "Placez une route à côté de votre colonie : cliquez sur un bord marqué.",
  "catan.task_before_dice": "Lancez les dés, ou jouez d’abord une carte.",
  "catan.task_robber": "Déplacez le voleur : cliquez sur une tuile.",
  "catan.task_victim": "Choisissez qui voler : cliquez sur un bâtiment marqué ou sur un bouton ci-dessous.",
  "catan.task_main": "Construisez, commercez ou finissez votre tour.",
  "catan.task_free_roads": "Placez une route gratuite : cliquez sur un bord marqué.",
  "catan.task_choose": "Choisissez avec qui commercer.",
  "catan.task_consent": "Acceptez l’accord ou refusez-le.",
  "catan.task_discard": "Un 7 : défaussez {n} cartes.",
  "catan.task_trade": "Commercez ou finissez votre tour.",
  "catan.task_answer": "{name} propose {give} contre {want}.",
  // Catan: trade
  "trade.you_offer": "Vous proposez",
  "trade.offers": "{name} propose",
  "trade.goods": "{give} contre {want}",
  "trade.traded": "Échangé avec {name}.",
  "trade.traded_you": "Échangé avec vous.",
  "trade.withdrawn": "Retirée.",
  "trade.nobody": "Personne n’a accepté.",
  "trade.earlier": "{n} plus tôt dans ce tour",
  "trade.answers": "Réponses",
  "trade.asked_now": "{name} : interrogé maintenant",
  "trade.not_asked": "{name} : pas encore interrogé",
  "trade.agreed": "✓ d’accord",
  "trade.refused": "✗ refusé",
  "trade.would": "↔ donnerait {give} contre {want}",
  "trade.counter": "Contre-offre",
  "trade.new": "Nouvelle offre",
  "trade.to_all": "Offre à tous les joueurs",
  "trade.you_give": "Vous donnez",
  "trade.you_want": "Vous voulez",
  "trade.of": " sur {n}",
  "trade.offer_all": "Proposer à tous",
  "trade.offer_to": "Proposer à {name}",
  "trade.back": "Retour",
  "trade.clear": "Effacer",
  "trade.left": { "one": "Encore {n} offre ce tour-ci", "other": "Encore {n} offres ce tour-ci" },
  "trade.give_less": "Donner 1 {resource} de moins",
  "trade.give_more": "Donner 1 {resource} de plus",
  "trade.want_less": "Demander 1 {resource} de moins",
  "trade.want_more": "Demander 1 {resource} de plus",
  "trade.bank": "Échanger avec la banque",
  "trade.rates": "Vos taux :",
  "trade.give": "Donner",
  "trade.for_one": "contre 1",
  "trade.swap": "Échanger {n} {give} contre 1 {take}",
  "trade.accept": "Accepter",
  "trade.refuse": "Refuser",
  "trade.refuse_turn": "Tout refuser ce tour-ci",
  "trade.counter_open": "Contre-offre…",
  "trade.lacking": "Vous n’avez pas ce qui est demandé.",
  "trade.with": "Échanger avec {name}",
  "trade.with_counter": "Échanger avec {name} : {want} contre {give}",
  "trade.withdraw": "Retirer l’offre",
  "trade.propose": "Proposer",
  "trade.drop": "Abandonner l’offre",
  "trade.refuse_unasked": "Refuser sans demander",
  "trade.cannot_pay": "Les offres que je ne peux pas payer",
  "trade.offers_for": "Les offres pour",
  // Catan: deals of several players
  "deal.waiting": "Pas encore de réponse : {names}.",
  "deal.choose_tile": "choisissez une tuile",
  "deal.sell": "Vendre la place du voleur",
  "deal.compose": "Composer un accord",
  "deal.about": "Ce que chaque joueur reçoit (+) et donne (−). Tous les participants doivent accepter.",
  "deal.robber_to": "Le voleur va sur",
  "deal.paid": "Payé avec ce qui reste",
  "deal.propose": "Proposer l’accord",
  "deal.unbalanced": "Ce qui est donné doit égaler ce qui est reçu, sauf le coût de ce qui est construit.",
  "deal.unbalanced_robber": "Ce qui est donné doit égaler ce qui est reçu.",
  "deal.less": "{name}, {resource} : un de moins",
  "deal.more": "{name}, {resource} : un de plus",
  "deal.agree": "Accepter",
  "deal.lacking": "Vous n’avez pas ce que vous donneriez.",
  "deal.drop": "Abandonner l’accord",
  // Catan: the island, as a screen reader says it
  "island.tile": "tuile {place}",
  "island.row": "tuile {n} de la rangée {row}",
  "island.robber": "le voleur est ici",
  "island.corner": "croisement à {place} : {what}",
  "island.side": "bord à {place} : {what}",
  "island.coast": "sur la côte, {where}",
  "island.to_east": "à l’est",
  "island.to_southeast": "au sud-est",
  "island.to_south": "au sud",
  "island.to_southwest": "au sud-ouest",
  "island.to_west": "à l’ouest",
  "island.to_northwest": "au nord-ouest",
  "island.to_north": "au nord",
  "island.to_northeast": "au nord-est",
  "island.free": "libre",
  "island.of": "{thing} de {name}",
  "island.port": "port {rate}:1 pour {kind}",
  // A game again
  "replay.title": "{game} : revoir la partie",
  "replay.expected_chances": "Chances attendues",
  "replay.expected": "Ce que les programmes attendaient",
  "replay.beginning": "Le début de la partie",
  "replay.steps": "Étapes",
  "walk.speed": "Coups par seconde",
  "replay.place": "Endroit de la partie",
  "replay.place_at": "{n} sur {all} : {words}",
  "replay.eyes": "Cartes vues par",
  "replay.mover": "Le joueur au trait",
  "replay.analyse": "Analyser d’ici",
  "replay.play_on": "Rejouer d’ici",
  "replay.share": "Partager cette position",
  "replay.chart": "Les chances de chaque joueur selon les programmes",
  "replay.chances": "Chances",
  "replay.event": "Tournoi",
  "replay.round": "Ronde",
  "replay.date": "Date",
  "replay.at": "Lieu",
  "replay.name": "Nom",
  "replay.about": "À propos",
  "replay.source": "Source",
  "replay.recorded": "Résultat enregistré",
  // Playing on from a position
  "on.to_move": "{seat} (au trait)",
  "on.about": "Une nouvelle partie commence à cette position ; l’ancienne reste telle quelle.",
  "on.you": "Vous jouez",
  "on.everybody": "Tous, sur cet écran",
  "on.others": "Les autres",
  "on.play": "Continuer",
  // The explorer
  "explorer.title": "Explorateur",
  "explorer.moves": "Coups d’ici",
  "explorer.won": "Gagné d’ici",
  "explorer.years": "Années",
  "explorer.plies": "Demi-coups",
  "explorer.here": "{move} : comme dans cette partie",
  "explorer.there": "{move} : vers une partie avec ce coup",
  "explorer.declared": { "one": "Le résultat de {n} partie n’est indiqué que par son fichier.",
    "other": "Les résultats de {n} parties ne sont indiqués que par leurs fichiers." },
  "explorer.games": { "one": "{n} partie", "other": "{n} parties" },
  "explorer.newest_games": { "one": "la dernière partie", "other": "les {n} dernières parties" },
  "explorer.only": "La seule partie de ce type est arrivée à cette position.",
  "explorer.only_ended": "La seule partie de ce type est arrivée à cette position et s’y est terminée.",
  "explorer.reached": "{reached} sur {games} de ce type sont arrivées à cette position.",
  "explorer.reached_ended":
    "{reached} sur {games} de ce type sont arrivées à cette position, et {ended} se sont terminées ici.",
  // Analysis
  "analysis.title": "{game} : analyse",
  "analysis.offline": "La connexion est perdue ; elle revient d’elle-même.",
  "analysis.chance": "Laisser le hasard décider",
  "analysis.heat": "Parts des visites",
  "analysis.numbers": "Variante attendue",
  "analysis.explain": "Expliquer",
  "analysis.whole": "La partie entière",
  "analysis.thoughts": "Ce que pense un programme",
  "analysis.studies": "Études",
  "analysis.unseen": "quelque chose de caché",
  "analysis.variation": "Votre variante",
  "analysis.back": "Retour à la partie",
  "analysis.more":
    "Le texte contient {n} parties ; voici la première. Importez-le dans la bibliothèque pour les voir "
    + "toutes.",
  "analysis.over": "La partie est terminée : {result}.",
  "analysis.chance_decides": "Le hasard décide.",
  "analysis.to_move": "Au trait : {name}.",
  // The review of a game
  "curve.title": "Revue de la partie",
  "curve.a_move": "Par coup",
  "curve.analyse": "Analyser la partie entière",
  "curve.chart": "Chances de gain au cours de la partie",
  "curve.move": "coup",
  "curve.chance": "chance de gain",
  "curve.second": "{name}, second programme",
  "curve.cost": "coup {n}, {name} : {move} a coûté {share} des chances de gain",
  "curve.cost_better": "coup {n}, {name} : {move} a coûté {share} des chances de gain ; meilleur : {better}",
  "curve.waiting": "La réflexion commence…",
  "curve.stored":
    "Ce que les programmes attendaient en jouant. Analysez la partie pour voir quels coups l’ont "
    + "changée.",
  "curve.about": "Voyez comment les chances ont changé, et à cause de quels coups.",
  "curve.progress": "{n} positions sur {all}, évaluées par {name}",
  "curve.no_chances": "Ce programme n’estime pas les chances ; choisissez-en un qui recherche.",
  "curve.accuracy": "Précision : {list}.",
  "curve.costly": "Coups coûteux",
  "curve.retry": "Réessayer",
  "curve.statistics": "Statistiques de la partie",
  // A second evaluator
  "compare.start": "Comparer avec un second programme",
  "compare.found": "Ils diffèrent au-delà de leur bruit à {n} positions :",
  "compare.found_most": "Ils diffèrent au-delà de leur bruit à {n} positions, surtout :",
  "compare.nowhere": "Nulle part ils ne diffèrent au-delà de leur bruit.",
  "compare.item": "avant le coup {n} : {name} a {one} ou {other}",
  "compare.title": "Où les programmes diffèrent",
  "compare.about": "Premier : {one} ; second, comme ligne suivante de la courbe : {other}. {result}",
  // A second evaluator of a position
  "beside.start": "Comparer",
  "beside.title": "Deux évaluations",
  "beside.evaluator": "Évaluateur",
  "beside.best": "Meilleur coup",
  "beside.chance": "Chances de {name}",
  "beside.differ": "Ils diffèrent de {gap}, plus que leur bruit.",
  "beside.same": "Ils ne diffèrent pas de plus que leur bruit.",
  // Explanations
  "explain.title": "Explications",
  "explain.point": "Pointez un endroit du plateau, ou allez-y avec les flèches.",
  "explain.nothing": "Il n’y a rien à expliquer ici.",
  // The opening helper of Catan
  "opening.title": "Aide à l’ouverture",
  "opening.on": "Un clic sur un croisement joue des parties rapides à partir de là",
  "opening.about":
    "Jusqu’à 2 000 parties, tous les joueurs selon des règles simples ; avec l’intervalle à 95 %.",
  "opening.beside": "À côté, une courte évaluation par {name}.",
  "opening.places": "Places",
  "opening.place": "Place",
  "opening.won": "Gagné",
  "opening.evaluated": "Évalué",
  "opening.play": "Jouer",
  "opening.play_name": "Jouer {move}",
  // Trying again
  "retry.find": "Coup {n}, {name} : {move}. Trouvez un meilleur coup.",
  "retry.evaluating": "Évaluation de {move}…",
  "retry.right": "Exact : {move} est le meilleur coup trouvé.",
  "retry.played": "{move} a été joué dans la partie. Essayez un autre coup.",
  "retry.failed": "{move} n’a pas pu être évalué.",
  "retry.as_good": "{move} est aussi bon.",
  "retry.worse": "{move} perd {share} des chances de gain. Réessayez.",
  "retry.answer": "{move} est le meilleur coup trouvé.",
  "retry.reply": "Le coup de la partie, {played}, laissait {reply} à l’adversaire.",
  "retry.take_back": "Reprendre le coup",
  "retry.next": "Erreur suivante",
  "retry.show": "Montrer la réponse",
  "retry.stop": "Arrêter les essais",
  // Setting up a position
  "setup.title": "Composer une position",
  "setup.how": "Comment",
  "setup.new": "Nouveau plateau",
  "setup.moves": "Saisir des coups",
  "setup.record": "Coller un enregistrement",
  "setup.stones": "Placer des pierres",
  "setup.in_turn": "À tour de rôle",
  "setup.player_1": "Joueur 1",
  "setup.player_2": "Joueur 2",
  "setup.take_away": "Enlever",
  "setup.moves_label": "Coups dans la notation du jeu",
  "setup.moves_help":
    "Séparés par des espaces, des lignes ou rien ; les numéros de coups sont ignorés. Un "
    + "plateau en signes (X, O, -) ou un lien de HexWorld est lu aussi.",
  "setup.record_label": "Enregistrement d’une partie",
  "setup.record_hint": "une ligne de JSON ou du SGF : (;GM[11]SZ[7];B[d4]…)",
  "setup.record_help": "Lignes JSON de tout jeu, SGF de Hex, Gomoku et Reversi, GGF ou PSQ.",
  "setup.board": "Plateau à composer",
  "setup.paste_first": "Collez d’abord un enregistrement.",
  "setup.show": "Afficher",
  "setup.new_about": "Jouez les deux camps sur le plateau ; vous décidez aussi du hasard.",
  "setup.places": "Ce que place un clic",
  // What an agent thinks
  "thoughts.strongest": "Le plus fort connu",
  "thoughts.search": "Recherche arborescente",
  "thoughts.search_about": "Une recherche arborescente, sans réseau.",
  "thoughts.other": "Un autre programme…",
  "thoughts.long":
    "La réflexion commence… Ce qui n’a jamais servi est d’abord préparé, ce qui peut prendre une minute.",
  "thoughts.done": "{progress} Terminé ; cela continue à la position suivante.",
  "thoughts.simulations": "{n} simulations en {time} s.",
  "thoughts.depth": "Recherche à {n} demi-coups en {time} s.",
  "thoughts.thought": "Réflexion de {time} s.",
  "thoughts.full": "Toute la mémoire permise est utilisée.",
  "thoughts.over": "La partie est terminée ici.",
  "thoughts.chance": "Ici le hasard décide : choisissez un résultat.",
  "thoughts.start": "Lancez un programme pour voir ce qu’il pense.",
  "thoughts.who": "Qui réfléchit",
  "thoughts.time": "Temps de réflexion",
  "thoughts.spec": "Programme, comme uct:seconds=1,c=2",
  "thoughts.chances": "Chances de gain",
  "thoughts.alternatives": "Alternatives",
  "thoughts.proven_win": "Prouvé : {name} gagne contre toute défense.",
  "thoughts.proven_draw": "Prouvé : nulle, si tous jouent au mieux.",
  "thoughts.proven_shares": "Prouvé : les parts ci-dessus, si tous jouent au mieux.",
  "thoughts.chance_column": "Chance",
  "thoughts.visits": "Visites",
  "thoughts.preference": "Préférence",
  "thoughts.network": "Réseau seul",
  "thoughts.no_better": "– : pas mieux que son choix, d’après la recherche",
  "thoughts.line_to": "Jouer la variante jusqu’à {move}",
  "thoughts.no_further": "Il ne voit pas plus loin.",
  // Puzzles
  "puzzles.title": "{game} : problème",
  "puzzles.puzzle": "Problème",
  "puzzles.task": "Trait à {name}. Trouvez le seul coup gagnant.",
  "puzzles.wrong": "{move} ne gagne pas.",
  "puzzles.right": "{move} est juste. La réponse est {reply} ; trouvez le coup suivant.",
  "puzzles.solved": "Résolu : {move} gagne.",
  "puzzles.solution": "La solution : {moves}.",
  "puzzles.all": "Tous les jeux",
  "puzzles.rating": "Votre classement : {rating} ± {deviation}",
  "puzzles.solved_of": "{n} problèmes sur {all} résolus du premier coup",
  "puzzles.this":
    "Ce problème : {rating}, résolu par {n} sur {all}. ± est le double de l’écart du classement Glicko.",
  "puzzles.of": "Problèmes de",
  "puzzles.next": "Problème suivant",
  "puzzles.analyse": "Analyser comme étude",
  "puzzles.again": "Réessayer",
  "puzzles.show": "Montrer la solution",
  "puzzles.another": "Un autre problème",
  // Studies
  "study.saved": "Enregistré.",
  "study.saving": "Enregistrement…",
  "study.not_saved": "Non enregistré : {error}",
  "study.conflict": "Cette étude a été modifiée ailleurs",
  "study.conflict_about":
    "Une autre fenêtre ou personne a enregistré une version plus récente ; votre dernier changement n’a "
    + "donc pas été enregistré.",
  "study.save_mine": "Enregistrer la mienne comme copie",
  "study.show_newer": "Montrer la version plus récente",
  "study.share": "Partager cette étude",
  "study.reads": "Qui ouvre ce lien peut la lire",
  "study.changes": "Qui ouvre ce lien peut la modifier",
  "study.delete_ask": "Supprimer cette étude ?",
  "study.delete_about": "Plus personne ne pourra l’ouvrir.",
  "study.delete": "Supprimer",
  "study.yours": "Vos études",
  "study.none":
    "Vous n’avez pas encore d’études. Appuyez sur {button} dans l’{analysis} ou en revoyant une partie, "
    + "ou collez-en une ci-dessous.",
  "study.none_analysis": "analyse",
  "study.from_text_label": "Une étude à partir d’un texte",
  "study.from_text": "À partir d’un texte",
  "study.text": "SGF avec variantes, ou lignes JSON",
  "study.open_file": "Ouvrir un fichier",
  "study.make": "Créer une étude",
  "study.save": "Enregistrer",
  "study.read_only":
    "Ce lien est en lecture seule. Vos changements restent sur cette page ; enregistrez une copie pour "
    + "les garder.",
  "study.comment": "Commentaire",
  "study.promote": "Promouvoir",
  "study.promote_about": "Faire de cette variante la principale dès son début",
  "study.cut": "Supprimer à partir d’ici",
  "study.mark": "Marquer des places",
  "study.mark_title": "Ou clic droit sur une place : cercle, carré, triangle, croix",
  "study.mark_about": "Choisissez une place sur le plateau : cercle, carré, triangle, croix, rien.",
  "study.copy": "Enregistrer une copie",
  "study.delete_study": "Supprimer l’étude",
  "study.all": "Toutes vos études",
  "study.download": "Télécharger…",
  "study.json_lines": "Lignes JSON",
  "study.variations": "Variantes",
  "study.play_moves": "Jouez des coups sur le plateau.",
  "study.with_marks": "avec des marques",
  // Lessons
  "learn.none": "Ce jeu n’a pas de leçon.",
  "learn.board": "{game}, le plateau de la leçon",
  "learn.step": "Étape {n} sur {all}",
  "learn.the_step": "L’étape",
  "learn.answer": "Votre réponse",
  "learn.back": "Retour",
  "learn.again": "Encore",
  "learn.skip": "Passer",
  "learn.next": "Suivant",
  // The library
  "library.about":
    "Les parties jouées ici et celles que vous apportez : SGF, GGF, PSQ, WTHOR ou lignes JSON.",
  "library.any_state": "Terminée ou en cours",
  "library.over": "Terminée",
  "library.playing": "En cours",
  "library.any_result": "Tout résultat",
  "library.first": "Le premier joueur a gagné",
  "library.other": "Un autre joueur a gagné",
  "library.draw": "Nulle",
  "library.no_result": "Sans résultat",
  "library.no_match": "Aucune partie ne correspond.",
  "library.empty": "Il n’y a pas encore de partie : jouez-en une, ou importez-en.",
  "library.count": {
    "one": "{n} partie, les plus récentes d’abord",
    "other": "{n} parties, les plus récentes d’abord",
  },
  "library.count_more": "{n} parties ou plus, les plus récentes d’abord",
  "library.formats":
    "SGF, GGF (Reversi) et PSQ (Gomoku) sont lus par d’autres programmes ; les lignes JSON gardent tout "
    + "et existent pour tous les jeux.",
  "library.json_lines": "Lignes JSON",
  "library.download_title": "Télécharger la partie",
  "library.too_large": "il dépasse {n} Mo ; importez-le en plusieurs parties",
  "library.unreadable": "il ne peut pas être lu",
  "library.games_of": "Parties de {name}",
  "library.add_from": "Ajouter {n} parties, à partir du numéro",
  "library.add_these": "Ajouter ces parties",
  "library.paste": "Coller un enregistrement",
  "library.paste_label": "SGF, GGF, PSQ ou lignes JSON",
  "library.add": "Ajouter les parties",
  "library.added": { "one": "La partie a été ajoutée.", "other": "{n} parties ont été ajoutées." },
  "library.reading": "Lecture…",
  "library.upload": "Importer des parties",
  "library.chosen": "Les parties choisies",
  "library.take_jsonl": "Télécharger en lignes JSON",
  "library.take_sgf": "Télécharger en SGF",
  "library.more": "Montrer plus de parties",
  "library.drop": "Déposez le fichier pour ajouter ses parties",
  "library.player_or_game": "Joueur ou jeu",
  "library.filter": "Filtrer les parties",
  "library.choose_all": "Choisir toutes les parties affichées",
  "library.choose": "Choisir {game}",
  "library.last_move": "Dernier coup",
  "library.actions": "Actions",
  "library.under_way": "en cours",
  "library.uploaded": " importée",
  "library.watch": "Regarder",
  "library.replay": "Revoir",
  "library.opens_link": "Qui ouvre ce lien voit la partie",
  "library.all": "toutes",
};

// Texts of the server by their English; `{name}` is a place for any text.
export const server = {
  // Games and their rules in a line
  "Hex": "Hex",
  "Gomoku": "Gomoku",
  "Reversi": "Reversi",
  "Nim": "Nim",
  "Ledge": "Ledge",
  "Catan": "Catan",
  "Catan reduced": "Catan réduit",
  "join your two sides of a diamond of hexagons before your opponent joins theirs":
    "reliez vos deux côtés d’un losange d’hexagones avant que l’adversaire ne relie les siens",
  "be the first with five stones in a row, in any direction (or another number)":
    "soyez le premier à aligner cinq pierres, dans n’importe quelle direction (ou un autre nombre)",
  "close in your opponent's discs to turn them over; most discs win (Othello)":
    "encadrez les pions adverses pour les retourner ; le plus grand nombre de pions gagne (Othello)",
  "take stones from a heap; the last stone wins (misère: loses)":
    "prenez des pierres d’un tas ; la dernière pierre gagne (misère : perd)",
  "slide coins to the ledge and pick them up there; the player who takes the gold wins":
    "glissez des pièces vers le rebord et prenez-les là ; qui prend l’or gagne",
  "settle an island, trade, and be the first to ten points":
    "colonisez une île, commercez et soyez le premier à dix points",
  "Catan with open hands, without robber, cards and trade between players":
    "Catan à mains ouvertes, sans voleur, cartes ni commerce entre joueurs",
  "Click a coin, then the cell it slides to; a click takes the coin on the ledge.":
    "Cliquez sur une pièce, puis sur la case où elle glisse ; un clic prend la pièce du rebord.",
  "Click a stone to take it and all stones to its right.":
    "Cliquez sur une pierre pour la prendre avec toutes celles à sa droite.",
  // Seats, colours, levels
  "player {n}": "joueur {n}",
  "Player {n}": "Joueur {n}",
  "black": "Noir",
  "white": "Blanc",
  "Black": "Noir",
  "White": "Blanc",
  "Beginner": "Débutant",
  "Learner": "Novice",
  "Casual": "Occasionnel",
  "Regular": "Régulier",
  "Club": "Club",
  "Tournament": "Tournoi",
  "Expert": "Expert",
  "Master": "Maître",
  "Grandmaster": "Grand maître",
  "Champion": "Champion",
  "you": "vous",
  "guest": "invité",
  "a guest": "un invité",
  "an empty seat": "une place libre",
  "{name} (you)": "{name} (vous)",
  // What the server prepares
  "compiling the kernel {name}": "compilation du noyau {name}",
  "drawing its board": "dessin du plateau",
  // Steps of a preparation, the help of agents, and details of records, agents and options
  "{words} (not measured for this game)": "{words} (non mesuré pour ce jeu)",
  "compiling kernel {n}, {kernel}": "compilation du noyau {n}, {kernel}",
  "loading the network {network}": "chargement du réseau {network}",
  "any legal action, drawn uniformly": "un coup légal quelconque, tiré uniformément",
  "sensible actions by their weights, in games that have weights":
    "des coups sensés selon leurs poids, dans les jeux qui ont des poids",
  "tree search with random rollouts, or a value network; needs sims, seconds or both":
    "recherche arborescente avec parties aléatoires, ou un réseau de valeur ; exige sims, seconds ou les "
      + "deux",
  "alpha-beta by a heuristic, or expectimax; needs depth, seconds or both":
    "alpha-bêta avec une heuristique, ou expectimax ; exige depth, seconds ou les deux",
  "tree search with a network; needs sims, seconds or both":
    "recherche arborescente avec un réseau ; exige sims, seconds ou les deux",
  "a network alone, without search": "un réseau seul, sans recherche",
  "the best resulting state by a value network": "le meilleur état résultant selon un réseau de valeur",
  "the tree search of a study, with its network or rollouts; needs sims, seconds or both":
    "la recherche arborescente d’une expérience, avec son réseau ou des parties aléatoires ; exige sims, "
      + "seconds ou les deux",
  "the exact solver, where the game is small enough": "le solveur exact, si le jeu est assez petit",
  "a strategy that `meeple solve --method mccfr` saved":
    "une stratégie enregistrée par `meeple solve --method mccfr`",
  "a custom agent: a class of a Python file": "un agent personnel : une classe d’un fichier Python",
  "the program {agent}": "le programme {agent}",
  "there is no agent '{agent}'; agents: {command}": "il n’y a pas d’agent « {agent} » ; agents : {command}",
  "{agent} needs a checkpoint file or a run folder: {command}":
    "{agent} exige un fichier de réseau ou le dossier d’une session : {command}",
  "{agent} needs {what}: {command}": "{agent} exige {what} : {command}",
  "'{field}' in '{agent}' is not understood; write {command}":
    "« {field} » dans « {agent} » n’est pas compris ; écrivez {command}",
  "'{agent}' sets a key twice": "« {agent} » fixe une clé deux fois",
  "a comma must follow the quotes in '{agent}'": "une virgule doit suivre les guillemets dans « {agent} »",
  "{file} is corrupt: its metadata lacks a field":
    "{file} est endommagé : un champ manque dans ses métadonnées",
  "{file} is a {kind}, not a {kind2}: play it as {command}":
    "{file} est {kind}, pas {kind2} : jouez-le comme {command}",
  "{owner} has no option {field}; its options: {command}":
    "{owner} n’a pas d’option {field} ; ses options : {command}",
  "{owner} has no key {field}; its keys: {command}": "{owner} n’a pas de clé {field} ; ses clés : {command}",
  "there is no game {field}; games: {command}": "il n’y a pas de jeu {field} ; jeux : {command}",
  "the game {field} is not loaded: add --load {command}":
    "le jeu {field} n’est pas chargé : ajoutez --load {command}",
  "action {n} of the record: '{field}' comes after the end of the game":
    "coup {n} de l’enregistrement : « {field} » vient après la fin de la partie",
  "action {n} of the record, {name} to move: {reason}":
    "coup {n} de l’enregistrement, trait à {name} : {reason}",
  "this is in no format of game records: known are {command}":
    "ce n’est aucun format d’enregistrement de parties ; sont connus {command}",
  "there is no game in this text: it is empty": "il n’y a pas de partie dans ce texte : il est vide",
  "its text is not UTF-8: save it in this encoding":
    "son texte n’est pas en UTF-8 : enregistrez-le dans cet encodage",
  "its encoding is not declared: read as {field}, which is a guess":
    "son encodage n’est pas indiqué : lu comme {field}, ce qui est une supposition",
  "its encoding is not {field}, as it declares: read as {command}":
    "son encodage n’est pas {field}, comme indiqué : lu comme {command}",
  "{reason} ({n} game)": "{reason} ({n} partie)",
  "{reason} ({n} games)": "{reason} ({n} parties)",
  "{about} cannot be text": "{about} ne peut pas être du texte",
  "there is no game {n}: it has {n2}": "il n’y a pas de partie {n} : le fichier en a {n2}",
  "these are {n} games; at most {n2} are read at once":
    "ce sont {n} parties ; au plus {n2} sont lues à la fois",
  "line {n}: {reason}": "ligne {n} : {reason}",
  "line {n} begins with another game or board than line 1":
    "la ligne {n} commence par un autre jeu ou plateau que la ligne 1",
  "this is not a game record: the line is no JSON":
    "ce n’est pas un enregistrement de partie : la ligne n’est pas du JSON",
  "this is not a game record: it is nested too deeply":
    "ce n’est pas un enregistrement de partie : il est trop imbriqué",
  "this is not a game record: it needs the fields {command}":
    "ce n’est pas un enregistrement de partie : il lui faut les champs {command}",
  "this is not a game record: seats and actions must be texts":
    "ce n’est pas un enregistrement de partie : seats et actions doivent être des textes",
  "this is not a game record: 'opening' or 'notes' is malformed":
    "ce n’est pas un enregistrement de partie : « opening » ou « notes » est mal formé",
  "this is not a game record: 'opening' must be from 0 to its {n} actions":
    "ce n’est pas un enregistrement de partie : « opening » doit être compris entre 0 et ses {n} coups",
  "this is not a game record: payoffs must be numbers, or null":
    "ce n’est pas un enregistrement de partie : payoffs doit être des nombres, ou null",
  "this is not a game record: payoffs must be shares":
    "ce n’est pas un enregistrement de partie : payoffs doit être des parts",
  "this is not a game record: half a character is in it":
    "ce n’est pas un enregistrement de partie : il contient un demi-caractère",
  "the options of a record must be words, not {field}":
    "les options d’un enregistrement doivent être des mots, pas {field}",
  "the record names {n} seats, but {game} has {n2} players":
    "l’enregistrement nomme {n} places, mais {game} a {n2} joueurs",
  "the record gives payoffs, but its game is not over":
    "l’enregistrement donne un résultat, mais la partie n’est pas finie",
  "the record gives payoffs {field}, but the rules give {command}":
    "l’enregistrement donne le résultat {field}, mais les règles donnent {command}",
  "this is not SGF: it has no game, which begins with '(;'":
    "ce n’est pas du SGF : il n’a pas de partie, qui commence par « (; »",
  "this SGF cannot be read: {command}": "ce SGF est illisible : {command}",
  "this SGF has more than {n} nodes": "ce SGF a plus de {n} nœuds",
  "the lines of this SGF have more than {n} moves and marks in all":
    "les variantes de ce SGF ont plus de {n} coups et marques en tout",
  "it does not say which game it is; there must be {command}":
    "il ne dit pas de quel jeu il s’agit ; il faut {command}",
  "it has GM[{field}]: this is GGF, or should have GM[2]":
    "il a GM[{field}] : c’est du GGF, ou cela devrait être GM[2]",
  "it has {field}; there must be {command}": "il a {field} ; il faut {command}",
  "its board, {field}, is not a square": "son plateau, {field}, n’est pas un carré",
  "a board has from 2 to {n} rows, not {n2}": "un plateau a de 2 à {n} rangées, pas {n2}",
  "more than {n} nodes set up stones before the first move":
    "plus de {n} nœuds posent des pierres avant le premier coup",
  "its variations begin with different set-ups": "ses variantes commencent par des positions différentes",
  "the rules do not allow the set-up stones in turn":
    "les règles ne permettent pas ces pierres à tour de rôle",
  "another property of the node sets up the same cell":
    "une autre propriété du nœud pose la même case",
  "PSQ has no set-up stones; take SGF or JSON lines":
    "PSQ n’a pas de pierres posées ; prenez SGF ou des lignes JSON",
  "the node after move {n} has several moves": "le nœud après le coup {n} a plusieurs coups",
  "stones are set up after move {n}, not at the beginning":
    "des pierres sont posées après le coup {n}, pas au début",
  "there is no {format} for {game}, only for {command}; take JSON lines":
    "il n’y a pas de {format} pour {game}, seulement pour {command} ; prenez des lignes JSON",
  "there is no SGF of a game of Hex that player 2 begins; take JSON lines":
    "il n’y a pas de SGF d’une partie de Hex que le joueur 2 commence ; prenez des lignes JSON",
  "there is no SGF of a game whose players chose colours; take JSON lines":
    "il n’y a pas de SGF d’une partie dont les joueurs ont choisi les couleurs ; prenez des lignes JSON",
  "PSQ has no choice of colours; take JSON lines":
    "PSQ n’a pas de choix des couleurs ; prenez des lignes JSON",
  ["PSQ is for {n} in a row by the rules {command}, not for {n2} in a row, {rule}; take SGF or JSON "
    + "lines"]:
    "PSQ est pour {n} alignés selon les règles {command}, pas pour {n2} alignés, {rule} ; prenez du "
      + "SGF ou des lignes JSON",
  "this is not PSQ: it has no line that begins with {field}":
    "ce n’est pas du PSQ : aucune ligne ne commence par {field}",
  "this PSQ has more than {n} lines in a game": "ce PSQ a plus de {n} lignes dans une partie",
  "the header of a PSQ is such as '{field}'": "l’en-tête d’un PSQ est comme « {field} »",
  "its board of {n} x {n2} cells is not square": "son plateau de {n} x {n2} cases n’est pas carré",
  ["it was played by the rule '{field}', which is not known: if it is one of {command}, convert the "
    + "file with {agent}"]:
    "la partie a été jouée avec la règle « {field} », inconnue : si c’est l’une de {command}, "
      + "convertissez le fichier avec {agent}",
  "it was played by the rule {field}, not {command} as you gave":
    "la partie a été jouée avec la règle {field}, pas {command} comme indiqué",
  "its rule is {field}, but its board has {n} rows": "sa règle est {field}, mais son plateau a {n} rangées",
  "{field} is {what}, which is not supported": "{field} est {what}, ce qui n’est pas pris en charge",
  "a handicap": "un handicap",
  "a random board, which BO does not give": "plateau aléatoire, que BO n’indique pas",
  "an unknown variant": "variante inconnue",
  "it declares {field}, but by the rules the result is: {result}":
    "elle indique {field}, mais selon les règles le résultat est : {result}",
  "{result} (declared)": "{result} (déclaré)",
  "this is not GGF: it has no game from '(;' to ';)'":
    "ce n’est pas du GGF : il n’a pas de partie de « (; » à « ;) »",
  "this GGF has more than {n} properties in a game": "ce GGF a plus de {n} propriétés dans une partie",
  "this GGF cannot be read: {where} there is no property such as {field}":
    "ce GGF est illisible : {where}, il n’y a pas de propriété comme {field}",
  "after move {n}": "après le coup {n}",
  "before its first move": "avant son premier coup",
  "its board, {field}, is not a number of cells along a side":
    "son plateau, {field}, n’est pas un nombre de cases par côté",
  "{field} is a game with {what}, which is not supported":
    "{field} est un jeu avec {what}, ce qui n’est pas pris en charge",
  "the fewer discs winning": "victoire du plus petit nombre de pions",
  ["{field} is no board of {n} x {n2}: a sign for each cell, *, O or -, and the player to move"]:
    "{field} n’est pas un plateau de {n} x {n2} : un signe par case, *, O ou -, et le joueur au trait",
  "this is not a WTHOR file: it is shorter than a header of 16 bytes":
    "ce n’est pas un fichier WTHOR : il est plus court qu’un en-tête de 16 octets",
  "this WTHOR file is of boards of {n} x {n2}; only 8 x 8 is read":
    "ce fichier WTHOR a des plateaux de {n} x {n2} ; seul 8 x 8 est lu",
  "this WTHOR file holds problems, not games": "ce fichier WTHOR contient des problèmes, pas des parties",
  "this is not a WTHOR file: its header counts {n} games, which take {n2} bytes, but it has {n3}":
    "ce n’est pas un fichier WTHOR : son en-tête compte {n} parties, soit {n2} octets, mais il en a {n3}",
  "this WTHOR file holds no game": "ce fichier WTHOR ne contient pas de partie",
  "move {n}, {field}: {reason}": "coup {n}, {field} : {reason}",
  "set-up {field}: {reason}": "mise en place {field} : {reason}",
  "there is no such cell": "cette case n’existe pas",
  "it comes after the end of the game": "il vient après la fin de la partie",
  "not allowed": "non autorisé",
  "there is no ply {n}: the game has {n2}": "il n’y a pas de demi-coup {n} : la partie en a {n2}",
  "a mark is a shape ({command}) with a spot, not '{field}'":
    "une marque est une forme ({command}) avec une case, pas « {field} »",
  "the move '{field}' stands twice after one position":
    "le coup « {field} » figure deux fois après une position",
  "it is the turn of {name}": "c’est le tour de {name}",
  "a player who can move must not pass": "un joueur qui peut jouer ne doit pas passer",
  "there is no such cell on a board of {n} x {n2}": "cette case n’existe pas sur un plateau de {n} x {n2}",
  "the rules do not allow it there": "les règles ne le permettent pas à cet endroit",
  "only the first stone can be swapped, and at once":
    "seule la première pierre peut être échangée, et tout de suite",
  "another program that speaks GTP, Piskvork's or NBoard's protocol, or JSON lines":
    "un autre programme qui parle GTP, le protocole de Piskvork ou de NBoard, ou des lignes JSON",
  "a person at the terminal": "une personne au terminal",
  // Actions
  "pass": "passer",
  "swap": "échange",
  "more": "deux autres pierres",
  "pick": "prendre",
  "take {n} from {heap}": "prendre {n} de {heap}",
  "take {n}": "prendre {n}",
  // Results
  "{name} wins": "{name} gagne",
  "{name} wins: {loser} resigned": "{name} gagne : {loser} a abandonné",
  "{name} wins: {loser} ran out of time": "{name} gagne : {loser} a dépassé le temps",
  "a draw": "partie nulle",
  "broken off": "interrompue",
  // Resources, cards and buildings of Catan
  "wood": "bois",
  "brick": "argile",
  "wool": "laine",
  "grain": "blé",
  "ore": "minerai",
  "desert": "désert",
  "any": "tout",
  "nothing": "rien",
  "road": "route",
  "settlement": "colonie",
  "city": "ville",
  "development card": "carte développement",
  "knight": "chevalier",
  "victory point": "point de victoire",
  "road building": "construction de routes",
  "year of plenty": "invention",
  "monopoly": "monopole",
  // Refusals of moves and records
  "move {n} of a variation: {reason}": "coup {n} d’une variante : {reason}",
  "action {n} of the record, {who} to move: {reason}":
    "action {n} de l’enregistrement, {who} au trait : {reason}",
  "action {n} of the record: '{name}' comes after the end of the game":
    "action {n} de l’enregistrement : « {name} » vient après la fin de la partie",
  "'{name}' cannot be played: the game is over": "« {name} » ne peut pas être joué : la partie est terminée",
  "'{name}' is not legal here: {reason}": "« {name} » n’est pas légal ici : {reason}",
  "'{name}' is not legal here; legal: {list}": "« {name} » n’est pas légal ici ; légaux : {list}",
  "this is not a game record: {reason}": "ce n’est pas l’enregistrement d’une partie : {reason}",
  "the line is no JSON": "la ligne n’est pas du JSON",
  "there is no game in this text": "il n’y a pas de partie dans ce texte",
  "this move is not legal here": "ce coup n’est pas légal ici",
  "forbidden: {rule}": "interdit : {rule}",
  "{agent} needs a limit: write {spec}": "{agent} a besoin d’une limite : écrivez {spec}",
  "there is no agent '{name}'; agents: {list}": "il n’y a pas de programme « {name} » ; programmes : {list}",
  "{name} must be {allowed}, not {value}": "{name} doit être {allowed}, pas {value}",
  "a search takes too long here": "une recherche prend trop de temps ici",
  "the message is not understood: {reason}": "le message est incompréhensible : {reason}",
  // Explanations of positions
  "{tiles}": "{tiles}",
  "production": "production",
  "corner": "croisement",
  "{who} expects {n} cards a throw, in pips: {tiles}":
    "{who} attend {n} cartes par lancer, en points : {tiles}",
  "{who} expects {n} cards a throw": "{who} attend {n} cartes par lancer",
  "{tiles}: {n} pips ({tiles2})": "{tiles} : {n} points ({tiles2})",
  "{tiles}: {n} pips": "{tiles} : {n} points",
  "{tiles} ({n} pips)": "{tiles} ({n} points)",
  "the robber blocks a tile": "le voleur bloque une tuile",
  "{who} has a city, two cards each": "{who} a une ville, deux cartes chacune",
  "{who} has a settlement": "{who} a une colonie",
  "too near to a building": "trop près d’un bâtiment",
  "port 3:1": "port 3:1",
  "port 2:1 for {card}": "port 2:1 pour {card}",
  "{who}'s road: opens no corner to settle": "route de {who} : n’ouvre aucun croisement où bâtir",
  "{who}'s road: opens: {sites}, with one road more: {more}":
    "route de {who} : ouvre : {sites}, avec une route de plus : {more}",
  "{who}'s road: opens: {sites}": "route de {who} : ouvre : {sites}",
  "{who}'s road: with one road more: {more}": "route de {who} : avec une route de plus : {more}",
  "{sites}, with one road more: {more}": "{sites}, avec une route de plus : {more}",
  "or": "ou",
  "two": "deux",
  "three": "trois",
  "four": "quatre",
  "five": "cinq",
  "open two": "deux ouvert",
  "open three": "trois ouvert",
  "open four": "quatre ouvert",
  "open five": "cinq ouvert",
  "a two": "un deux",
  "a three": "un trois",
  "a four": "un quatre",
  "a five": "un cinq",
  "an open two": "un deux ouvert",
  "an open three": "un trois ouvert",
  "an open four": "un quatre ouvert",
  "an open five": "un cinq ouvert",
  "a row of three": "une rangée de trois",
  "a row of four": "une rangée de quatre",
  "a row of five": "une rangée de cinq",
  "a row of six": "une rangée de six",
  "{who} has {threat}: {cells} completes {row}": "{who} a {threat} : {cells} complète {row}",
  "{who} has {threat}: {cells} makes {row}": "{who} a {threat} : {cells} en fait {row}",
  "forced win": "gain forcé",
  "{who} wins at once: {moves}": "{who} gagne aussitôt : {moves}",
  "{who} wins by force within {n} plies: {moves}": "{who} gagne de force en {n} demi-coups : {moves}",
  "no stone stops all threats": "aucune pierre n’arrête toutes les menaces",
  "winning chain": "chaîne gagnante",
  "stones of {who} join both sides": "des pierres de {who} relient les deux bords",
  ["{who} wins: a chain of bridges and neighbours reaches both sides, and each bridge is completed when it "
    + "is attacked"]:
    "{who} gagne : une chaîne de ponts et de voisins atteint les deux bords, et chaque pont se ferme quand "
    + "il est attaqué",
  "bridge": "pont",
  "between {one} and {two}: if {three} is taken, {four} joins them, and the other way round":
    "entre {one} et {two} : si {three} est pris, {four} les relie, et inversement",
  "the side": "le bord",
  "dead cell": "case morte",
  "a stone on {cells} changes nothing, whoever places it":
    "une pierre en {cells} ne change rien, quel que soit celui qui la pose",
  "stable disc": "pion stable",
  "1 disc of {who} can never be turned over": "1 pion de {who} ne peut plus jamais être retourné",
  "{n} discs of {who} can never be turned over": "{n} pions de {who} ne peuvent plus jamais être retournés",
  "turned over": "retourné",
  "a disc on {cell} turns over {n}: {cells}": "un pion en {cell} en retourne {n} : {cells}",
  // Proofs of puzzles
  "all other moves are proven not to win": "il est prouvé qu’aucun autre coup ne gagne",
  "a search of {n} nodes finds no other winning move":
    "une recherche de {n} nœuds ne trouve aucun autre coup gagnant",
  // Statistics of a game of Catan
  "Throws": "Lancers",
  "cards from throws": "cartes des lancers",
  "expected": "attendues",
  "luck": "chance",
  "blocked by the robber": "bloquées par le voleur",
  "Robber": "Voleur",
  "times moved": "déplacements",
  "cards stolen": "cartes volées",
  "cards lost to thieves": "cartes perdues par vol",
  "cards discarded": "cartes défaussées",
  "Trade": "Commerce",
  "trades with the bank": "échanges avec la banque",
  "cards given to the bank": "cartes données à la banque",
  "trades with players": "échanges avec des joueurs",
  "cards given to players": "cartes données aux joueurs",
  "cards received from players": "cartes reçues des joueurs",
  "Development cards": "Cartes développement",
  "bought": "achetées",
  "knights played": "chevaliers joués",
  "cards by year of plenty": "cartes par invention",
  "cards by monopoly": "cartes par monopole",
  "cards lost to monopolies": "cartes perdues par monopole",
  "Opening": "Mise en place",
  "first settlement": "première colonie",
  "second settlement": "seconde colonie",
  "ways of 36 to produce": "lancers productifs sur 36",
  "Longest road": "Route la plus longue",
  "Largest army": "Armée la plus puissante",
  "taken in": "obtenue au",
  "held at the end": "détenue à la fin",
  "yes": "oui",
  "turn {n}, {rest}": "tour {n}, {rest}",
  "turn {n}": "tour {n}",
  // Deals of Catan
  "{who} gives {cards} and gets {cards2}, {rest}": "{who} donne {cards} et reçoit {cards2}, {rest}",
  "{who} gives {cards}, {rest}": "{who} donne {cards}, {rest}",
  "{who} gives {cards} and gets {cards2}": "{who} donne {cards} et reçoit {cards2}",
  "{who} gives {cards}": "{who} donne {cards}",
  "the robber goes to {place}": "le voleur va sur {place}",
  "that builds {who} a settlement at {place}": "cela construit à {who} une colonie en {place}",
  "that builds {who} a city at {place}": "cela construit à {who} une ville en {place}",
  "that builds {who} a road at {place}": "cela construit à {who} une route en {place}",
  // What happened in Catan
  "rated {n} Elo points above random play (95 % interval {n2} to {n3}) with {limits}":
    "{n} points Elo au-dessus du jeu au hasard (intervalle à 95 % {n2} à {n3}) avec {limits}",
  "rated {n} Elo points above random play (95 % interval {n2} to {n3})":
    "{n} points Elo au-dessus du jeu au hasard (intervalle à 95 % {n2} à {n3})",
  "won {n} % of {n2} games against {method} at {n3} s a move":
    "a gagné {n} % de {n2} parties contre {method} à {n3} s par coup",
  "{n} simulations a move": "{n} simulations par coup",
  "{first}; {rest}": "{first} ; {rest}",
  "{who} rolled {n}: {what}": "{who} a lancé {n} : {what}",
  "{who} gets {cards}, {rest}": "{who} reçoit {cards}, {rest}",
  "{who} gets {cards}": "{who} reçoit {cards}",
  "no player gets a card": "personne ne reçoit de carte",
  "no player must discard": "personne ne doit défausser",
  "{who} must discard {n} cards, {rest}": "{who} doit défausser {n} cartes, {rest}",
  "{who} must discard {n} cards": "{who} doit défausser {n} cartes",
  "{who} stole a card from {whom}": "{who} a volé une carte à {whom}",
  "{who} stole {cards} from {whom}": "{who} a volé {cards} à {whom}",
  "{who} bought a development card: {card}": "{who} a acheté une carte développement : {card}",
  "{who} bought a development card": "{who} a acheté une carte développement",
  "{who} discarded {cards}": "{who} a défaussé {cards}",
  "{who} built a settlement at {place} and got {cards}":
    "{who} a construit une colonie à {place} et reçu {cards}",
  "{who} built a settlement at {place}": "{who} a construit une colonie à {place}",
  "{who} built a city at {place}": "{who} a construit une ville à {place}",
  "{who} built a road at {place}": "{who} a construit une route à {place}",
  "{who} moved the robber to {place}": "{who} a déplacé le voleur vers {place}",
  "{who} played a knight": "{who} a joué un chevalier",
  "{who} played road building": "{who} a joué construction de routes",
  "{who} played year of plenty and took {cards}": "{who} a joué invention et pris {cards}",
  "{who} played monopoly and took {card}: {what}": "{who} a joué monopole et pris {card} : {what}",
  "{n} from {who}, {rest}": "{n} de {who}, {rest}",
  "{n} from {who}": "{n} de {who}",
  "{who} traded {cards} for {cards2} with the bank": "{who} a échangé {cards} contre {cards2} avec la banque",
  "{who} traded {cards} for {cards2} with {whom}": "{who} a échangé {cards} contre {cards2} avec {whom}",
  "{what} ({why})": "{what} ({why})",
  "{who} made a counter-offer: {cards} for {cards2}":
    "{who} a fait une contre-offre : {cards} contre {cards2}",
  "{who} offered {cards} for {cards2}": "{who} a proposé {cards} contre {cards2}",
  "{who} accepted": "{who} a accepté",
  "{who} refused, and so have all": "{who} a refusé, comme tous les autres",
  "{who} refused": "{who} a refusé",
  "{who} withdrew the offer": "{who} a retiré l’offre",
  "{who} takes the longest road from {whom}": "{who} prend la route la plus longue à {whom}",
  "{who} takes the longest road": "{who} obtient la route la plus longue",
  "{who} loses the longest road": "{who} perd la route la plus longue",
  "{who} takes the largest army from {whom}": "{who} prend l’armée la plus puissante à {whom}",
  "{who} takes the largest army": "{who} obtient l’armée la plus puissante",
  "{who} wins with {n} points": "{who} gagne avec {n} points",
  "{who} has won with {n} points": "{who} a gagné avec {n} points",
  "the game ends after {n} turns": "la partie se termine après {n} tours",
  // What happens in Catan now
  "{who} places a settlement": "{who} place une colonie",
  "{who} places a road beside the settlement": "{who} place une route à côté de la colonie",
  "{who} is about to roll": "{who} va lancer les dés",
  "{who} rolls the dice": "{who} lance les dés",
  "{who} discards: {n} cards to go": "{who} défausse : encore {n} cartes",
  "{who} discards: 1 card to go": "{who} défausse : encore 1 carte",
  "{who} moves the robber": "{who} déplace le voleur",
  "{who} chooses whom to rob": "{who} choisit qui voler",
  "{who} steals a card from {whom}": "{who} vole une carte à {whom}",
  "{who} has rolled {n}, and builds, trades or ends the turn":
    "{who} a lancé {n}, et construit, commerce ou finit son tour",
  "{who} places roads that cost nothing: {n} to go": "{who} place des routes gratuites : encore {n}",
  "{who} draws a development card": "{who} pioche une carte développement",
  "{who} composes an offer": "{who} compose une offre",
  "{who} answers the offer": "{who} répond à l’offre",
  "{who} composes a counter-offer": "{who} compose une contre-offre",
  "{who} chooses whom to trade with": "{who} choisit avec qui commercer",
  // Why a computer trades or refuses
  "{cards} makes more of its hand than {cards2}": "{cards} améliore davantage sa main que {cards2}",
  "{cards} would make no more of its hand than {cards2}":
    "{cards} n’améliorerait pas davantage sa main que {cards2}",
  "it does not hold {cards}, or would rather keep it": "n’a pas {cards}, ou préfère le garder",
  "it does not hold {cards}": "n’a pas {cards}",
  "it would help, but it keeps its cards for now": "cela aiderait, mais il garde ses cartes pour l’instant",
  "{who} is too close to winning, with {n} of {n2} points":
    "{who} est trop près de gagner, avec {n} points sur {n2}",
  "no other player who agreed has fewer points": "aucun autre joueur d’accord n’a moins de points",
  "{who} has the fewest points of those who agreed":
    "{who} a le moins de points parmi ceux qui étaient d’accord",
  // Actions of Catan
  "settlement at {place}": "colonie en {place}",
  "city at {place}": "ville en {place}",
  "road at {place}": "route en {place}",
  "robber to {place}": "voleur sur {place}",
  "settlement {n}": "colonie {n}",
  "city {n}": "ville {n}",
  "road {n}": "route {n}",
  "robber {n}": "voleur {n}",
  "rob player {n}": "voler joueur {n}",
  "roll": "lancer les dés",
  "end turn": "finir le tour",
  "buy card": "acheter une carte",
  "play knight": "jouer chevalier",
  "play road building": "jouer construction de routes",
  "roll the dice": "lancer les dés",
  "end the turn": "finir le tour",
  "buy a development card": "acheter une carte de développement",
  "play a knight": "jouer un chevalier",
  "propose it": "proposer l’échange",
  "withdraw the offer": "retirer l’offre",
  "offer a trade: first give": "proposer un échange : donner d’abord",
  "make a counter-offer: first give": "faire une contre-offre : donner d’abord",
  "give one more": "en donner une de plus",
  "ask for one more": "en demander une de plus",
  "play year of plenty": "jouer invention",
  "play monopoly": "jouer monopole",
  "trade with the bank": "échanger avec la banque",
  "discard a card": "défausser une carte",
  "discard {n} cards: first": "défausser {n} cartes : d’abord",
  "play monopoly {card}": "jouer monopole sur {card}",
  "{cards} for {cards2}": "{cards} contre {cards2}",
  "offer {cards} for {cards2}": "proposer {cards} contre {cards2}",
  "accept": "accepter",
  "refuse": "refuser",
  "withdraw": "retirer",
  "trade with player {n}": "échanger avec joueur {n}",
  // How a computer finds its moves
  "{name} (seat {n})": "{name} (place {n})",
  "{method}, {n} simulations a move": "{method}, {n} simulations par coup",
  "{method}, {n} plies ahead": "{method}, {n} demi-coups d’avance",
  "{method}, 1 ply ahead": "{method}, 1 demi-coup d’avance",
  "{method}, {n} s a move": "{method}, {n} s par coup",
  "any legal move": "n’importe quel coup permis",
  "sensible moves without looking ahead": "coups sensés sans anticiper",
  "the best next position by the game's heuristic":
    "la meilleure position suivante selon l’heuristique du jeu",
  "minimax with the game's heuristic": "minimax avec l’heuristique du jeu",
  "minimax with a simple heuristic": "minimax avec une heuristique simple",
  "minimax without a heuristic": "minimax sans heuristique",
  "minimax with the patterns {name}": "minimax avec les motifs {name}",
  "the exact solver": "la solution exacte",
  "tree search with rollouts": "recherche arborescente avec parties simulées",
  "tree search with rollouts by the rule of thumb":
    "recherche arborescente avec parties selon une règle simple",
  "tree search with short rollouts and the game's heuristic":
    "recherche arborescente avec de courtes parties et l’heuristique du jeu",
  "tree search with the network {name}": "recherche arborescente avec le réseau {name}",
  "tree search with the value network {name}": "recherche arborescente avec le réseau de valeur {name}",
  "the network {name} alone": "le réseau {name} seul",
  "the best next position by the network {name}": "la meilleure position suivante selon le réseau {name}",
  "{how}, but sees wins and losses in one move": "{how}, mais voit les gains et pertes en un coup",
  "plays almost at random": "joue presque au hasard",
  "errs often, and gravely": "se trompe souvent et gravement",
  "errs often": "se trompe souvent",
  "errs now and then": "se trompe parfois",
  "errs slightly": "fait de petites erreurs",
  "draws its moves by their probabilities": "tire ses coups selon leurs probabilités",
  // Options of games
  "size": "taille",
  "first": "premier",
  "in a row": "alignées",
  "rule": "règle",
  "opening": "ouverture",
  "payoff": "score",
  "stones": "pierres",
  "take": "maximum",
  "heaps": "tas",
  "misere": "misère",
  "row": "rangée",
  "players": "joueurs",
  "board": "plateau",
  "victory points": "points de victoire",
  "discard limit": "limite de main",
  "the robber": "le voleur",
  "robber": "voleur",
  "development cards": "cartes développement",
  "domestic trade": "commerce",
  "trade between players": "commerce entre joueurs",
  "deals": "accords",
  "hidden hands": "mains cachées",
  "friendly robber": "voleur amical",
  "max turns": "tours au plus",
  "max actions": "actions au plus",
  "none": "aucune",
  "freestyle": "libre",
  "standard": "standard",
  "swap2": "swap2",
  "renju": "renju",
  "win": "victoire",
  "discs": "pions",
  "points": "points",
  "random": "au hasard",
  "beginner": "débutant",
  "balanced": "équilibré",
  "cells along a side": "cases par côté",
  "the second player may take over the first stone": "le second joueur peut reprendre la première pierre",
  "the player who moves first; player 1 joins rows, player 2 columns":
    "le joueur qui commence ; le joueur 1 relie les rangées, le joueur 2 les colonnes",
  "stones in a row that win; if they do not fit on the board, all games are draws":
    "pierres alignées qui gagnent ; si elles ne tiennent pas sur le plateau, toutes les parties sont "
    + "nulles",
  ["freestyle: longer rows win too; standard: they do not; renju: they win for White, and Black must "
    + "not make one, nor two fours or two threes at once"]:
    "libre : les rangées plus longues gagnent aussi ; standard : non ; renju : elles gagnent pour les "
    + "blancs, et les noirs ne doivent en former aucune, ni deux quatre ou deux trois à la fois",
  ["swap: player 1 places two black stones and a white one, player 2 chooses a colour; swap2: player 2 "
    + "may also place one stone more of each, and player 1 chooses"]:
    "swap : le joueur 1 pose deux pierres noires et une blanche, le joueur 2 choisit une couleur ; "
    + "swap2 : le joueur 2 peut aussi poser une pierre de plus de chaque, et le joueur 1 choisit",
  "cells along a side, an even number": "cases par côté, un nombre pair",
  "the stones from which the game begins": "les pierres avec lesquelles la partie commence",
  "the winner takes all, or shares by cells": "le gagnant prend tout, ou parts selon les cases",
  "stones of a single heap": "pierres d’un seul tas",
  "maximum stones per move": "nombre maximal de pierres par coup",
  "heap sizes like 1,3,5,7 (at most {n} heaps and {n2} stones), or empty for one heap of stones":
    "tailles des tas comme 1,3,5,7 (au plus {n} tas et {n2} pierres), ou vide pour un seul tas",
  "the player who takes the last stone loses": "qui prend la dernière pierre perd",
  "a row like 0110010201 of up to {n} cells: 0 empty, 1 copper, and 2 gold exactly once":
    "une rangée comme 0110010201 d’au plus {n} cases : 0 vide, 1 cuivre et une seule fois 2 or",
  "seats": "places",
  "random, beginner, balanced, or a layout as JSON": "random, beginner, balanced, ou une disposition en JSON",
  "points that win on the player's own turn": "points qui gagnent pendant son propre tour",
  "cards in a hand above which a 7 discards half":
    "cartes en main au-delà desquelles un 7 en défausse la moitié",
  "deals of several players, also about the robber and buildings":
    "accords entre plusieurs joueurs, aussi sur le voleur et les constructions",
  "players see only their own hand": "chaque joueur ne voit que sa main",
  "the robber spares players with at most 2 public points":
    "le voleur épargne les joueurs ayant au plus 2 points visibles",
  "the winner takes all, or shares by points": "le gagnant prend tout, ou parts selon les points",
  "turns after which the win is shared by points":
    "tours après lesquels la victoire est partagée selon les points",
  "players' actions after which the win is shared by points; 0: no limit":
    "actions des joueurs après lesquelles la victoire est partagée selon les points ; 0 : sans limite",
  // The rules in short, and lessons: Hex
  ["Two players place one stone each in turn on a free cell of the diamond. Stones are never moved or "
    + "taken off."]:
    "Deux joueurs posent tour à tour une pierre sur une case libre du losange. Les pierres ne sont "
    + "jamais déplacées ni retirées.",
  ["Player 1 wins with a chain of stones from the top to the bottom, player 2 with one from the left to "
    + "the right. One of the two always succeeds: there is no draw."]:
    "Le joueur 1 gagne avec une chaîne de pierres du haut vers le bas, le joueur 2 avec une de gauche à "
    + "droite. L’un des deux y parvient toujours : il n’y a pas de nulle.",
  "With the swap rule, the second player may take over the first stone instead of a move.":
    "Avec la règle d’échange, le second joueur peut reprendre la première pierre au lieu de jouer.",
  ["Hex is played on a diamond of hexagons. You are player 1, and your sides are the top and the "
    + "bottom. In turn, each player places one stone on a free cell. Place a stone anywhere."]:
    "Hex se joue sur un losange d’hexagones. Vous êtes le joueur 1, et vos côtés sont le haut et le bas. "
    + "Tour à tour, chacun pose une pierre sur une case libre. Posez une pierre n’importe où.",
  "Now it is the opponent's turn. Stones stay where they are to the end":
    "C’est maintenant à l’adversaire. Les pierres restent en place jusqu’à la fin",
  ["You win as soon as your stones join the top and the bottom. Your chain is one stone short. Complete "
    + "it."]:
    "Vous gagnez dès que vos pierres relient le haut et le bas. Il manque une pierre à votre chaîne. "
    + "Complétez-la.",
  ["Your stones join your sides: you win. A cell has six neighbours, so two cells of the last row "
    + "completed the chain"]:
    "Vos pierres relient vos côtés : vous gagnez. Une case a six voisines ; deux cases de la dernière "
    + "rangée complétaient donc la chaîne",
  "That stone does not join your chain to the bottom. Try a cell below c3":
    "Cette pierre ne relie pas votre chaîne au bas. Essayez une case sous c3",
  ["The opponent joins left and right, and needs one more stone. Stop it: place your stone where it "
    + "would win."]:
    "L’adversaire relie la gauche et la droite, et il lui manque une pierre. Arrêtez-le : posez la vôtre "
    + "là où il gagnerait.",
  ["The way to the right is closed. To block is the same as to join: if one player is cut off, the "
    + "other one is connected"]:
    "Le passage à droite est fermé. Bloquer revient à relier : si l’un est coupé, l’autre est connecté",
  "The opponent wins at d3 now. Look for the free cell to the right of c3":
    "L’adversaire gagne maintenant en d3. Cherchez la case libre à droite de c3",
  ["Two of your stones with two free cells between them form a bridge: if the opponent takes one of "
    + "these cells, you take the other. The opponent has just played c3. Keep your stones c2 and b4 "
    + "connected."]:
    "Deux de vos pierres séparées par deux cases libres forment un pont : si l’adversaire prend l’une de "
    + "ces cases, vous prenez l’autre. L’adversaire vient de jouer c3. Gardez vos pierres c2 et b4 "
    + "reliées.",
  "The bridge holds. Bridges reach two rows with one stone, and cannot be cut":
    "Le pont tient. Un pont franchit deux rangées avec une pierre, et ne peut être coupé",
  "Then b3 would cut c2 from b4. Take the other cell of the bridge":
    "Alors b3 couperait c2 de b4. Prenez l’autre case du pont",
  ["A first stone in the centre is worth a lot. Therefore the swap rule lets the second player take it "
    + "over. You are player 2, and the first stone is in the centre. Take it over: choose swap."]:
    "Une première pierre au centre vaut beaucoup. La règle d’échange permet donc au second joueur de la "
    + "reprendre. Vous êtes le joueur 2, et la première pierre est au centre. Reprenez-la : choisissez "
    + "échange.",
  ["The stone is yours now, mirrored to your sides. So the first player had better choose a stone that "
    + "is neither strong nor weak"]:
    "La pierre est à vous, en miroir sur vos côtés. Le premier joueur a donc intérêt à choisir une "
    + "pierre ni forte ni faible",
  "That is allowed, but the stone in the centre is better. Choose swap":
    "C’est permis, mais la pierre du centre est meilleure. Choisissez échange",
  ["Without the swap rule, the centre is the best beginning: from there bridges lead to both of your "
    + "sides. Play it."]:
    "Sans la règle d’échange, le centre est le meilleur début : de là, des ponts mènent à vos deux "
    + "côtés. Jouez-le.",
  "You know all the rules of Hex": "Vous connaissez toutes les règles de Hex",
  "That is not the centre. It is c3": "Ce n’est pas le centre. C’est c3",
  // Gomoku
  ["Two players place one stone each in turn on a free crossing; Black begins. Stones are never moved "
    + "or taken off."]:
    "Deux joueurs posent tour à tour une pierre sur une intersection libre ; les noirs commencent. Les "
    + "pierres ne sont jamais déplacées ni retirées.",
  ["Five stones of a colour in an unbroken row, across, down or diagonally, win. If the board is full, "
    + "the game is a draw."]:
    "Cinq pierres d’une couleur alignées sans trou, en ligne, en colonne ou en diagonale, gagnent. Si le "
    + "plateau est plein, la partie est nulle.",
  ["The options know further rules: exactly five (standard), Black's forbidden moves (renju), and "
    + "openings that make the game fair."]:
    "Les options offrent d’autres règles : exactement cinq (standard), les coups interdits aux noirs "
    + "(renju), et des ouvertures qui équilibrent le jeu.",
  ["Gomoku is played on the crossings of a board. You are Black and begin. In turn, each player places "
    + "one stone. Place a stone near the middle."]:
    "Gomoku se joue sur les intersections d’un plateau. Vous avez les noirs et commencez. Tour à tour, "
    + "chacun pose une pierre. Posez une pierre près du milieu.",
  "From the middle a row can grow in every direction":
    "Du milieu, une rangée peut grandir dans toutes les directions",
  "At the edge a row has less room. The middle is h8":
    "Au bord, une rangée a moins de place. Le milieu est h8",
  "Five in a row win. You have four, and both ends are free. Complete the row.":
    "Cinq alignées gagnent. Vous en avez quatre, et les deux bouts sont libres. Complétez la rangée.",
  "Five in a row: you win": "Cinq alignées : vous gagnez",
  "That does not make five. Place a stone at one end of the row":
    "Cela n’en fait pas cinq. Posez une pierre à un bout de la rangée",
  "White has four in a row, and would win next. Block the end that is free.":
    "Les blancs en ont quatre alignées et gagneraient au prochain coup. Bloquez le bout libre.",
  "The row of White is closed at both ends, and worth nothing now":
    "La rangée des blancs est fermée aux deux bouts et ne vaut plus rien",
  "White now wins at l8": "Les blancs gagnent maintenant en l8",
  ["Three in a row with free ends are an open three. With one more stone they become an open four, "
    + "whose two ends the opponent cannot block at once. Make an open four."]:
    "Trois alignées aux bouts libres sont un trois ouvert. Avec une pierre de plus, elles deviennent un "
    + "quatre ouvert, dont l’adversaire ne peut bloquer les deux bouts à la fois. Formez un quatre ouvert.",
  "White can close one end only: you win with the next stone":
    "Les blancs ne peuvent fermer qu’un bout : vous gagnez à la pierre suivante",
  "That makes no open four: its stones must be next to each other":
    "Ce n’est pas un quatre ouvert : ses pierres doivent se toucher",
  "White has an open three. If you do not answer it, White makes an open four. Defend beside the row.":
    "Les blancs ont un trois ouvert. Si vous ne répondez pas, ils forment un quatre ouvert. Défendez à "
    + "côté de la rangée.",
  "An open three must be answered at once, unless you have four yourself":
    "Il faut répondre aussitôt à un trois ouvert, sauf si vous avez vous-même quatre",
  "White makes an open four now, and wins": "Les blancs forment maintenant un quatre ouvert et gagnent",
  ["A stone that makes two open threes at once is a fork: the opponent can answer only one of them. "
    + "Find the crossing where your two pairs meet."]:
    "Une pierre qui forme deux trois ouverts à la fois est une fourchette : l’adversaire ne peut "
    + "répondre qu’à l’un. Trouvez l’intersection où vos deux paires se rencontrent.",
  "Two open threes with one stone: White can stop only one. Forks win most games":
    "Deux trois ouverts d’une seule pierre : les blancs n’en arrêtent qu’un. Les fourchettes gagnent la "
    + "plupart des parties",
  "Follow the row i8, j8 and the column k9, k10 to the crossing of both":
    "Suivez la rangée i8, j8 et la colonne k9, k10 jusqu’à leur intersection",
  // Reversi
  ["Two players place one disc each in turn; Black begins. A disc must enclose discs of the opponent in "
    + "a straight line between itself and another disc of its colour."]:
    "Deux joueurs posent tour à tour un pion ; les noirs commencent. Un pion doit encadrer des pions "
    + "adverses en ligne droite entre lui et un autre pion de sa couleur.",
  ["All discs enclosed by the placed disc, in every direction, are flipped to its colour. A player "
    + "without such a move passes."]:
    "Tous les pions encadrés par le pion posé, dans toutes les directions, sont retournés à sa couleur. "
    + "Un joueur sans tel coup passe.",
  "The game ends when nobody can move. The player with more discs wins.":
    "La partie se termine quand personne ne peut jouer. Qui a le plus de pions gagne.",
  ["You are Black. A disc is placed so that it encloses discs of White in a straight line between "
    + "itself and a disc of yours; these are flipped. Dots mark where you may play. Place a disc."]:
    "Vous avez les noirs. On pose un pion de façon à encadrer des pions blancs en ligne droite entre lui "
    + "et l’un des vôtres ; ceux-ci sont retournés. Des points montrent où vous pouvez jouer. Posez un "
    + "pion.",
  "The enclosed disc is yours now": "Le pion encadré est maintenant à vous",
  "A disc flips in all eight directions at once, if it encloses. Find the move that flips three discs.":
    "Un pion retourne dans les huit directions à la fois, s’il encadre. Trouvez le coup qui retourne "
    + "trois pions.",
  "Three discs in different directions were enclosed":
    "Trois pions dans des directions différentes étaient encadrés",
  "That flips one disc. Point at the free cells beside White's discs":
    "Cela retourne un pion. Pointez les cases libres à côté des pions blancs",
  ["A disc in a corner can never be enclosed, so it is never flipped. Corners decide many games. Take "
    + "the corner."]:
    "Un pion dans un coin ne peut jamais être encadré, donc jamais retourné. Les coins décident de bien "
    + "des parties. Prenez le coin.",
  "This disc is yours to the end, and discs beside it become safe with it":
    "Ce pion est à vous jusqu’à la fin, et les pions voisins deviennent sûrs avec lui",
  "The corner a1 is free, and you can enclose discs from there":
    "Le coin a1 est libre, et vous pouvez y encadrer des pions",
  ["The cells diagonally beside the corners often give the corner to the opponent: here they are b2, "
    + "e2, b5 and e5. Make a move on another cell."]:
    "Les cases en diagonale des coins donnent souvent le coin à l’adversaire : ici b2, e2, b5 et e5. "
    + "Jouez sur une autre case.",
  "Good: the corners stay out of reach for White": "Bien : les coins restent hors de portée des blancs",
  "That cell lies diagonally beside a corner. Choose another one":
    "Cette case est en diagonale d’un coin. Choisissez-en une autre",
  ["Who can enclose nothing has to pass, and the other moves again. Find the move after which White "
    + "must pass."]:
    "Qui ne peut rien encadrer doit passer, et l’autre rejoue. Trouvez le coup après lequel les blancs "
    + "doivent passer.",
  ["White has no move and passes: it is your turn again. To have more moves than the opponent matters "
    + "more in the middle of a game than to have more discs"]:
    "Les blancs n’ont pas de coup et passent : c’est encore à vous. Avoir plus de coups que l’adversaire "
    + "compte davantage en milieu de partie qu’avoir plus de pions",
  "White can move after that. Try the first row":
    "Les blancs peuvent jouer ensuite. Essayez la première rangée",
  // Nim
  ["Two players take stones from a heap in turn: at least one, and at most as many as the option `take` "
    + "allows, all from the same heap."]:
    "Deux joueurs prennent tour à tour des pierres d’un tas : au moins une, et au plus autant que le "
    + "permet l’option « maximum », toutes du même tas.",
  "The player who takes the last stone wins. In the misère game this player loses.":
    "Qui prend la dernière pierre gagne. Dans le jeu misère, il perd.",
  ["Two players take stones in turn: one, two or three. A click on a stone takes it and all stones to "
    + "its right. Take some."]:
    "Deux joueurs prennent tour à tour des pierres : une, deux ou trois. Un clic sur une pierre la prend "
    + "avec toutes celles à sa droite. Prenez-en.",
  "Then the opponent takes one, two or three": "Ensuite l’adversaire en prend une, deux ou trois",
  "The player who takes the last stone wins. Three stones are left. Win.":
    "Qui prend la dernière pierre gagne. Il reste trois pierres. Gagnez.",
  "You took the last stone: you win": "Vous avez pris la dernière pierre : vous gagnez",
  "Now the opponent takes the rest. Take all three":
    "L’adversaire prend maintenant le reste. Prenez les trois",
  ["A player who finds four stones loses: whatever it takes, the other can take the rest. Five stones "
    + "are left. Leave four."]:
    "Qui trouve quatre pierres perd : quoi qu’il prenne, l’autre peut prendre le reste. Il reste cinq "
    + "pierres. Laissez-en quatre.",
  "Whatever the opponent takes now, you take the rest": "Quoi que prenne l’adversaire, vous prenez le reste",
  "Count what you leave: the opponent should find four stones":
    "Comptez ce que vous laissez : l’adversaire doit trouver quatre pierres",
  ["The same holds for eight, twelve and every multiple of four: answer one by three, two by two, three "
    + "by one. Seven stones are left. Leave the right number."]:
    "Il en va de même pour huit, douze et tout multiple de quatre : répondez à un par trois, à deux par "
    + "deux, à trois par un. Il reste sept pierres. Laissez-en le bon nombre.",
  "Four are left, and you win": "Il en reste quatre, et vous gagnez",
  "Leave a multiple of four": "Laissez un multiple de quatre",
  ["There may be several heaps; a move takes from one of them. With two equal heaps, copy in one what "
    + "the opponent does in the other. Make the heaps equal."]:
    "Il peut y avoir plusieurs tas ; un coup prend de l’un d’eux. Avec deux tas égaux, copiez dans l’un "
    + "ce que fait l’adversaire dans l’autre. Rendez les tas égaux.",
  "From now on copy the opponent's moves: the last stone will be yours":
    "Désormais, copiez les coups de l’adversaire : la dernière pierre sera à vous",
  "The heaps are not equal. Take two from b": "Les tas ne sont pas égaux. Prenez-en deux de b",
  ["In the misère game the player who takes the last stone loses. Three stones are left. Leave the last "
    + "one to the opponent."]:
    "Dans le jeu misère, qui prend la dernière pierre perd. Il reste trois pierres. Laissez la dernière "
    + "à l’adversaire.",
  "One stone is left, and the opponent must take it": "Il reste une pierre, et l’adversaire doit la prendre",
  "Leave exactly one stone": "Laissez exactement une pierre",
  // Ledge
  "Coins lie on a row of cells that ends at a ledge on the left; one of them is gold.":
    "Des pièces sont posées sur une rangée de cases qui finit à gauche par un rebord ; l’une est en or.",
  ["In turn, a player slides one coin to the left, any number of free cells but over no other coin, or "
    + "picks up the coin that lies on the ledge, cell 0."]:
    "Tour à tour, un joueur glisse une pièce vers la gauche, d’autant de cases libres qu’il veut mais "
    + "sans en sauter une autre, ou prend la pièce du rebord, case 0.",
  "The player who picks up the gold coin wins.": "Qui prend la pièce d’or gagne.",
  ["Coins lie on a row that ends at a ledge on the left. In turn, each player slides a coin to the "
    + "left, as far as it likes, but not over another coin. Click a coin, then the cell that it slides to."]:
    "Des pièces sont posées sur une rangée qui finit à gauche par un rebord. Tour à tour, chacun glisse "
    + "une pièce vers la gauche, aussi loin qu’il veut, mais sans en sauter une autre. Cliquez sur une "
    + "pièce, puis sur la case où elle glisse.",
  "A coin never moves to the right": "Une pièce ne va jamais vers la droite",
  "A coin on the ledge, cell 0, can be picked up instead of a slide. Pick it up.":
    "Une pièce sur le rebord, case 0, peut être prise au lieu de glisser. Prenez-la.",
  "The ledge is free for the next coin": "Le rebord est libre pour la pièce suivante",
  "That is a slide. Click the coin on the ledge": "C’est un glissement. Cliquez sur la pièce du rebord",
  "The player who picks up the gold coin wins. It lies on the ledge. Take it.":
    "Qui prend la pièce d’or gagne. Elle est sur le rebord. Prenez-la.",
  "The gold is yours: you win": "L’or est à vous : vous gagnez",
  "Now the opponent takes the gold": "L’adversaire prend maintenant l’or",
  ["Nobody wants to slide the gold to the ledge: the opponent would take it. The gold is the last coin. "
    + "Slide it so that the opponent has to bring it to the ledge."]:
    "Personne ne veut glisser l’or vers le rebord : l’adversaire le prendrait. L’or est la dernière "
    + "pièce. Glissez-le de sorte que l’adversaire doive l’amener au rebord.",
  "The opponent can only slide it to the ledge, and then you take it":
    "L’adversaire ne peut que le glisser au rebord, et vous le prenez",
  "From there the opponent does better. It must have one slide only, to cell 0":
    "De là, l’adversaire fait mieux. Il ne doit lui rester qu’un glissement, vers la case 0",
  ["The copper coin is on the ledge, and the gold waits behind it. You have one move. Make it, and "
    + "think about the next two."]:
    "La pièce de cuivre est sur le rebord, et l’or attend derrière. Vous avez un seul coup. Jouez-le, et "
    + "pensez aux deux suivants.",
  "The opponent must slide the gold to the ledge, and you take it":
    "L’adversaire doit glisser l’or au rebord, et vous le prenez",
  // Catan's rules and lesson
  "Players settle an island. Whoever has ten points in the own turn wins.":
    "Les joueurs colonisent une île. Qui a dix points pendant son tour gagne.",
  ["A turn: roll the dice, and all players beside a tile with this number get its card, one for a "
    + "settlement, two for a city. Then trade and build as long as you can pay."]:
    "Un tour : lancez les dés, et tous les joueurs près d’une tuile portant ce nombre reçoivent sa "
    + "carte, une pour une colonie, deux pour une ville. Puis commercez et construisez tant que vous "
    + "pouvez payer.",
  ["A road costs wood and brick; a settlement wood, brick, wool and grain, two sides away from all "
    + "others; a city two grain and three ore; a development card wool, grain and ore."]:
    "Une route coûte du bois et de l’argile ; une colonie bois, argile, laine et blé, à deux bords de "
    + "toutes les autres ; une ville deux blés et trois minerais ; une carte développement laine, blé et "
    + "minerai.",
  ["After a 7 everybody with more than seven cards discards half of them, and you move the robber: its "
    + "tile gives nothing, and you steal a card from a player beside it. A knight does the same."]:
    "Après un 7, chacun avec plus de sept cartes en défausse la moitié, et vous déplacez le voleur : sa "
    + "tuile ne produit rien, et vous volez une carte à un joueur voisin. Un chevalier fait de même.",
  ["Points: a settlement 1, a city 2, the longest road of five or more 2, the largest army of three or "
    + "more knights 2, some development cards 1."]:
    "Points : une colonie 1, une ville 2, la route la plus longue à partir de cinq 2, l’armée la plus "
    + "puissante à partir de trois chevaliers 2, certaines cartes développement 1.",
  ["Players settle a fixed island, without robber, development cards and trade between players. The "
    + "shares of the win go by points."]:
    "Les joueurs colonisent une île fixe, sans voleur, cartes développement ni commerce entre joueurs. "
    + "La victoire est partagée selon les points.",
  ["A road costs wood and brick; a settlement wood, brick, wool and grain, two sides away from all "
    + "others; a city two grain and three ore."]:
    "Une route coûte du bois et de l’argile ; une colonie bois, argile, laine et blé, à deux bords de "
    + "toutes les autres ; une ville deux blés et trois minerais.",
  ["You begin with two settlements and two roads. A settlement stands on a corner and gets a card from "
    + "each tile around it whenever its number is rolled. The dots below a number show how often that is: "
    + "6 and 8 have the most. Place a settlement beside a 6 or an 8."]:
    "Vous commencez avec deux colonies et deux routes. Une colonie est sur un croisement et reçoit une "
    + "carte de chaque tuile voisine quand son nombre sort. Les points sous un nombre montrent sa "
    + "fréquence : 6 et 8 en ont le plus. Placez une colonie près d’un 6 ou d’un 8.",
  "Good. Different resources around a settlement matter as well":
    "Bien. Des ressources différentes autour d’une colonie comptent aussi",
  "No tile there has a 6 or an 8. These numbers are red":
    "Aucune tuile n’y porte un 6 ou un 8. Ces nombres sont rouges",
  ["Roads lead from your settlements to new places: two settlements need at least two sides between "
    + "them. Each of the first settlements gets a road. Place it."]:
    "Les routes mènent de vos colonies à de nouvelles places : il faut au moins deux bords entre deux "
    + "colonies. Chacune des premières colonies reçoit une route. Placez-la.",
  "Later you build from both ends of it": "Plus tard, vous construirez à partir de ses deux bouts",
  ["A turn begins with the dice. Every player beside a tile with the number rolled gets its card: one "
    + "for a settlement, two for a city. Roll."]:
    "Un tour commence par les dés. Chaque joueur près d’une tuile portant le nombre sorti reçoit sa "
    + "carte : une pour une colonie, deux pour une ville. Lancez.",
  "All players get their cards, not only the one who rolled":
    "Tous les joueurs reçoivent leurs cartes, pas seulement celui qui a lancé",
  ["A 7 gives no cards. Who holds more than seven discards half of them, and you move the robber: its "
    + "tile gives nothing, and you steal a card from a player beside it. Move it to a tile of player 2."]:
    "Un 7 ne donne pas de cartes. Qui en a plus de sept en défausse la moitié, et vous déplacez le "
    + "voleur : sa tuile ne produit rien, et vous volez une carte à un joueur voisin. Déplacez-le sur une "
    + "tuile du joueur 2.",
  "Player 2 loses a card to you, and gets nothing from this tile for now":
    "Le joueur 2 vous cède une carte, et ne reçoit plus rien de cette tuile pour l’instant",
  "Player 2 has no building there, so there is nobody to rob":
    "Le joueur 2 n’y a pas de bâtiment : il n’y a personne à voler",
  "You have a wood and a brick: that pays for a road. Build one.":
    "Vous avez un bois et une argile : cela paie une route. Construisez-en une.",
  "The longest road of at least five sides is worth two points":
    "La route la plus longue d’au moins cinq bords vaut deux points",
  "That is allowed, but build a road now: click a marked side":
    "C’est permis, mais construisez maintenant une route : cliquez sur un bord marqué",
  ["Your road has reached a free corner, two sides from your settlement. A settlement costs wood, "
    + "brick, wool and grain, and is worth a point. Build it."]:
    "Votre route a atteint un croisement libre, à deux bords de votre colonie. Une colonie coûte bois, "
    + "argile, laine et blé, et vaut un point. Construisez-la.",
  "One more point. A city, for two grain and three ore, takes its place later and is worth two":
    "Un point de plus. Une ville, pour deux blés et trois minerais, la remplace plus tard et en vaut "
    + "deux",
  "That is allowed, but build the settlement now: click the marked corner":
    "C’est permis, mais construisez maintenant la colonie : cliquez sur le croisement marqué",
  ["In your turn you trade with the others, or with the bank: four equal cards for one, three or two at "
    + "a port. Here you are player 2, and player 1 offers you 1 wool for 1 grain. Accept the offer."]:
    "Pendant votre tour, vous commercez avec les autres ou avec la banque : quatre cartes égales contre "
    + "une, trois ou deux à un port. Ici vous êtes le joueur 2, et le joueur 1 vous propose 1 laine contre "
    + "1 blé. Acceptez l’offre.",
  "Player 1 now chooses among those who accepted. Who accepts helps both, so look who is ahead":
    "Le joueur 1 choisit maintenant parmi ceux qui ont accepté. Accepter aide les deux : regardez donc "
    + "qui est en tête",
  "You may refuse, and often should. This time accept":
    "Vous pouvez refuser, et souvent vous devriez. Cette fois, acceptez",
};

// Errors of the server, by their codes.
export const errors = {
  "address_too_long": "l’adresse de cette requête est trop longue",
  "agent_not_here": "« {agent} » ne peut pas jouer ici ; programmes : {known}",
  "agents_busy": "trop de parties attendent un programme en ce moment : réessayez plus tard",
  "analysis_busy": "trop de positions sont en cours d’analyse : réessayez plus tard",
  "analysis_when_over": "cette partie se joue sans indices : elle pourra être analysée une fois terminée",
  "cannot_read": "impossible de lire {name} : {reason}",
  "cannot_start": "impossible de démarrer dans {name} : {reason}",
  "chance_decides": "ici le hasard décide : choisissez d’abord un résultat",
  "chat_too_fast": "vous écrivez trop vite : attendez quelques secondes",
  "closing": "le serveur s’arrête",
  "colours_chosen":
    "dans cette ouverture, les joueurs choisissent leur couleur : jouez ou tapez les coups qui mènent à la "
    + "position",
  "cup_begun": "ce tournoi a déjà commencé",
  "cup_creator_starts": "seul le créateur lance le tournoi",
  "cup_full": "un tournoi compte au plus {most} joueurs",
  "cup_too_few": "il faut au moins {least} joueurs pour ce jeu",
  "data_full":
    "la base de données de ce serveur a atteint ses {most} Mo : seules les parties commencées continuent ; "
    + "supprimez des études, ou demandez de la place à l’exploitant",
  "database_fails":
    "les parties ne peuvent être ni enregistrées ni lues en ce moment : voir les messages du serveur",
  "download_too_long": "ces parties ont plus de {most} coups : choisissez-en moins",
  "downloads_at_once": "on peut télécharger de 1 à {most} parties à la fois, pas {n}",
  "explored_too_far": "les positions après plus de {most} coups ne sont pas explorées",
  "game_damaged": "la partie {id} est endommagée dans la base de données et ne peut être affichée",
  "game_over": "la partie est terminée",
  "game_too_long": "les parties de plus de {most} coups ne peuvent pas être affichées ici",
  "hidden_no_replay": "tant que des cartes cachées sont en jeu, cette partie ne peut pas être revue",
  "hidden_no_study": "tant que des cartes cachées sont en jeu, cette partie ne peut pas devenir une étude",
  "hidden_no_tries": "tant que des cartes cachées sont en jeu, aucun coup ne peut être essayé",
  "hidden_only_mover":
    "tant que des cartes cachées sont en jeu, seul le joueur au trait peut analyser la position",
  "hint_for_mover": "seul le joueur au trait peut avoir un indice",
  "impossible_stones":
    "les joueurs posent à tour de rôle, ces nombres de pierres sont donc impossibles : {stones}",
  "impossible_stones_with_mover":
    "les joueurs posent à tour de rôle, ces nombres de pierres sont donc impossibles si {player} est au "
    + "trait : {stones}",
  "invitation_used": "cette invitation a déjà servi, ou concerne une autre partie",
  "library_game_broken": "une partie de la bibliothèque ne peut pas être rejouée : {reason}",
  "line_goes_on": "seule la dernière action d’une suite peut finir un tour",
  "logins_busy": "trop de personnes se connectent : réessayez dans un instant",
  "move_after_end": "le coup {number}, « {move} », vient après la fin",
  "move_refused": "coup {number}, {player} au trait : {reason}",
  "moves_not_stones":
    "dans {game}, un coup fait plus que poser une pierre : jouez ou tapez les coups qui mènent à la position",
  "name_taken": "un autre joueur porte ce nom",
  "new_too_fast":
    "trop de parties, de tournois ou d’études ont été commencés ou envoyés depuis votre adresse : "
    + "attendez quelques minutes",
  "no_agent_thinks": "aucun programme ne réfléchit",
  "no_analysis": "{agent} ne donne pas d’analyse",
  "no_configuration": "il n’y a pas de configuration « {name} » ; {known}",
  "no_field": "il n’y a pas de champ « {name} » ; champs : {known}",
  "no_game": "il n’y a pas de partie « {id} » ici",
  "no_hints": "cette partie se joue sans indices",
  "no_log": "{name} n’a pas de journal de « {actor} »",
  "no_move_to_undo": "vous n’avez aucun coup à reprendre",
  "no_order_of_stones": "aucun ordre n’a été trouvé pour ces pierres : jouez ou tapez les coups",
  "no_password": "ce serveur ne demande pas de mot de passe",
  "no_puzzle": "il n’y a pas de problème ici",
  "no_puzzle_of": "il n’y a pas de problème de {game} ici",
  "no_run": "il n’y a pas d’entraînement « {name} » ici",
  "no_seat": "il n’y a pas de place {seat} : les places vont de 0 à {last}",
  "no_step": "cette étape n’existe pas",
  "no_stones_to_place":
    "{game} n’a pas de pierres à poser : choisissez ses options ({options}), puis jouez ou tapez les coups",
  "no_study":
    "il n’y a pas d’étude à cette adresse : elle est peut-être incomplète, ou l’étude a été supprimée",
  "no_such_puzzle": "il n’y a pas de problème à cette adresse : elle est peut-être incomplète",
  "no_tournament": "il n’y a pas de tournoi « {id} » ici",
  "no_tournament_game": "il n’y a pas de partie {id} dans ce tournoi",
  "no_undo_request": "personne ne demande à reprendre un coup",
  "not_loaded": "« {named} » est un programme ou un fichier qui n’est pas chargé ici ; chargés : {known}",
  "not_over": "la partie n’est pas terminée",
  "not_stored": "la partie ne peut pas être enregistrée : voir les messages du serveur",
  "not_your_run": "seuls le visiteur qui a lancé {name} et l’exploitant, dans un terminal, peuvent le faire",
  "not_your_turn": "ce n’est pas à vous de jouer",
  "nothing_to_analyse": "la partie est terminée ici : il n’y a rien à analyser",
  "nothing_to_give_up": "il n’y a rien à abandonner ici",
  "number_too_large": "{name} : un nombre est trop grand",
  "one_network": "{name} n’a conservé qu’un réseau ; il en faut au moins deux pour un classement",
  "only_creator_pauses": "seul le créateur de la partie peut la mettre en pause",
  "only_players": "vous êtes spectateur ici : seuls les joueurs peuvent le faire",
  "open_again": "cette partie a dû être rechargée : ouvrez-la de nouveau",
  "other_site": "les requêtes d’autres sites ne reçoivent pas de réponse",
  "password_needed": "ce serveur demande un mot de passe",
  "password_tries": "trop d’essais de mot de passe : attendez une minute",
  "pause_without_people": "seules les parties sans joueur humain peuvent être mises en pause",
  "position_changed": "la position a changé entre-temps",
  "quick_games_at_setup": "les parties rapides ne se jouent que depuis les positions de la mise en place",
  "record_knows_secrets":
    "une partie de {game} avec d’autres ne peut pas continuer un enregistrement : le joueur qui l’a sait "
    + "ce qui est caché",
  "record_over": "la partie enregistrée est terminée et ne peut pas continuer",
  "record_when_over": "l’enregistrement d’une partie de {game} est disponible une fois qu’elle est terminée",
  "request_bytes": "une requête peut avoir ici au plus {most} octets",
  "request_depth": "une requête peut avoir au plus {most} listes et objets imbriqués",
  "request_headers": "une requête peut avoir au plus {most} en-têtes",
  "request_keys": "une requête peut avoir au plus {most} clés, et {containers} listes et objets",
  "request_utf8": "une requête est du JSON en UTF-8",
  "request_values": "une requête peut avoir ici au plus {most} valeurs",
  "review_busy": "trop de programmes réfléchissent : relancez la revue",
  "run_at_work": "{name} est déjà au travail",
  "run_budget": "{fields} : {amount} au total ; un entraînement lancé d’ici peut avoir au plus {most}",
  "run_does_not_run": "{name} ne tourne pas",
  "run_exists": "« {name} » existe déjà ; choisissez un autre nom",
  "run_finished": "{name} est terminé ; lancez un nouvel entraînement qui en part",
  "run_name":
    "le nom d’un entraînement se compose de minuscules, de chiffres, de « - », « _ » et « . », et commence "
    + "par une lettre ou un chiffre",
  "runs_full":
    "le dossier des entraînements peut contenir {most} Mo ; il en contient {used}, et il en faut {needed} "
    + "de plus : supprimez des entraînements",
  "seats_not_taken": "la partie commence quand toutes les places sont prises",
  "seed_range": "la graine doit être comprise entre 0 et {most}",
  "seed_with_others": "la graine ne peut pas être choisie dans une partie avec d’autres personnes",
  "setting_up_busy": "beaucoup de parties sont en préparation ou en lecture : réessayez dans une minute",
  "shipped_name": "« {name} » est le nom d’un réseau fourni ; choisissez-en un autre",
  "started_elsewhere": "{name} n’a pas été lancé d’ici ; arrêtez-le là où il tourne, par Ctrl-C",
  "stones_end_early":
    "cette position est inaccessible : dans tout ordre, la partie finit avant la dernière pierre",
  "studies_full":
    "ce serveur stocke {most} études et n’en accepte plus : supprimez-en une, ou enregistrez l’étude dans "
    + "un fichier",
  "study_changed": "cette étude a été modifiée dans une autre fenêtre ou par quelqu’un d’autre",
  "study_comment": "un commentaire peut avoir au plus {most} caractères",
  "study_comments": "les commentaires d’une étude peuvent avoir {most} caractères en tout",
  "study_damaged": "cette étude est endommagée dans la base de données",
  "study_line": "une ligne d’une étude peut avoir au plus {most} coups",
  "study_lines": "les lignes de cette étude ont plus de {most} coups en tout",
  "study_marks": "une position peut avoir au plus {most} marques",
  "study_positions": "une étude peut avoir au plus {most} positions",
  "study_read_only": "ce lien permet seulement de lire l’étude",
  "time_up": "votre temps est écoulé",
  "too_many_games": "il y a {n} parties ; au plus {most} sont lues à la fois",
  "too_many_pages": "trop de pages sont ouvertes sur ce serveur",
  "too_many_plies": "une partie peut avoir {most} coups, pas {n}",
  "too_many_requests": "trop de requêtes : attendez un instant",
  "too_many_watchers": "trop de spectateurs sur ce serveur",
  "topp_busy": "{name} est en cours de classement ; arrêtez-le d’abord, ou attendez la fin",
  "train_busy": "{name} est en cours d’entraînement ; arrêtez-le d’abord, ou attendez la fin",
  "trained_elsewhere": "{name} est entraîné par un autre programme ; ses fichiers changent",
  "undo_chance": "des dés ou des cartes ont été tirés depuis : contre un programme, ce coup reste",
  "undo_seen": "ce qui était caché a été vu depuis : ce coup reste",
  "undo_with_others": "avec d’autres joueurs à la table, ce coup reste",
  "value_too_large": "{agent} : {key} peut être ici au plus {most}, pas {value}",
  "windows_terminal": "sous Windows, lancez-le dans un terminal : {command}",
  "wrong_network": "{field} doit être l’un de {known}, pas « {name} »",
  "wrong_password": "ce n’est pas le mot de passe",
  "wrong_passwords": "trop de mauvais mots de passe : attendez une minute",
  "wrong_seats": "ce jeu a {seats} places, et {n} ont été données",
};
