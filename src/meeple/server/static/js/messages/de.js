// The texts of the page in German, by the ids of `en.js`.

export const messages = {
  // The frame of the page
  "shell.skip": "Zum Inhalt springen",
  "shell.main": "Hauptmenü",
  "shell.language": "Sprache",
  "shell.theme": "Dunkles Design",
  "shell.theme_title": "Hell oder dunkel",
  "shell.play": "Spielen",
  "shell.table": "Tisch",
  "shell.learn": "Lernen",
  "shell.cup": "Turnier",
  "shell.analysis": "Analyse",
  "shell.puzzles": "Aufgaben",
  "shell.library": "Bibliothek",
  "shell.replay": "Nachspielen",
  "shell.study": "Studie",
  "shell.training": "Training",
  "shell.close_message": "Meldung schließen",
  "shell.no_page": "Diese Seite gibt es hier nicht.",
  "shell.not_loaded": "Dieser Teil von Meeple konnte nicht geladen werden.",
  "shell.sorry": "Das ging nicht",
  "shell.back": "Zurück zu den Spielen",
  // Words that several views share
  "common.cancel": "Abbrechen",
  "common.close": "Schließen",
  "common.copy": "Kopieren",
  "common.copied": "Kopiert",
  "common.press_ctrl_c": "Strg-C drücken",
  "common.stop": "Anhalten",
  "common.share": "Teilen",
  "common.download": "Herunterladen",
  "common.undo": "Zurücknehmen",
  "common.your_name": "Dein Name",
  "common.all_games": "Alle Spiele",
  "common.game": "Spiel",
  "common.games": "Partien",
  "common.moves": "Züge",
  "common.move": "Zug",
  "common.players": "Spieler",
  "common.player": "Spieler",
  "common.result": "Ergebnis",
  "common.state": "Zustand",
  "common.title": "Titel",
  "common.board": "Brett",
  "common.position": "Stellung",
  "common.save_as_study": "Als Studie speichern",
  "common.to_table": "Zum Tisch",
  "common.broken_off": "abgebrochen",
  "common.more_moves": { "one": "und {n} weiterer Zug", "other": "und {n} weitere Züge" },
  "common.interval": "{low} bis {high}",
  "common.of": "{n} von {all}",
  "common.none": "keine Angabe",
  "common.opens_link": "Wer diesen Link öffnet, sieht sie",
  "common.live": "Diese Partie läuft; ihre Züge erscheinen hier, sobald sie gespielt werden.",
  "common.evaluated_by": "Bewertet von {by}.",
  "common.against": "{one} gegen {other}",
  "common.now": "gerade eben",
  "common.ago": "vor {time}",
  "common.pair": "{name}: {value}",
  "common.without": "ohne {name}",
  "common.silent": "Der Server antwortet nicht; läuft er noch?",
  "common.refused": "Der Server hat abgelehnt ({status})",
  "common.no_connection": "Keine Verbindung: Es wurde nichts gesendet.",
  // What the server prepares
  "preparing.first": "Dieses Spiel wird vorbereitet: Beim ersten Mal dauert das bis zu einer Minute.",
  "preparing.game": "{game} wird vorbereitet: {step}.",
  "preparing.kernel": "{game} wird vorbereitet, Kernel {n} von {all}: {step}.",
  // Walking through a game
  "walk.first": "Erste Stellung",
  "walk.back": "Einen Zug zurück",
  "walk.on": "Einen Zug weiter",
  "walk.last": "Letzte Stellung",
  "walk.pause": "Pause",
  "walk.play": "Abspielen",
  "walk.no_moves": "Keine Züge",
  "walk.slow": "langsam",
  "walk.one": "1 pro Sekunde",
  "walk.two": "2 pro Sekunde",
  "walk.fast": "schnell",
  "grade.inaccuracy": "Ungenauigkeit",
  "grade.mistake": "Fehler",
  "grade.blunder": "grober Fehler",
  // Charts
  "chart.numbers": "Die Zahlen",
  "chart.table": "Die Zahlen als Tabelle",
  "chart.empty": "{name}: noch keine Punkte",
  "chart.ends": "{name} von {first} bis {last}",
  "chart.remarks": "Anmerkungen",
  "chart.unknown": "unbekannt",
  // Boards, as a screen reader says them
  "board.other_moves": "Andere Züge",
  "board.marked": "markiert: {shape}",
  "board.circle": "Kreis",
  "board.square": "Quadrat",
  "board.triangle": "Dreieck",
  "board.cross": "Kreuz",
  "board.last": "letzter Zug",
  "board.winning": "Teil der Gewinnreihe",
  "board.percent": "{n} Prozent",
  "board.line": "Zug {moves} der Variante",
  "board.and": " und ",
  "board.planned": "dein vorausgeplanter Zug, Escape verwirft ihn",
  "board.chosen": "gewählt, Escape lässt los",
  "board.can_choose": "du kannst dies wählen",
  "board.can_play": "du kannst hier spielen",
  "board.can_play_name": "du kannst hier spielen: {name}",
  "board.empty": "leer",
  "board.stone": "Stein von {player}",
  "board.player": "Spieler {n}",
  "board.ledge": "Kante",
  "board.cell": "Feld {n}",
  "board.heap": "Haufen {heap}, Platz {n}",
  "board.place": "Platz {n}",
  "board.copper": "Kupfermünze",
  "board.gold": "Goldmünze",
  "board.pebble": "Stein",
  "board.upright": "stehender Stein",
  "board.flat": "liegender Stein",
  // The page that asks for the password
  "login.title": "Meeple: Passwort",
  "login.label": "Passwort dieses Servers",
  "login.enter": "Anmelden",
  // The lobby
  "lobby.title": "Was spielen wir?",
  "lobby.rules": "Regeln",
  "lobby.learn": "{game} lernen",
  "lobby.cup": "Turnier per Link …",
  "lobby.start": "Starten",
  "lobby.watch": "Zusehen",
  "lobby.more_options": "Weitere Optionen",
  "lobby.range": " ({low} bis {high})",
  "lobby.go_on": { "one": "Eine Partie fortsetzen", "other": "{n} Partien fortsetzen" },
  "lobby.go_on_title": "Partie fortsetzen",
  "lobby.look_on": "Zuschauen",
  "lobby.at_move": "Zug {n}",
  "lobby.over": "beendet",
  // Seats
  "seats.title": "Wer spielt",
  "seats.seats": "Plätze",
  "seats.me": "Ich",
  "seats.friend": "Ein Freund",
  "seats.computer": "Computer",
  "seats.seat": "Platz {n}",
  "seats.rated": "{name}, etwa {rating}",
  "seats.rated_title": "Elo-Punkte über zufälligem Spiel",
  "seats.link": "Du bekommst einen Link zum Verschicken, sobald der Tisch bereit ist.",
  "seats.name": "Name von {seat}",
  "seats.name_hint": "Dein Name, wenn du magst",
  "seats.own": "Eigene Wahl",
  "seats.strength": "Spielstärke von {seat}",
  "seats.any": "Beliebiges Programm",
  "seats.agent": "Programm von {seat}",
  "seats.first": "Wer beginnt",
  "seats.another": "Jemand anderes",
  "seats.other": "Der andere",
  "seats.random": "Zufällig",
  // Clock, pace and help
  "terms.no_clock": "Ohne Uhr",
  "terms.per_move": "Pro Zug",
  "terms.per_game": "Pro Partie",
  "terms.seconds": "Sekunden pro Zug",
  "terms.minutes": "Minuten pro Person",
  "terms.increment": "Zusätzliche Sekunden pro Zug",
  "terms.wrong": "{name}: eine Zahl von {low} bis {high}",
  "terms.time": "Bedenkzeit für Menschen",
  "terms.pace": "Ein Zug des Computers dauert mindestens",
  "terms.fastest": "so schnell wie möglich",
  "terms.half": "eine halbe Sekunde",
  "terms.pace_seconds": { "one": "1 Sekunde", "other": "{n} Sekunden" },
  "terms.help": "Tipps und Analyse erlaubt",
  // Tournaments by link
  "cup.new": "Ein Turnier per Link",
  "cup.about": "Du bekommst einen Link; wer ihn öffnet, darf mitspielen. Du startest, wenn alle da sind.",
  "cup.format": "Modus",
  "cup.round_robin": "jeder gegen jeden",
  "cup.swiss": "Schweizer System: wenige Runden, nach Punktestand",
  "cup.computers": "Computer, die mitspielen",
  "cup.create": "Erstellen",
  "cup.title": "{game}: Turnier",
  "cup.open": "Wartet auf Spieler",
  "cup.over": "Beendet",
  "cup.round_of": "Runde {n} von {all}",
  "cup.begun": "Deine Partie hat begonnen.",
  "cup.begun_notice": "Deine Turnierpartie hat begonnen.",
  "cup.take_part": "Mitspielen",
  "cup.link": "Link für Spieler",
  "cup.standings": "Tabelle",
  "cup.points": "Punkte",
  "cup.you": "{name} (du)",
  "cup.round": "Runde",
  "cup.a_game": "Partie",
  "cup.playing": "läuft",
  "cup.play": "Spielen",
  "cup.look": "Ansehen",
  // A table
  "table.no_id": "Diese Adresse nennt keinen Tisch.",
  "table.used": "Diese Einladung wurde schon benutzt: Du schaust zu.",
  "table.refused": "Die Verbindung wurde abgelehnt",
  "table.reconnecting": "Verbindung wird wiederhergestellt …",
  "table.move_stands": "Dein Zug bleibt: Nicht alle waren einverstanden.",
  "table.not_sent": "Keine Verbindung: Der Zug wurde nicht gesendet.",
  "table.resign": "Aufgeben",
  "table.resign_ask": "Diese Partie aufgeben?",
  "table.resign_many": "Ein Computer spielt für dich weiter.",
  "table.resign_two": "Dein Gegner gewinnt.",
  "table.shared_past":
    "Die Karten sind vor den anderen an diesem Bildschirm verborgen: Frühere Stellungen werden nicht "
    + "gezeigt.",
  "table.title_yours": "● Du bist am Zug – {game}",
  "table.title_over": "Beendet – {game}",
  "table.the_board": "{game}, das Brett",
  "table.no_island": "Die Insel konnte nicht geladen werden.",
  "table.controls": "Bedienung",
  "table.undo_ask": "Die anderen bitten, dass du deinen Zug zurücknehmen darfst",
  "table.looking": "Sucht …",
  "table.hint": "Tipp",
  "table.go_on": "Weiter",
  "table.pause": "Pause",
  "table.analyse": "Analyse",
  "table.help": "Hilfe",
  "table.look_back": "Du siehst eine frühere Stellung.",
  "table.back_to_now": "Zurück zur Partie",
  "table.to_come": "{n} Züge stehen noch aus",
  "table.show_now": "Jetzt zeigen",
  "table.premove": "Vorausgeplant: {move}",
  "table.drop": "Verwerfen",
  "table.premove_illegal": "Dein vorausgeplanter Zug {move} ist jetzt nicht erlaubt.",
  // What happens at a table
  "turn.waiting": "Wartet, bis alle Platz genommen haben",
  "turn.over": "Die Partie ist beendet",
  "turn.paused": "Pause: {name} ist am Zug",
  "turn.to_move": "{name} ist am Zug",
  "turn.busy": "{name} wartet: Der Server ist ausgelastet",
  "turn.preparing": "{name} bereitet sich vor",
  "turn.preparing_step": "{name} bereitet sich vor: {step}",
  "turn.thinking": "{name} denkt nach",
  "turn.yours": "Du bist am Zug",
  "turn.again": "Du bist noch einmal am Zug",
  "turn.yours_as": "Du bist am Zug ({name})",
  "turn.again_as": "Du bist noch einmal am Zug ({name})",
  "turn.passed": "{name} hat gepasst.",
  "turn.swapped": "{name} hat die Seiten getauscht.",
  "turn.took_black": "{name} hat Schwarz gewählt.",
  "turn.took_white": "{name} hat Weiß gewählt.",
  "turn.two_more": "{name} setzt zwei weitere Steine.",
  "turn.played": "{name} hat {move} gespielt.",
  "turn.did": "{name}: {move}.",
  "turn.you_passed": "Du hast gepasst.",
  "turn.you_swapped": "Du hast die Seiten getauscht.",
  "turn.you_took_black": "Du hast Schwarz gewählt.",
  "turn.you_took_white": "Du hast Weiß gewählt.",
  "turn.you_two_more": "Du setzt zwei weitere Steine.",
  "turn.you_played": "Du hast {move} gespielt.",
  "turn.you_did": "Du: {move}.",
  "turn.must_pass": "Es gibt keinen erlaubten Zug: Du musst passen.",
  "turn.only_move": "Es gibt nur einen Zug: {move}.",
  "turn.may_swap": "Statt eines Zugs darfst du den ersten Stein deines Gegners übernehmen.",
  "turn.choose_colour": "Wähle deine Farbe; Weiß ist als Nächstes am Zug.",
  "turn.may_choose": "Du kannst auch dies wählen:",
  "turn.win": "Du hast gewonnen",
  "turn.shared": "Du teilst dir den Sieg",
  "turn.draw": "Unentschieden",
  "turn.loss": "Du hast verloren",
  // Alerts
  "alerts.sound": "Ton, wenn ich am Zug bin",
  "alerts.notice": "Benachrichtigung, solange diese Seite verdeckt ist",
  "alerts.refused": "Dieser Browser zeigt keine Benachrichtigungen dieser Seite.",
  "alerts.turn": "Du bist am Zug: {game}",
  // Chat
  "chat.chat": "Chat",
  "chat.fresh": "({n} neu)",
  "chat.looks": { "one": "1 schaut zu", "other": "{n} schauen zu" },
  "chat.empty": "Noch hat niemand geschrieben.",
  "chat.closed": "Hier schreiben nur die Spieler.",
  "chat.host": "Gastgeber",
  "chat.mute": "{name} stummschalten",
  "chat.message": "Nachricht",
  "chat.send": "Senden",
  "chat.hello": "Hallo!",
  "chat.luck": "Viel Glück",
  "chat.moment": "Einen Moment, bitte",
  "chat.well_played": "Gut gespielt",
  "chat.thanks": "Danke",
  "chat.oops": "Hoppla",
  // The dialogs of a table
  "share.title": "Diese Partie teilen",
  "share.seat": "Link für {seat}",
  "share.watch": "Link zum Zuschauen",
  "share.picture": "Bild des Bretts herunterladen",
  "help.played_with": "Gespielt mit: {options}.",
  "help.lesson": "{game} Schritt für Schritt lernen",
  "help.pace": "Züge der Computer zeigen",
  "help.at_once": "sofort",
  "help.one_by_one": "nacheinander",
  "help.slowly": "langsam",
  "help.keys": "Tasten",
  "help.key_undo": "einen Zug zurücknehmen",
  "help.key_hint": "ein Tipp",
  "help.key_help": "diese Hilfe",
  "help.key_walk": "zurück- und vorblättern",
  "help.key_escape": "zurück zur Partie; vorausgeplanten Zug verwerfen; alle ausstehenden Züge zeigen",
  "help.arrows": "Pfeile",
  "help.key_arrows": "über das Brett gehen",
  "help.enter": "Eingabe",
  "help.key_enter": "dort spielen",
  "help.key_release": "einen gewählten Stein loslassen",
  "claim.options": "Optionen",
  "claim.seat": "Dein Platz",
  "claim.seat_of": "{seat} ({n} von {all})",
  "claim.clock": "Uhr",
  "claim.help": "Hilfe",
  "claim.help_on": "Tipps und Analyse sind erlaubt",
  "claim.help_off": "Tipps und Analyse sind während der Partie aus",
  "claim.no_clock": "ohne Uhr",
  "claim.per_move": "{time} pro Zug",
  "claim.each": "{time} pro Person",
  "claim.each_increment": "{time} pro Person, dazu {increment} pro Zug",
  "claim.play": "{game} spielen",
  "claim.invites": "{name} lädt dich zu einer Partie ein.",
  "claim.somebody": "Jemand",
  "claim.only_look": "Nur zuschauen",
  "claim.take": "Platz nehmen",
  // A hint
  "hint.close": "Tipp schließen",
  "hint.simulations": "{n} Simulationen:",
  "hint.chance": "Gewinnchance {share}",
  "hint.search": "{share} der Suche",
  // The list of moves
  "moves.earlier": "Frühere Züge zeigen",
  "moves.none": "Noch keine Züge. {about}",
  // Notices beside the board
  "notice.to_rematch": "Zur Revanche",
  "notice.rematch": "Revanche",
  "notice.review": "Durchsehen",
  "notice.invitations": "Einladungen",
  "notice.send": "Schick das an die, die mitspielen sollen.",
  "notice.begins": "Die Partie beginnt, wenn alle Plätze besetzt sind.",
  "notice.you_asked": "Du möchtest einen Zug zurücknehmen: Die Antwort steht aus.",
  "notice.asks": "{name} möchte einen Zug zurücknehmen.",
  "notice.refuse": "Ablehnen",
  "notice.agree": "Einverstanden",
  "notice.hand_over": "Gib den Bildschirm an {name}",
  "notice.hidden": "Verdeckte Karten sieht nur, wem sie gehören.",
  "notice.i_am": "Ich bin {name}",
  // The players of a table
  "people.now": "Zieh jetzt",
  "people.chances": "Gewinnchancen",
  "people.estimated": "Geschätzt von {name}",
  "people.open": "noch nicht da",
  "people.gone": "hat aufgegeben; {spec} spielt weiter",
  "people.away": "{name}, nicht verbunden",
  "people.waiting": "wartet {n} s",
  "people.busy": "Server ausgelastet {n} s",
  "people.preparing": "Vorbereitung {n} s",
  "people.thinking": "denkt {n} s",
  "table.undo": "Rücknahme",
  // Catan: the table
  "catan.island": "Die Insel",
  "catan.hand": "Deine Handkarten",
  "catan.development_cards": "Entwicklungskarten",
  "catan.your_move": "Dein Zug",
  "catan.dice": "Würfel",
  "catan.panels": "Bereiche des Tisches",
  "catan.trade": "Handel",
  "catan.own_turn": "Angebote machst du, wenn du am Zug bist.",
  "catan.deal": "Abmachung",
  "catan.refusals": "Ablehnungen",
  "catan.log": "Verlauf",
  "catan.bank": "Bank",
  "catan.bank_and_costs": "Bank und Baukosten",
  "catan.rolls": "Würfe",
  "catan.tracker": "Karten mitzählen",
  "catan.you": "du",
  "catan.nothing": "nichts",
  "catan.rolled": "Gewürfelt:",
  "catan.not_rolled": "Nicht gewürfelt",
  "catan.rolls_so_far": { "one": "{n} Wurf", "other": "{n} Würfe" },
  "catan.rolls_caption": "Bisher {rolls}; die Linien zeigen, was zu erwarten ist",
  "catan.deck": "Stapel {n}",
  "catan.costs": "Baukosten",
  "catan.for": " für {cost}",
  // Catan: the hand and the cards
  "catan.cards": { "one": "{n} Karte", "other": "{n} Karten" },
  "catan.points_of": "{n} von {all} Punkten",
  "catan.choose_discard": "Wähle noch {n} zum Abwerfen.",
  "catan.enough": "Das genügt.",
  "catan.discard": "{n} Karten abwerfen",
  "catan.discard_one": "1 {resource} abwerfen, du behältst {n}",
  "catan.take_back": "1 {resource} von {n} zurücknehmen",
  "catan.knight": "versetze den Räuber und raube eine Karte",
  "catan.victory_point": "ein Siegpunkt, verdeckt, bis er gewinnt",
  "catan.road_building": "zwei Straßen ohne Baukosten",
  "catan.plenty": "zwei Karten aus der Bank",
  "catan.monopoly": "von allen sämtliche Karten eines Rohstoffs",
  "catan.fresh": "{n} neu, ab deinem nächsten Zug spielbar",
  "catan.fresh_short": " {n} neu",
  "catan.play": "Spielen",
  "catan.second_card": "{resource}, und welche zweite Karte?",
  "catan.first_card": "Welche Karte nimmst du zuerst?",
  "catan.which_monopoly": "Welchen Rohstoff geben dir alle anderen?",
  // Catan: the players
  "catan.left": "Noch: {roads}, {settlements}, {cities}",
  "catan.roads": { "one": "{n} Straße", "other": "{n} Straßen" },
  "catan.settlements": { "one": "{n} Siedlung", "other": "{n} Siedlungen" },
  "catan.cities": { "one": "{n} Stadt", "other": "{n} Städte" },
  "catan.fact_points": { "one": "Punkt", "other": "Punkte" },
  "catan.fact_cards": { "one": "Karte", "other": "Karten" },
  "catan.fact_developments": { "one": "Entwicklungskarte", "other": "Entwicklungskarten" },
  "catan.fact_dev": "Entw.",
  "catan.fact_knights": { "one": "Ritter", "other": "Ritter" },
  "catan.fact_road": { "one": "Straße am Stück", "other": "Straßen am Stück" },
  "catan.fact_road_short": { "one": "Straße", "other": "Straßen" },
  "catan.largest_army": "Größte Rittermacht",
  "catan.longest_road": "Längste Handelsstraße",
  "catan.must_discard": "Muss {n} abwerfen",
  "catan.tracker_about":
    "Für jeden Spieler die Chance, eine Karte mindestens einmal zu haben (Balken), und wie viele zu "
    + "erwarten sind (Zahl).",
  "catan.certain": "{n} sicher",
  "catan.likely": "{share} % mindestens eine, {expected} erwartet",
  "catan.may_hold": "Was {name} haben kann",
  "catan.may_hold_sample": "Was {name} haben kann, nach einer Stichprobe",
  // Catan: a turn
  "catan.roll": "Würfeln",
  "catan.buy": "Karte kaufen",
  "catan.trade_open": "Handeln …",
  "catan.end": "Zug beenden",
  "catan.rob": "{name} berauben ({cards})",
  "catan.places": {
    "one": "{n} Platz auf der Insel markiert; noch {left} übrig",
    "other": "{n} Plätze auf der Insel markiert; noch {left} übrig",
  },
  "catan.costs_place": "kostet {cost} und braucht einen Platz; noch {left} übrig",
  "catan.none_left": "keine mehr übrig",
  "catan.task_settlement": "Setze eine Siedlung: Klicke auf eine markierte Kreuzung.",
  "catan.task_first_road": "Setze eine Straße an deine Siedlung: Klicke auf einen markierten Weg.",
  "catan.task_before_dice": "Würfle oder spiele vorher eine Karte.",
  "catan.task_robber": "Versetze den Räuber: Klicke auf ein Feld.",
  "catan.task_victim":
    "Wähle, wen du beraubst: Klicke auf ein markiertes Gebäude oder unten auf einen Knopf.",
  "catan.task_main": "Baue, handle oder beende deinen Zug.",
  "catan.task_free_roads": "Setze eine Straße ohne Baukosten: Klicke auf einen markierten Weg.",
  "catan.task_choose": "Wähle, mit wem du handelst.",
  "catan.task_consent": "Stimme der Abmachung zu oder lehne sie ab.",
  "catan.task_discard": "Eine 7: Wirf {n} Karten ab.",
  "catan.task_trade": "Handle oder beende deinen Zug.",
  "catan.task_answer": "{name} bietet {give} für {want}.",
  // Catan: trade
  "trade.you_offer": "Du bietest",
  "trade.offers": "{name} bietet",
  "trade.goods": "{give} für {want}",
  "trade.traded": "Mit {name} getauscht.",
  "trade.traded_you": "Mit dir getauscht.",
  "trade.withdrawn": "Zurückgezogen.",
  "trade.nobody": "Niemand war einverstanden.",
  "trade.earlier": "{n} früher in diesem Zug",
  "trade.answers": "Antworten",
  "trade.asked_now": "{name}: wird jetzt gefragt",
  "trade.not_asked": "{name}: noch nicht gefragt",
  "trade.agreed": "✓ einverstanden",
  "trade.refused": "✗ abgelehnt",
  "trade.would": "↔ gäbe {give} für {want}",
  "trade.counter": "Gegenangebot",
  "trade.new": "Neues Angebot",
  "trade.to_all": "Angebot an alle Spieler",
  "trade.you_give": "Du gibst",
  "trade.you_want": "Du möchtest",
  "trade.of": " von {n}",
  "trade.offer_all": "Allen anbieten",
  "trade.offer_to": "{name} anbieten",
  "trade.back": "Zurück",
  "trade.clear": "Leeren",
  "trade.left": { "one": "Noch {n} Angebot in diesem Zug", "other": "Noch {n} Angebote in diesem Zug" },
  "trade.give_less": "1 {resource} weniger geben",
  "trade.give_more": "1 {resource} mehr geben",
  "trade.want_less": "1 {resource} weniger wollen",
  "trade.want_more": "1 {resource} mehr wollen",
  "trade.bank": "Mit der Bank tauschen",
  "trade.rates": "Deine Kurse:",
  "trade.give": "Gib",
  "trade.for_one": "für 1",
  "trade.swap": "{n} {give} gegen 1 {take} tauschen",
  "trade.accept": "Annehmen",
  "trade.refuse": "Ablehnen",
  "trade.refuse_turn": "In diesem Zug alles ablehnen",
  "trade.counter_open": "Gegenangebot …",
  "trade.lacking": "Du hast nicht, was verlangt wird.",
  "trade.with": "Mit {name} tauschen",
  "trade.with_counter": "Mit {name} tauschen: {want} für {give}",
  "trade.withdraw": "Angebot zurückziehen",
  "trade.propose": "Vorschlagen",
  "trade.drop": "Angebot verwerfen",
  "trade.refuse_unasked": "Ohne Rückfrage ablehnen",
  "trade.cannot_pay": "Angebote, die ich nicht bezahlen kann",
  "trade.offers_for": "Angebote für",
  // Catan: deals of several players
  "deal.waiting": "Noch ohne Antwort: {names}.",
  "deal.choose_tile": "wähle ein Feld",
  "deal.sell": "Den Platz des Räubers verkaufen",
  "deal.compose": "Abmachung zusammenstellen",
  "deal.about": "Was jeder Spieler bekommt (+) und gibt (−). Alle Beteiligten müssen zustimmen.",
  "deal.robber_to": "Der Räuber kommt nach",
  "deal.paid": "Bezahlt mit dem, was übrig bleibt",
  "deal.propose": "Abmachung vorschlagen",
  "deal.unbalanced": "Was gegeben wird, muss dem entsprechen, was bekommen wird, bis auf die Baukosten.",
  "deal.unbalanced_robber": "Was gegeben wird, muss dem entsprechen, was bekommen wird.",
  "deal.less": "{name}, {resource}: eins weniger",
  "deal.more": "{name}, {resource}: eins mehr",
  "deal.agree": "Zustimmen",
  "deal.lacking": "Du hast nicht, was du geben würdest.",
  "deal.drop": "Abmachung verwerfen",
  // Catan: the island, as a screen reader says it
  "island.tile": "Feld {place}",
  "island.row": "Feld {n} der Reihe {row}",
  "island.robber": "hier steht der Räuber",
  "island.corner": "Kreuzung an {place}: {what}",
  "island.side": "Weg an {place}: {what}",
  "island.coast": "an der Küste, {where}",
  "island.to_east": "im Osten",
  "island.to_southeast": "im Südosten",
  "island.to_south": "im Süden",
  "island.to_southwest": "im Südwesten",
  "island.to_west": "im Westen",
  "island.to_northwest": "im Nordwesten",
  "island.to_north": "im Norden",
  "island.to_northeast": "im Nordosten",
  "island.free": "frei",
  "island.of": "{thing} von {name}",
  "island.port": "Hafen {rate}:1 für {kind}",
  // A game again
  "replay.title": "{game}: Partie nachspielen",
  "replay.expected_chances": "Erwartete Chancen",
  "replay.expected": "Was die Programme erwartet haben",
  "replay.beginning": "Der Anfang der Partie",
  "replay.steps": "Schritte",
  "walk.speed": "Züge pro Sekunde",
  "replay.place": "Stelle in der Partie",
  "replay.place_at": "{n} von {all}: {words}",
  "replay.eyes": "Karten gesehen von",
  "replay.mover": "Wer am Zug ist",
  "replay.analyse": "Von hier analysieren",
  "replay.play_on": "Von hier weiterspielen",
  "replay.share": "Diese Stellung teilen",
  "replay.chart": "Die Chancen der Spieler aus Sicht der Programme",
  "replay.chances": "Chancen",
  "replay.event": "Turnier",
  "replay.round": "Runde",
  "replay.date": "Datum",
  "replay.at": "Ort",
  "replay.name": "Name",
  "replay.about": "Über die Partie",
  "replay.source": "Quelle",
  "replay.recorded": "Ergebnis laut Aufzeichnung",
  // Playing on from a position
  "on.to_move": "{seat} (am Zug)",
  "on.about": "Eine neue Partie beginnt mit dieser Stellung; die alte bleibt, wie sie ist.",
  "on.you": "Du spielst",
  "on.everybody": "Alle, an diesem Bildschirm",
  "on.others": "Die anderen",
  "on.play": "Weiterspielen",
  // The explorer
  "explorer.title": "Partien-Explorer",
  "explorer.moves": "Züge von hier",
  "explorer.won": "Von hier gewonnen",
  "explorer.years": "Jahre",
  "explorer.plies": "Halbzüge",
  "explorer.here": "{move}: wie in dieser Partie",
  "explorer.there": "{move}: zu einer Partie damit",
  "explorer.declared": { "one": "Das Ergebnis von {n} Partie gibt nur ihre Datei an.",
    "other": "Die Ergebnisse von {n} Partien geben nur ihre Dateien an." },
  "explorer.games": { "one": "{n} Partie", "other": "{n} Partien" },
  "explorer.newest_games": { "one": "neuesten {n} Partie", "other": "neuesten {n} Partien" },
  "explorer.only": "Die einzige Partie dieser Art erreichte diese Stellung.",
  "explorer.only_ended": "Die einzige Partie dieser Art erreichte diese Stellung und endete hier.",
  "explorer.reached": "{reached} der {games} dieser Art erreichten diese Stellung.",
  "explorer.reached_ended":
    "{reached} der {games} dieser Art erreichten diese Stellung, und {ended} endeten hier.",
  // Analysis
  "analysis.title": "{game}: Analyse",
  "analysis.offline": "Die Verbindung ist weg; sie kommt von selbst zurück.",
  "analysis.chance": "Den Zufall entscheiden lassen",
  "analysis.heat": "Anteile der Besuche",
  "analysis.numbers": "Erwartete Variante",
  "analysis.explain": "Erklären",
  "analysis.whole": "Die ganze Partie",
  "analysis.thoughts": "Was ein Programm denkt",
  "analysis.studies": "Studien",
  "analysis.unseen": "etwas Verdecktes",
  "analysis.variation": "Deine Variante",
  "analysis.back": "Zurück zur Partie",
  "analysis.more":
    "Der Text enthält {n} Partien; dies ist die erste. Lade ihn in der Bibliothek hoch, um alle zu "
    + "sehen.",
  "analysis.over": "Die Partie ist beendet: {result}.",
  "analysis.chance_decides": "Der Zufall entscheidet.",
  "analysis.to_move": "Am Zug: {name}.",
  // The review of a game
  "curve.title": "Durchsicht der Partie",
  "curve.a_move": "Pro Zug",
  "curve.analyse": "Ganze Partie analysieren",
  "curve.chart": "Gewinnchancen im Verlauf der Partie",
  "curve.move": "Zug",
  "curve.chance": "Gewinnchance",
  "curve.second": "{name}, zweites Programm",
  "curve.cost": "Zug {n}, {name}: {move} kostete {share} der Gewinnchance",
  "curve.cost_better": "Zug {n}, {name}: {move} kostete {share} der Gewinnchance; besser {better}",
  "curve.waiting": "Beginnt nachzudenken …",
  "curve.stored":
    "Was die Programme beim Spielen erwartet haben. Analysiere die Partie, um zu sehen, welche Züge sie "
    + "wendeten.",
  "curve.about": "Sieh, wie sich die Chancen änderten und welche Züge das bewirkten.",
  "curve.progress": "{n} von {all} Stellungen, bewertet von {name}",
  "curve.no_chances": "Dieses Programm schätzt keine Chancen; wähle eines, das sucht.",
  "curve.accuracy": "Genauigkeit: {list}.",
  "curve.costly": "Teure Züge",
  "curve.retry": "Noch einmal versuchen",
  "curve.statistics": "Statistik der Partie",
  // A second evaluator
  "compare.start": "Mit einem zweiten Programm vergleichen",
  "compare.found": "An {n} Stellungen sind sie sich mehr als ihr Rauschen uneins:",
  "compare.found_most": "An {n} Stellungen sind sie sich mehr als ihr Rauschen uneins, am meisten:",
  "compare.nowhere": "Nirgends sind sie sich mehr als ihr Rauschen uneins.",
  "compare.item": "vor Zug {n}: {name} hat {one} oder {other}",
  "compare.title": "Wo die Programme uneins sind",
  "compare.about": "Erstes: {one}; zweites, als weitere Linie der Kurve: {other}. {result}",
  // A second evaluator of a position
  "beside.start": "Vergleichen",
  "beside.title": "Zwei Bewertungen",
  "beside.evaluator": "Bewertet von",
  "beside.best": "Bester Zug",
  "beside.chance": "Chance für {name}",
  "beside.differ": "Sie unterscheiden sich um {gap}, mehr als ihr Rauschen.",
  "beside.same": "Sie unterscheiden sich nicht um mehr als ihr Rauschen.",
  // Explanations
  "explain.title": "Erklärungen",
  "explain.point": "Zeige auf eine Stelle des Bretts, oder gehe mit den Pfeiltasten dorthin.",
  "explain.nothing": "Hier gibt es nichts zu erklären.",
  // The opening helper of Catan
  "opening.title": "Eröffnungshilfe",
  "opening.on": "Ein Klick auf eine Kreuzung spielt von dort Schnellpartien",
  "opening.about": "Bis zu 2.000 Partien, alle Spieler nach Faustregeln; mit dem 95-%-Intervall.",
  "opening.beside": "Daneben eine kurze Bewertung von {name}.",
  "opening.places": "Plätze",
  "opening.place": "Platz",
  "opening.won": "Gewonnen",
  "opening.evaluated": "Bewertet",
  "opening.play": "Spielen",
  "opening.play_name": "{move} spielen",
  // Trying again
  "retry.find": "Zug {n}, {name}: {move}. Finde einen besseren Zug.",
  "retry.evaluating": "{move} wird bewertet …",
  "retry.right": "Richtig: {move} ist der beste gefundene Zug.",
  "retry.played": "{move} wurde in der Partie gespielt. Versuche einen anderen Zug.",
  "retry.failed": "{move} konnte nicht bewertet werden.",
  "retry.as_good": "{move} ist genauso gut.",
  "retry.worse": "{move} verschenkt {share} der Gewinnchance. Versuche es noch einmal.",
  "retry.answer": "{move} ist der beste gefundene Zug.",
  "retry.reply": "Der Zug der Partie, {played}, überließ dem Gegner {reply}.",
  "retry.take_back": "Zurücknehmen",
  "retry.next": "Nächster Fehler",
  "retry.show": "Lösung zeigen",
  "retry.stop": "Beenden",
  // Setting up a position
  "setup.title": "Stellung aufbauen",
  "setup.how": "Wie",
  "setup.new": "Neues Brett",
  "setup.moves": "Züge eingeben",
  "setup.record": "Aufzeichnung einfügen",
  "setup.stones": "Steine setzen",
  "setup.in_turn": "Abwechselnd",
  "setup.player_1": "Spieler 1",
  "setup.player_2": "Spieler 2",
  "setup.take_away": "Wegnehmen",
  "setup.moves_label": "Züge in der Notation des Spiels",
  "setup.moves_help":
    "Durch Leerzeichen, Zeilen oder nichts getrennt; Nummern vor Zügen zählen nicht. Auch "
    + "ein Brett aus Zeichen (X, O, -) oder ein Link von HexWorld wird gelesen.",
  "setup.record_label": "Aufzeichnung einer Partie",
  "setup.record_hint": "eine Zeile JSON oder SGF: (;GM[11]SZ[7];B[d4]…)",
  "setup.record_help": "JSON-Zeilen jedes Spiels, SGF von Hex, Gomoku und Reversi, GGF oder PSQ.",
  "setup.board": "Brett zum Aufbauen",
  "setup.paste_first": "Füge zuerst eine Aufzeichnung ein.",
  "setup.show": "Anzeigen",
  "setup.new_about": "Spiele beide Seiten auf dem Brett; auch den Zufall bestimmst du.",
  "setup.places": "Was ein Klick setzt",
  // What an agent thinks
  "thoughts.strongest": "Das stärkste bekannte",
  "thoughts.search": "Baumsuche",
  "thoughts.search_about": "Eine Baumsuche ohne Netz.",
  "thoughts.other": "Anderes Programm …",
  "thoughts.long":
    "Beginnt nachzudenken … Was noch nie benutzt wurde, wird zuerst vorbereitet; das kann eine Minute "
    + "dauern.",
  "thoughts.done": "{progress} Fertig; an der nächsten Stellung geht es weiter.",
  "thoughts.simulations": "{n} Simulationen in {time} s.",
  "thoughts.depth": "{n} Halbzüge tief gesucht in {time} s.",
  "thoughts.thought": "{time} s nachgedacht.",
  "thoughts.full": "Der erlaubte Speicher ist voll.",
  "thoughts.over": "Die Partie ist hier beendet.",
  "thoughts.chance": "Hier entscheidet der Zufall: Wähle ein Ergebnis.",
  "thoughts.start": "Starte ein Programm, um zu sehen, was es denkt.",
  "thoughts.who": "Wer denkt",
  "thoughts.time": "Bedenkzeit",
  "thoughts.spec": "Programm, etwa uct:seconds=1,c=2",
  "thoughts.chances": "Gewinnchancen",
  "thoughts.alternatives": "Alternativen",
  "thoughts.proven_win": "Bewiesen: {name} gewinnt gegen jedes Spiel.",
  "thoughts.proven_draw": "Bewiesen: unentschieden, wenn alle am besten spielen.",
  "thoughts.proven_shares": "Bewiesen: die Anteile oben, wenn alle am besten spielen.",
  "thoughts.chance_column": "Chance",
  "thoughts.visits": "Besuche",
  "thoughts.preference": "Vorliebe",
  "thoughts.network": "Nur das Netz",
  "thoughts.no_better": "–: nicht besser als die Wahl, soweit gesucht wurde",
  "thoughts.line_to": "Die Variante bis {move} spielen",
  "thoughts.no_further": "Weiter sieht es nicht.",
  // Puzzles
  "puzzles.title": "{game}: Aufgabe",
  "puzzles.puzzle": "Aufgabe",
  "puzzles.task": "{name} am Zug. Finde den einzigen Zug, der gewinnt.",
  "puzzles.wrong": "{move} gewinnt nicht.",
  "puzzles.right": "{move} ist richtig. Die Antwort ist {reply}; finde den nächsten Zug.",
  "puzzles.solved": "Gelöst: {move} gewinnt.",
  "puzzles.solution": "Die Lösung: {moves}.",
  "puzzles.all": "Alle Spiele",
  "puzzles.rating": "Deine Wertung: {rating} ± {deviation}",
  "puzzles.solved_of": "{n} von {all} Aufgaben im ersten Versuch gelöst",
  "puzzles.this":
    "Diese Aufgabe: {rating}, gelöst von {n} von {all}. ± ist das Doppelte der Abweichung der "
    + "Glicko-Wertung.",
  "puzzles.of": "Aufgaben zu",
  "puzzles.next": "Nächste Aufgabe",
  "puzzles.analyse": "Als Studie analysieren",
  "puzzles.again": "Noch einmal",
  "puzzles.show": "Lösung zeigen",
  "puzzles.another": "Andere Aufgabe",
  // Studies
  "study.saved": "Gespeichert.",
  "study.saving": "Wird gespeichert …",
  "study.not_saved": "Nicht gespeichert: {error}",
  "study.conflict": "Diese Studie wurde anderswo geändert",
  "study.conflict_about":
    "Ein anderes Fenster oder jemand anderes hat eine neuere Fassung gespeichert; deine letzte Änderung "
    + "wurde daher nicht gespeichert.",
  "study.save_mine": "Meine als Kopie speichern",
  "study.show_newer": "Neuere Fassung zeigen",
  "study.share": "Diese Studie teilen",
  "study.reads": "Wer diesen Link öffnet, kann sie lesen",
  "study.changes": "Wer diesen Link öffnet, kann sie ändern",
  "study.delete_ask": "Diese Studie löschen?",
  "study.delete_about": "Niemand kann sie dann mehr öffnen.",
  "study.delete": "Löschen",
  "study.yours": "Deine Studien",
  "study.none":
    "Du hast noch keine Studien. Drücke {button} in der {analysis} oder beim Nachspielen, oder füge "
    + "unten eine ein.",
  "study.none_analysis": "Analyse",
  "study.from_text_label": "Eine Studie aus einem Text",
  "study.from_text": "Aus einem Text",
  "study.text": "SGF mit Varianten oder JSON-Zeilen",
  "study.open_file": "Datei öffnen",
  "study.make": "Studie anlegen",
  "study.save": "Speichern",
  "study.read_only":
    "Dieser Link ist nur zum Lesen. Deine Änderungen bleiben auf dieser Seite; speichere eine Kopie, um "
    + "sie zu behalten.",
  "study.comment": "Kommentar",
  "study.promote": "Zur Hauptvariante",
  "study.promote_about": "Diese Variante ab ihrem Beginn zur Hauptvariante machen",
  "study.cut": "Ab hier löschen",
  "study.mark": "Stellen markieren",
  "study.mark_title": "Oder Rechtsklick auf eine Stelle: Kreis, Quadrat, Dreieck, Kreuz",
  "study.mark_about": "Wähle eine Stelle auf dem Brett: Kreis, Quadrat, Dreieck, Kreuz, nichts.",
  "study.copy": "Kopie speichern",
  "study.delete_study": "Studie löschen",
  "study.all": "Alle deine Studien",
  "study.download": "Herunterladen …",
  "study.json_lines": "JSON-Zeilen",
  "study.variations": "Varianten",
  "study.play_moves": "Spiele Züge auf dem Brett.",
  "study.with_marks": "mit Markierungen",
  // Lessons
  "learn.none": "Dieses Spiel hat keine Lektion.",
  "learn.board": "{game}, das Brett der Lektion",
  "learn.step": "Schritt {n} von {all}",
  "learn.the_step": "Der Schritt",
  "learn.answer": "Deine Antwort",
  "learn.back": "Zurück",
  "learn.again": "Noch einmal",
  "learn.skip": "Überspringen",
  "learn.next": "Weiter",
  // The library
  "library.about":
    "Hier gespielte Partien und solche, die du mitbringst: SGF, GGF, PSQ, WTHOR oder JSON-Zeilen.",
  "library.any_state": "Beendet oder laufend",
  "library.over": "Beendet",
  "library.playing": "Laufend",
  "library.any_result": "Jedes Ergebnis",
  "library.first": "Erster Spieler gewann",
  "library.other": "Ein anderer Spieler gewann",
  "library.draw": "Unentschieden",
  "library.no_result": "Ohne Ergebnis",
  "library.no_match": "Keine Partie passt dazu.",
  "library.empty": "Es gibt noch keine Partie: Spiele eine oder lade welche hoch.",
  "library.count": { "one": "{n} Partie, die neuesten zuerst", "other": "{n} Partien, die neuesten zuerst" },
  "library.count_more": "{n} oder mehr Partien, die neuesten zuerst",
  "library.formats":
    "SGF, GGF (Reversi) und PSQ (Gomoku) lesen andere Programme; JSON-Zeilen enthalten alles und gibt es "
    + "für jedes Spiel.",
  "library.json_lines": "JSON-Zeilen",
  "library.download_title": "Partie herunterladen",
  "library.too_large": "größer als {n} MB; bitte in Teilen hochladen",
  "library.unreadable": "nicht lesbar",
  "library.games_of": "Partien aus {name}",
  "library.add_from": "{n} Partien hinzufügen, ab Nummer",
  "library.add_these": "Diese Partien hinzufügen",
  "library.paste": "Aufzeichnung einfügen",
  "library.paste_label": "SGF, GGF, PSQ oder JSON-Zeilen",
  "library.add": "Partien hinzufügen",
  "library.added": { "one": "Die Partie wurde hinzugefügt.", "other": "{n} Partien wurden hinzugefügt." },
  "library.reading": "Wird gelesen …",
  "library.upload": "Partien hochladen",
  "library.chosen": "Die gewählten Partien",
  "library.take_jsonl": "Als JSON-Zeilen herunterladen",
  "library.take_sgf": "Als SGF herunterladen",
  "library.more": "Weitere Partien zeigen",
  "library.drop": "Datei fallen lassen, um ihre Partien hinzuzufügen",
  "library.player_or_game": "Spieler oder Spiel",
  "library.filter": "Partien filtern",
  "library.choose_all": "Alle gezeigten Partien wählen",
  "library.choose": "{game} wählen",
  "library.last_move": "Letzter Zug",
  "library.actions": "Aktionen",
  "library.under_way": "läuft",
  "library.uploaded": " hochgeladen",
  "library.watch": "Zusehen",
  "library.replay": "Nachspielen",
  "library.opens_link": "Wer diesen Link öffnet, sieht die Partie",
  "library.all": "alle",
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
  "Catan reduced": "Catan (vereinfacht)",
  "join your two sides of a diamond of hexagons before your opponent joins theirs":
    "verbinde deine beiden Seiten einer Raute aus Sechsecken, bevor der Gegner seine verbindet",
  "be the first with five stones in a row, in any direction (or another number)":
    "bringe als Erster fünf Steine in eine Reihe, egal in welcher Richtung (oder eine andere Zahl)",
  "close in your opponent's discs to turn them over; most discs win (Othello)":
    "schließe gegnerische Steine ein und drehe sie um; die meisten Steine gewinnen (Othello)",
  "take stones from a heap; the last stone wins (misère: loses)":
    "nimm Steine von einem Haufen; der letzte Stein gewinnt (misère: verliert)",
  "slide coins to the ledge and pick them up there; the player who takes the gold wins":
    "schiebe Münzen zur Kante und nimm sie dort; wer das Gold nimmt, gewinnt",
  "settle an island, trade, and be the first to ten points":
    "besiedle eine Insel, handle und erreiche als Erster zehn Punkte",
  "Catan with open hands, without robber, cards and trade between players":
    "Catan mit offenen Handkarten, ohne Räuber, Entwicklungskarten und Handel zwischen Spielern",
  "Click a coin, then the cell it slides to; a click takes the coin on the ledge.":
    "Klicke auf eine Münze, dann auf das Feld, zu dem sie gleitet; ein Klick nimmt die Münze an der "
    + "Kante.",
  "Click a stone to take it and all stones to its right.":
    "Klicke auf einen Stein, um ihn und alle Steine rechts davon zu nehmen.",
  // Seats, colours, levels
  "player {n}": "Spieler {n}",
  "Player {n}": "Spieler {n}",
  "black": "Schwarz",
  "white": "Weiß",
  "Black": "Schwarz",
  "White": "Weiß",
  "Beginner": "Anfänger",
  "Learner": "Einsteiger",
  "Casual": "Hobbyspieler",
  "Regular": "Stammspieler",
  "Club": "Vereinsspieler",
  "Tournament": "Turnierspieler",
  "Expert": "Experte",
  "Master": "Meister",
  "Grandmaster": "Großmeister",
  "Champion": "Champion",
  "you": "du",
  "guest": "Gast",
  "a guest": "ein Gast",
  "an empty seat": "ein freier Platz",
  "{name} (you)": "{name} (du)",
  // What the server prepares
  "compiling the kernel {name}": "Übersetzen des Kernels {name}",
  "drawing its board": "Zeichnen des Bretts",
  // Steps of a preparation, the help of agents, and details of records, agents and options
  "{words} (not measured for this game)": "{words} (für dieses Spiel nicht gemessen)",
  "compiling kernel {n}, {kernel}": "Übersetzen des Kernels {n}, {kernel}",
  "loading the network {network}": "Laden des Netzes {network}",
  "any legal action, drawn uniformly": "irgendein erlaubter Zug, gleichverteilt gezogen",
  "sensible actions by their weights, in games that have weights":
    "sinnvolle Züge nach ihren Gewichten, in Spielen, die Gewichte haben",
  "tree search with random rollouts, or a value network; needs sims, seconds or both":
    "Baumsuche mit Zufallspartien oder einem Wertnetz; braucht sims, seconds oder beides",
  "alpha-beta by a heuristic, or expectimax; needs depth, seconds or both":
    "Alpha-Beta mit einer Heuristik, oder Expectimax; braucht depth, seconds oder beides",
  "tree search with a network; needs sims, seconds or both":
    "Baumsuche mit einem Netz; braucht sims, seconds oder beides",
  "a network alone, without search": "ein Netz allein, ohne Suche",
  "the best resulting state by a value network": "der beste entstehende Zustand nach einem Wertnetz",
  "the tree search of a study, with its network or rollouts; needs sims, seconds or both":
    "die Baumsuche einer Untersuchung, mit ihrem Netz oder Zufallspartien; braucht sims, seconds oder "
      + "beides",
  "the exact solver, where the game is small enough": "der exakte Löser, wo das Spiel klein genug ist",
  "a strategy that `meeple solve --method mccfr` saved":
    "eine Strategie, die `meeple solve --method mccfr` gespeichert hat",
  "a custom agent: a class of a Python file": "ein eigener Agent: eine Klasse einer Python-Datei",
  "the program {agent}": "das Programm {agent}",
  "there is no agent '{agent}'; agents: {command}": "es gibt keinen Agenten „{agent}“; Agenten: {command}",
  "{agent} needs a checkpoint file or a run folder: {command}":
    "{agent} braucht die Datei eines Netzes oder den Ordner eines Laufs: {command}",
  "{agent} needs {what}: {command}": "{agent} braucht {what}: {command}",
  "'{field}' in '{agent}' is not understood; write {command}":
    "„{field}“ in „{agent}“ ist nicht zu verstehen; schreibe {command}",
  "'{agent}' sets a key twice": "„{agent}“ setzt einen Schlüssel zweimal",
  "a comma must follow the quotes in '{agent}'":
    "nach den Anführungszeichen in „{agent}“ muss ein Komma stehen",
  "{file} is corrupt: its metadata lacks a field": "{file} ist beschädigt: In den Metadaten fehlt ein Feld",
  "{file} is a {kind}, not a {kind2}: play it as {command}":
    "{file} ist {kind}, nicht {kind2}: Spiele es als {command}",
  "{owner} has no option {field}; its options: {command}":
    "{owner} hat keine Option {field}; seine Optionen: {command}",
  "{owner} has no key {field}; its keys: {command}":
    "{owner} hat keinen Schlüssel {field}; seine Schlüssel: {command}",
  "there is no game {field}; games: {command}": "es gibt kein Spiel {field}; Spiele: {command}",
  "the game {field} is not loaded: add --load {command}":
    "das Spiel {field} ist nicht geladen: Füge --load {command} hinzu",
  "action {n} of the record: '{field}' comes after the end of the game":
    "Zug {n} der Aufzeichnung: „{field}“ kommt nach dem Ende der Partie",
  "action {n} of the record, {name} to move: {reason}": "Zug {n} der Aufzeichnung, {name} am Zug: {reason}",
  "this is in no format of game records: known are {command}":
    "das ist kein Format von Partieaufzeichnungen; bekannt sind {command}",
  "there is no game in this text: it is empty": "in diesem Text ist keine Partie: Er ist leer",
  "its text is not UTF-8: save it in this encoding":
    "der Text ist nicht in UTF-8: Speichere ihn in dieser Kodierung",
  "its encoding is not declared: read as {field}, which is a guess":
    "die Kodierung ist nicht angegeben: gelesen als {field}, das ist geraten",
  "its encoding is not {field}, as it declares: read as {command}":
    "die Kodierung ist nicht {field}, wie angegeben: gelesen als {command}",
  "{reason} ({n} game)": "{reason} ({n} Partie)",
  "{reason} ({n} games)": "{reason} ({n} Partien)",
  "{about} cannot be text": "{about} kann kein Text sein",
  "there is no game {n}: it has {n2}": "es gibt keine Partie {n}: Die Datei hat {n2}",
  "these are {n} games; at most {n2} are read at once":
    "das sind {n} Partien; höchstens {n2} werden auf einmal gelesen",
  "line {n}: {reason}": "Zeile {n}: {reason}",
  "line {n} begins with another game or board than line 1":
    "Zeile {n} beginnt mit einem anderen Spiel oder Brett als Zeile 1",
  "this is not a game record: the line is no JSON":
    "das ist keine Partieaufzeichnung: Die Zeile ist kein JSON",
  "this is not a game record: it is nested too deeply":
    "das ist keine Partieaufzeichnung: Sie ist zu tief verschachtelt",
  "this is not a game record: it needs the fields {command}":
    "das ist keine Partieaufzeichnung: Sie braucht die Felder {command}",
  "this is not a game record: seats and actions must be texts":
    "das ist keine Partieaufzeichnung: seats und actions müssen Texte sein",
  "this is not a game record: 'opening' or 'notes' is malformed":
    "das ist keine Partieaufzeichnung: „opening“ oder „notes“ ist fehlerhaft",
  "this is not a game record: 'opening' must be from 0 to its {n} actions":
    "das ist keine Partieaufzeichnung: „opening“ muss von 0 bis zu ihren {n} Zügen sein",
  "this is not a game record: payoffs must be numbers, or null":
    "das ist keine Partieaufzeichnung: payoffs müssen Zahlen sein, oder null",
  "this is not a game record: payoffs must be shares":
    "das ist keine Partieaufzeichnung: payoffs müssen Anteile sein",
  "this is not a game record: half a character is in it":
    "das ist keine Partieaufzeichnung: Sie enthält ein halbes Zeichen",
  "the options of a record must be words, not {field}":
    "die Optionen einer Aufzeichnung müssen Wörter sein, nicht {field}",
  "the record names {n} seats, but {game} has {n2} players":
    "die Aufzeichnung nennt {n} Plätze, aber {game} hat {n2} Spieler",
  "the record gives payoffs, but its game is not over":
    "die Aufzeichnung nennt ein Ergebnis, aber die Partie ist nicht zu Ende",
  "the record gives payoffs {field}, but the rules give {command}":
    "die Aufzeichnung nennt das Ergebnis {field}, nach den Regeln ist es {command}",
  "this is not SGF: it has no game, which begins with '(;'":
    "das ist kein SGF: Es enthält keine Partie, die mit „(;“ beginnt",
  "this SGF cannot be read: {command}": "dieses SGF ist nicht lesbar: {command}",
  "this SGF has more than {n} nodes": "dieses SGF hat mehr als {n} Knoten",
  "the lines of this SGF have more than {n} moves and marks in all":
    "die Varianten dieses SGF haben zusammen mehr als {n} Züge und Zeichen",
  "it does not say which game it is; there must be {command}":
    "es sagt nicht, welches Spiel es ist; nötig ist {command}",
  "it has GM[{field}]: this is GGF, or should have GM[2]":
    "es hat GM[{field}]: Das ist GGF, oder es müsste GM[2] sein",
  "it has {field}; there must be {command}": "es hat {field}; nötig ist {command}",
  "its board, {field}, is not a square": "sein Brett, {field}, ist kein Quadrat",
  "a board has from 2 to {n} rows, not {n2}": "ein Brett hat 2 bis {n} Reihen, nicht {n2}",
  "more than {n} nodes set up stones before the first move":
    "mehr als {n} Knoten setzen Steine vor dem ersten Zug",
  "its variations begin with different set-ups": "ihre Varianten beginnen mit verschiedenen Stellungen",
  "the rules do not allow the set-up stones in turn":
    "die Regeln erlauben diese Steine nicht als abwechselnde Züge",
  "another property of the node sets up the same cell":
    "eine andere Eigenschaft des Knotens setzt dasselbe Feld",
  "PSQ has no set-up stones; take SGF or JSON lines":
    "PSQ kennt keine gesetzten Steine; nimm SGF oder JSON-Zeilen",
  "the node after move {n} has several moves": "der Knoten nach Zug {n} hat mehrere Züge",
  "stones are set up after move {n}, not at the beginning":
    "Steine werden nach Zug {n} gesetzt, nicht am Anfang",
  "there is no {format} for {game}, only for {command}; take JSON lines":
    "es gibt kein {format} für {game}, nur für {command}; nimm JSON-Zeilen",
  "there is no SGF of a game of Hex that player 2 begins; take JSON lines":
    "es gibt kein SGF einer Partie Hex, die Spieler 2 beginnt; nimm JSON-Zeilen",
  "there is no SGF of a game whose players chose colours; take JSON lines":
    "es gibt kein SGF einer Partie, in der die Spieler Farben wählten; nimm JSON-Zeilen",
  "PSQ has no choice of colours; take JSON lines": "PSQ hat keine Wahl der Farben; nimm JSON-Zeilen",
  ["PSQ is for {n} in a row by the rules {command}, not for {n2} in a row, {rule}; take SGF or JSON "
    + "lines"]:
    "PSQ ist für {n} in einer Reihe nach den Regeln {command}, nicht für {n2} in einer Reihe, {rule}; "
      + "nimm SGF oder JSON-Zeilen",
  "this is not PSQ: it has no line that begins with {field}":
    "das ist kein PSQ: Es hat keine Zeile, die mit {field} beginnt",
  "this PSQ has more than {n} lines in a game": "dieses PSQ hat mehr als {n} Zeilen in einer Partie",
  "the header of a PSQ is such as '{field}'": "der Kopf eines PSQ ist wie „{field}“",
  "its board of {n} x {n2} cells is not square": "sein Brett von {n} x {n2} Feldern ist nicht quadratisch",
  ["it was played by the rule '{field}', which is not known: if it is one of {command}, convert the "
    + "file with {agent}"]:
    "gespielt wurde nach der Regel „{field}“, die nicht bekannt ist: Ist sie eine von {command}, dann "
      + "wandle die Datei mit {agent} um",
  "it was played by the rule {field}, not {command} as you gave":
    "gespielt wurde nach der Regel {field}, nicht {command} wie angegeben",
  "its rule is {field}, but its board has {n} rows":
    "seine Regel ist {field}, aber sein Brett hat {n} Reihen",
  "{field} is {what}, which is not supported": "{field} ist {what}, das wird nicht unterstützt",
  "a handicap": "eine Vorgabe",
  "a random board, which BO does not give": "zufälligem Brett, das BO nicht angibt",
  "an unknown variant": "unbekannter Variante",
  "it declares {field}, but by the rules the result is: {result}":
    "angegeben ist {field}, aber nach den Regeln ist das Ergebnis: {result}",
  "{result} (declared)": "{result} (angegeben)",
  "this is not GGF: it has no game from '(;' to ';)'":
    "das ist kein GGF: Es enthält keine Partie von „(;“ bis „;)“",
  "this GGF has more than {n} properties in a game":
    "dieses GGF hat mehr als {n} Eigenschaften in einer Partie",
  "this GGF cannot be read: {where} there is no property such as {field}":
    "dieses GGF ist nicht lesbar: {where} steht keine Eigenschaft wie {field}",
  "after move {n}": "nach Zug {n}",
  "before its first move": "vor seinem ersten Zug",
  "its board, {field}, is not a number of cells along a side":
    "sein Brett, {field}, ist keine Zahl von Feldern an einer Seite",
  "{field} is a game with {what}, which is not supported":
    "{field} ist ein Spiel mit {what}, das wird nicht unterstützt",
  "the fewer discs winning": "Sieg der wenigeren Steine",
  ["{field} is no board of {n} x {n2}: a sign for each cell, *, O or -, and the player to move"]:
    "{field} ist kein Brett von {n} x {n2}: ein Zeichen je Feld, *, O oder -, und wer am Zug ist",
  "this is not a WTHOR file: it is shorter than a header of 16 bytes":
    "das ist keine WTHOR-Datei: Sie ist kürzer als ein Kopf von 16 Bytes",
  "this WTHOR file is of boards of {n} x {n2}; only 8 x 8 is read":
    "diese WTHOR-Datei hat Bretter von {n} x {n2}; gelesen wird nur 8 x 8",
  "this WTHOR file holds problems, not games": "diese WTHOR-Datei enthält Aufgaben, keine Partien",
  "this is not a WTHOR file: its header counts {n} games, which take {n2} bytes, but it has {n3}":
    "das ist keine WTHOR-Datei: Nach ihrem Kopf hat sie {n} Partien, das wären {n2} Bytes, aber sie hat "
      + "{n3}",
  "this WTHOR file holds no game": "diese WTHOR-Datei enthält keine Partie",
  "move {n}, {field}: {reason}": "Zug {n}, {field}: {reason}",
  "set-up {field}: {reason}": "Anfangsstellung {field}: {reason}",
  "there is no such cell": "ein solches Feld gibt es nicht",
  "it comes after the end of the game": "er kommt nach dem Ende der Partie",
  "not allowed": "nicht erlaubt",
  "there is no ply {n}: the game has {n2}": "es gibt keinen Halbzug {n}: Die Partie hat {n2}",
  "a mark is a shape ({command}) with a spot, not '{field}'":
    "eine Markierung ist eine Form ({command}) mit einem Feld, nicht „{field}“",
  "the move '{field}' stands twice after one position": "der Zug „{field}“ steht zweimal nach einer Stellung",
  "it is the turn of {name}": "{name} ist am Zug",
  "a player who can move must not pass": "wer ziehen kann, darf nicht passen",
  "there is no such cell on a board of {n} x {n2}":
    "ein solches Feld gibt es auf einem Brett von {n} x {n2} nicht",
  "the rules do not allow it there": "die Regeln erlauben ihn dort nicht",
  "only the first stone can be swapped, and at once": "nur der erste Stein kann getauscht werden, und sofort",
  "another program that speaks GTP, Piskvork's or NBoard's protocol, or JSON lines":
    "ein anderes Programm, das GTP, das Protokoll von Piskvork oder NBoard oder JSON-Zeilen spricht",
  "a person at the terminal": "eine Person am Terminal",
  // Actions
  "pass": "passen",
  "swap": "Seitentausch",
  "more": "zwei weitere Steine",
  "pick": "nehmen",
  "take {n} from {heap}": "{n} von {heap} nehmen",
  "take {n}": "{n} nehmen",
  // Results
  "{name} wins": "{name} gewinnt",
  "{name} wins: {loser} resigned": "{name} gewinnt: {loser} hat aufgegeben",
  "{name} wins: {loser} ran out of time": "{name} gewinnt: {loser} hat die Zeit überschritten",
  "a draw": "unentschieden",
  "broken off": "abgebrochen",
  // Resources, cards and buildings of Catan
  "wood": "Holz",
  "brick": "Lehm",
  "wool": "Wolle",
  "grain": "Getreide",
  "ore": "Erz",
  "desert": "Wüste",
  "any": "alles",
  "nothing": "nichts",
  "road": "Straße",
  "settlement": "Siedlung",
  "city": "Stadt",
  "development card": "Entwicklungskarte",
  "knight": "Ritter",
  "victory point": "Siegpunkt",
  "road building": "Straßenbau",
  "year of plenty": "Erfindung",
  "monopoly": "Monopol",
  // Refusals of moves and records
  "move {n} of a variation: {reason}": "Zug {n} einer Variante: {reason}",
  "action {n} of the record, {who} to move: {reason}":
    "Aktion {n} der Aufzeichnung, {who} ist am Zug: {reason}",
  "action {n} of the record: '{name}' comes after the end of the game":
    "Aktion {n} der Aufzeichnung: „{name}“ kommt nach dem Ende der Partie",
  "'{name}' cannot be played: the game is over":
    "„{name}“ kann nicht gespielt werden: Die Partie ist beendet",
  "'{name}' is not legal here: {reason}": "„{name}“ ist hier nicht erlaubt: {reason}",
  "'{name}' is not legal here; legal: {list}": "„{name}“ ist hier nicht erlaubt; erlaubt: {list}",
  "this is not a game record: {reason}": "das ist keine Aufzeichnung einer Partie: {reason}",
  "the line is no JSON": "die Zeile ist kein JSON",
  "there is no game in this text": "in diesem Text steht keine Partie",
  "this move is not legal here": "dieser Zug ist hier nicht erlaubt",
  "forbidden: {rule}": "verboten: {rule}",
  "{agent} needs a limit: write {spec}": "{agent} braucht eine Grenze: Schreibe {spec}",
  "there is no agent '{name}'; agents: {list}": "es gibt kein Programm „{name}“; Programme: {list}",
  "{name} must be {allowed}, not {value}": "{name} muss {allowed} sein, nicht {value}",
  "a search takes too long here": "eine Suche dauert hier zu lange",
  "the message is not understood: {reason}": "die Nachricht ist unverständlich: {reason}",
  // Explanations of positions
  "{tiles}": "{tiles}",
  "production": "Ertrag",
  "corner": "Kreuzung",
  "{who} expects {n} cards a throw, in pips: {tiles}":
    "{who} erwartet {n} Karten pro Wurf, in Augen: {tiles}",
  "{who} expects {n} cards a throw": "{who} erwartet {n} Karten pro Wurf",
  "{tiles}: {n} pips ({tiles2})": "{tiles}: {n} Augen ({tiles2})",
  "{tiles}: {n} pips": "{tiles}: {n} Augen",
  "{tiles} ({n} pips)": "{tiles} ({n} Augen)",
  "the robber blocks a tile": "der Räuber blockiert ein Feld",
  "{who} has a city, two cards each": "{who} hat eine Stadt, je zwei Karten",
  "{who} has a settlement": "{who} hat eine Siedlung",
  "too near to a building": "zu nah an einem Gebäude",
  "port 3:1": "Hafen 3:1",
  "port 2:1 for {card}": "Hafen 2:1 für {card}",
  "{who}'s road: opens no corner to settle": "Straße von {who}: öffnet keine Kreuzung zum Siedeln",
  "{who}'s road: opens: {sites}, with one road more: {more}":
    "Straße von {who}: öffnet: {sites}, mit einer Straße mehr: {more}",
  "{who}'s road: opens: {sites}": "Straße von {who}: öffnet: {sites}",
  "{who}'s road: with one road more: {more}": "Straße von {who}: mit einer Straße mehr: {more}",
  "{sites}, with one road more: {more}": "{sites}, mit einer Straße mehr: {more}",
  "or": "oder",
  "two": "zwei",
  "three": "Dreier",
  "four": "Vierer",
  "five": "Fünfer",
  "open two": "offener Zweier",
  "open three": "offener Dreier",
  "open four": "offener Vierer",
  "open five": "offener Fünfer",
  "a two": "einen Zweier",
  "a three": "einen Dreier",
  "a four": "einen Vierer",
  "a five": "einen Fünfer",
  "an open two": "einen offenen Zweier",
  "an open three": "einen offenen Dreier",
  "an open four": "einen offenen Vierer",
  "an open five": "einen offenen Fünfer",
  "a row of three": "eine Reihe von drei",
  "a row of four": "eine Reihe von vier",
  "a row of five": "eine Reihe von fünf",
  "a row of six": "eine Reihe von sechs",
  "{who} has {threat}: {cells} completes {row}": "{who} hat {threat}: {cells} vervollständigt {row}",
  "{who} has {threat}: {cells} makes {row}": "{who} hat {threat}: {cells} macht daraus {row}",
  "forced win": "erzwungener Gewinn",
  "{who} wins at once: {moves}": "{who} gewinnt sofort: {moves}",
  "{who} wins by force within {n} plies: {moves}": "{who} gewinnt zwingend in {n} Halbzügen: {moves}",
  "no stone stops all threats": "kein Stein hält alle Drohungen auf",
  "winning chain": "Gewinnkette",
  "stones of {who} join both sides": "Steine von {who} verbinden beide Seiten",
  ["{who} wins: a chain of bridges and neighbours reaches both sides, and each bridge is completed when it "
    + "is attacked"]:
    "{who} gewinnt: Eine Kette aus Brücken und Nachbarn reicht zu beiden Seiten, und jede Brücke wird "
    + "geschlossen, wenn sie angegriffen wird",
  "bridge": "Brücke",
  "between {one} and {two}: if {three} is taken, {four} joins them, and the other way round":
    "zwischen {one} und {two}: Wird {three} besetzt, verbindet {four} sie, und umgekehrt",
  "the side": "der Seite",
  "dead cell": "totes Feld",
  "a stone on {cells} changes nothing, whoever places it":
    "ein Stein auf {cells} ändert nichts, wer ihn auch setzt",
  "stable disc": "stabiler Stein",
  "1 disc of {who} can never be turned over": "1 Stein von {who} kann nie mehr umgedreht werden",
  "{n} discs of {who} can never be turned over": "{n} Steine von {who} können nie mehr umgedreht werden",
  "turned over": "umgedreht",
  "a disc on {cell} turns over {n}: {cells}": "ein Stein auf {cell} dreht {n} um: {cells}",
  // Proofs of puzzles
  "all other moves are proven not to win": "alle anderen Züge gewinnen bewiesenermaßen nicht",
  "a search of {n} nodes finds no other winning move":
    "eine Suche über {n} Knoten findet keinen anderen Gewinnzug",
  // Statistics of a game of Catan
  "Throws": "Würfe",
  "cards from throws": "Karten aus Würfen",
  "expected": "erwartet",
  "luck": "Glück",
  "blocked by the robber": "vom Räuber blockiert",
  "Robber": "Räuber",
  "times moved": "versetzt",
  "cards stolen": "geraubte Karten",
  "cards lost to thieves": "durch Raub verloren",
  "cards discarded": "abgeworfene Karten",
  "Trade": "Handel",
  "trades with the bank": "Tausche mit der Bank",
  "cards given to the bank": "der Bank gegebene Karten",
  "trades with players": "Tausche mit Spielern",
  "cards given to players": "Spielern gegebene Karten",
  "cards received from players": "von Spielern erhaltene Karten",
  "Development cards": "Entwicklungskarten",
  "bought": "gekauft",
  "knights played": "gespielte Ritter",
  "cards by year of plenty": "Karten durch Erfindung",
  "cards by monopoly": "Karten durch Monopol",
  "cards lost to monopolies": "durch Monopole verloren",
  "Opening": "Gründung",
  "first settlement": "erste Siedlung",
  "second settlement": "zweite Siedlung",
  "ways of 36 to produce": "ertragreiche Würfe von 36",
  "Longest road": "Längste Handelsstraße",
  "Largest army": "Größte Rittermacht",
  "taken in": "erhalten in",
  "held at the end": "am Ende gehalten",
  "yes": "ja",
  "turn {n}, {rest}": "Zug {n}, {rest}",
  "turn {n}": "Zug {n}",
  // Deals of Catan
  "{who} gives {cards} and gets {cards2}, {rest}": "{who} gibt {cards} und bekommt {cards2}, {rest}",
  "{who} gives {cards}, {rest}": "{who} gibt {cards}, {rest}",
  "{who} gives {cards} and gets {cards2}": "{who} gibt {cards} und bekommt {cards2}",
  "{who} gives {cards}": "{who} gibt {cards}",
  "the robber goes to {place}": "der Räuber kommt nach {place}",
  "that builds {who} a settlement at {place}": "damit baut {who} eine Siedlung bei {place}",
  "that builds {who} a city at {place}": "damit baut {who} eine Stadt bei {place}",
  "that builds {who} a road at {place}": "damit baut {who} eine Straße bei {place}",
  // What happened in Catan
  "rated {n} Elo points above random play (95 % interval {n2} to {n3}) with {limits}":
    "{n} Elo-Punkte über zufälligem Spiel (95-%-Intervall {n2} bis {n3}) mit {limits}",
  "rated {n} Elo points above random play (95 % interval {n2} to {n3})":
    "{n} Elo-Punkte über zufälligem Spiel (95-%-Intervall {n2} bis {n3})",
  "won {n} % of {n2} games against {method} at {n3} s a move":
    "gewann {n} % von {n2} Partien gegen {method} bei {n3} s pro Zug",
  "{n} simulations a move": "{n} Simulationen pro Zug",
  "{first}; {rest}": "{first}; {rest}",
  "{who} rolled {n}: {what}": "{who} hat {n} gewürfelt: {what}",
  "{who} gets {cards}, {rest}": "{who} bekommt {cards}, {rest}",
  "{who} gets {cards}": "{who} bekommt {cards}",
  "no player gets a card": "niemand bekommt eine Karte",
  "no player must discard": "niemand muss abwerfen",
  "{who} must discard {n} cards, {rest}": "{who} muss {n} Karten abwerfen, {rest}",
  "{who} must discard {n} cards": "{who} muss {n} Karten abwerfen",
  "{who} stole a card from {whom}": "{who} hat {whom} eine Karte geraubt",
  "{who} stole {cards} from {whom}": "{who} hat {whom} {cards} geraubt",
  "{who} bought a development card: {card}": "{who} hat eine Entwicklungskarte gekauft: {card}",
  "{who} bought a development card": "{who} hat eine Entwicklungskarte gekauft",
  "{who} discarded {cards}": "{who} hat {cards} abgeworfen",
  "{who} built a settlement at {place} and got {cards}":
    "{who} hat eine Siedlung bei {place} gebaut und {cards} bekommen",
  "{who} built a settlement at {place}": "{who} hat eine Siedlung bei {place} gebaut",
  "{who} built a city at {place}": "{who} hat eine Stadt bei {place} gebaut",
  "{who} built a road at {place}": "{who} hat eine Straße bei {place} gebaut",
  "{who} moved the robber to {place}": "{who} hat den Räuber nach {place} versetzt",
  "{who} played a knight": "{who} hat einen Ritter gespielt",
  "{who} played road building": "{who} hat Straßenbau gespielt",
  "{who} played year of plenty and took {cards}": "{who} hat Erfindung gespielt und {cards} genommen",
  "{who} played monopoly and took {card}: {what}": "{who} hat Monopol gespielt und {card} genommen: {what}",
  "{n} from {who}, {rest}": "{n} von {who}, {rest}",
  "{n} from {who}": "{n} von {who}",
  "{who} traded {cards} for {cards2} with the bank":
    "{who} hat {cards} gegen {cards2} mit der Bank getauscht",
  "{who} traded {cards} for {cards2} with {whom}": "{who} hat {cards} gegen {cards2} mit {whom} getauscht",
  "{what} ({why})": "{what} ({why})",
  "{who} made a counter-offer: {cards} for {cards2}":
    "{who} hat ein Gegenangebot gemacht: {cards} für {cards2}",
  "{who} offered {cards} for {cards2}": "{who} hat {cards} für {cards2} geboten",
  "{who} accepted": "{who} hat angenommen",
  "{who} refused, and so have all": "{who} hat abgelehnt, und damit alle",
  "{who} refused": "{who} hat abgelehnt",
  "{who} withdrew the offer": "{who} hat das Angebot zurückgezogen",
  "{who} takes the longest road from {whom}": "{who} nimmt {whom} die längste Handelsstraße ab",
  "{who} takes the longest road": "{who} erhält die längste Handelsstraße",
  "{who} loses the longest road": "{who} verliert die längste Handelsstraße",
  "{who} takes the largest army from {whom}": "{who} nimmt {whom} die größte Rittermacht ab",
  "{who} takes the largest army": "{who} erhält die größte Rittermacht",
  "{who} wins with {n} points": "{who} gewinnt mit {n} Punkten",
  "{who} has won with {n} points": "{who} hat mit {n} Punkten gewonnen",
  "the game ends after {n} turns": "die Partie endet nach {n} Zügen",
  // What happens in Catan now
  "{who} places a settlement": "{who} setzt eine Siedlung",
  "{who} places a road beside the settlement": "{who} setzt eine Straße an die Siedlung",
  "{who} is about to roll": "{who} würfelt gleich",
  "{who} rolls the dice": "{who} würfelt",
  "{who} discards: {n} cards to go": "{who} wirft ab: noch {n} Karten",
  "{who} discards: 1 card to go": "{who} wirft ab: noch 1 Karte",
  "{who} moves the robber": "{who} versetzt den Räuber",
  "{who} chooses whom to rob": "{who} wählt, wen er beraubt",
  "{who} steals a card from {whom}": "{who} raubt {whom} eine Karte",
  "{who} has rolled {n}, and builds, trades or ends the turn":
    "{who} hat {n} gewürfelt und baut, handelt oder beendet den Zug",
  "{who} places roads that cost nothing: {n} to go": "{who} setzt Straßen ohne Baukosten: noch {n}",
  "{who} draws a development card": "{who} zieht eine Entwicklungskarte",
  "{who} composes an offer": "{who} stellt ein Angebot zusammen",
  "{who} answers the offer": "{who} antwortet auf das Angebot",
  "{who} composes a counter-offer": "{who} stellt ein Gegenangebot zusammen",
  "{who} chooses whom to trade with": "{who} wählt, mit wem er handelt",
  // Why a computer trades or refuses
  "{cards} makes more of its hand than {cards2}": "{cards} macht mehr aus seiner Hand als {cards2}",
  "{cards} would make no more of its hand than {cards2}":
    "{cards} würde nicht mehr aus seiner Hand machen als {cards2}",
  "it does not hold {cards}, or would rather keep it": "hat {cards} nicht oder behält es lieber",
  "it does not hold {cards}": "hat {cards} nicht",
  "it would help, but it keeps its cards for now": "es würde helfen, aber er behält seine Karten vorerst",
  "{who} is too close to winning, with {n} of {n2} points":
    "{who} ist mit {n} von {n2} Punkten zu nah am Sieg",
  "no other player who agreed has fewer points": "niemand, der einverstanden war, hat weniger Punkte",
  "{who} has the fewest points of those who agreed":
    "{who} hat die wenigsten Punkte von denen, die einverstanden waren",
  // Actions of Catan
  "settlement at {place}": "Siedlung bei {place}",
  "city at {place}": "Stadt bei {place}",
  "road at {place}": "Straße bei {place}",
  "robber to {place}": "Räuber nach {place}",
  "settlement {n}": "Siedlung {n}",
  "city {n}": "Stadt {n}",
  "road {n}": "Straße {n}",
  "robber {n}": "Räuber {n}",
  "rob player {n}": "Spieler {n} berauben",
  "roll": "würfeln",
  "end turn": "Zug beenden",
  "buy card": "Karte kaufen",
  "play knight": "Ritter spielen",
  "play road building": "Straßenbau spielen",
  "roll the dice": "würfeln",
  "end the turn": "den Zug beenden",
  "buy a development card": "eine Entwicklungskarte kaufen",
  "play a knight": "einen Ritter spielen",
  "propose it": "das Angebot machen",
  "withdraw the offer": "das Angebot zurückziehen",
  "offer a trade: first give": "einen Handel anbieten: zuerst geben",
  "make a counter-offer: first give": "ein Gegenangebot machen: zuerst geben",
  "give one more": "noch eine geben",
  "ask for one more": "noch eine verlangen",
  "play year of plenty": "Erfindung spielen",
  "play monopoly": "Monopol spielen",
  "trade with the bank": "mit der Bank tauschen",
  "discard a card": "eine Karte abwerfen",
  "discard {n} cards: first": "{n} Karten abwerfen: zuerst",
  "play monopoly {card}": "Monopol auf {card} spielen",
  "{cards} for {cards2}": "{cards} gegen {cards2}",
  "offer {cards} for {cards2}": "{cards} für {cards2} bieten",
  "accept": "annehmen",
  "refuse": "ablehnen",
  "withdraw": "zurückziehen",
  "trade with player {n}": "mit Spieler {n} tauschen",
  // How a computer finds its moves
  "{name} (seat {n})": "{name} (Platz {n})",
  "{method}, {n} simulations a move": "{method}, {n} Simulationen pro Zug",
  "{method}, {n} plies ahead": "{method}, {n} Halbzüge voraus",
  "{method}, 1 ply ahead": "{method}, 1 Halbzug voraus",
  "{method}, {n} s a move": "{method}, {n} s pro Zug",
  "any legal move": "irgendein erlaubter Zug",
  "sensible moves without looking ahead": "sinnvolle Züge ohne Vorausschau",
  "the best next position by the game's heuristic":
    "die beste nächste Stellung nach der Heuristik des Spiels",
  "minimax with the game's heuristic": "Minimax mit der Heuristik des Spiels",
  "minimax with a simple heuristic": "Minimax mit einer einfachen Heuristik",
  "minimax without a heuristic": "Minimax ohne Heuristik",
  "minimax with the patterns {name}": "Minimax mit den Mustern {name}",
  "the exact solver": "exakte Lösung",
  "tree search with rollouts": "Baumsuche mit Zufallspartien",
  "tree search with rollouts by the rule of thumb": "Baumsuche mit Partien nach der Faustregel",
  "tree search with short rollouts and the game's heuristic":
    "Baumsuche mit kurzen Zufallspartien und der Heuristik des Spiels",
  "tree search with the network {name}": "Baumsuche mit dem Netz {name}",
  "tree search with the value network {name}": "Baumsuche mit dem Bewertungsnetz {name}",
  "the network {name} alone": "nur das Netz {name}",
  "the best next position by the network {name}": "die beste nächste Stellung nach dem Netz {name}",
  "{how}, but sees wins and losses in one move": "{how}, sieht aber Gewinn und Verlust in einem Zug",
  "plays almost at random": "spielt fast zufällig",
  "errs often, and gravely": "macht oft schwere Fehler",
  "errs often": "macht oft Fehler",
  "errs now and then": "macht ab und zu Fehler",
  "errs slightly": "macht kleine Fehler",
  "draws its moves by their probabilities": "zieht nach Wahrscheinlichkeiten",
  // Options of games
  "size": "Größe",
  "first": "Beginn",
  "in a row": "in einer Reihe",
  "rule": "Regel",
  "opening": "Eröffnung",
  "payoff": "Wertung",
  "stones": "Steine",
  "take": "Höchstzahl",
  "heaps": "Haufen",
  "misere": "Misère",
  "row": "Reihe",
  "players": "Spieler",
  "board": "Spielfeld",
  "victory points": "Siegpunkte",
  "discard limit": "Handkartengrenze",
  "the robber": "der Räuber",
  "robber": "Räuber",
  "development cards": "Entwicklungskarten",
  "domestic trade": "Handel",
  "trade between players": "Handel zwischen Spielern",
  "deals": "Abmachungen",
  "hidden hands": "verdeckte Handkarten",
  "friendly robber": "freundlicher Räuber",
  "max turns": "Höchstzahl Züge",
  "max actions": "Höchstzahl Aktionen",
  "none": "keine",
  "freestyle": "Freestyle",
  "standard": "Standard",
  "swap2": "Swap2",
  "renju": "Renju",
  "win": "Sieg",
  "discs": "Steine",
  "points": "Punkte",
  "random": "zufällig",
  "beginner": "Anfängeraufbau",
  "balanced": "ausgewogen",
  "cells along a side": "Felder entlang einer Seite",
  "the second player may take over the first stone": "der zweite Spieler darf den ersten Stein übernehmen",
  "the player who moves first; player 1 joins rows, player 2 columns":
    "wer beginnt; Spieler 1 verbindet Reihen, Spieler 2 Spalten",
  "stones in a row that win; if they do not fit on the board, all games are draws":
    "Steine in einer Reihe, die gewinnen; passen sie nicht aufs Brett, enden alle Partien unentschieden",
  ["freestyle: longer rows win too; standard: they do not; renju: they win for White, and Black must "
    + "not make one, nor two fours or two threes at once"]:
    "Freestyle: auch längere Reihen gewinnen; Standard: sie gewinnen nicht; Renju: sie gewinnen für "
    + "Weiß, und Schwarz darf keine bilden, auch nicht zwei Vierer oder zwei Dreier zugleich",
  ["swap: player 1 places two black stones and a white one, player 2 chooses a colour; swap2: player 2 "
    + "may also place one stone more of each, and player 1 chooses"]:
    "Swap: Spieler 1 setzt zwei schwarze Steine und einen weißen, Spieler 2 wählt eine Farbe; Swap2: "
    + "Spieler 2 darf auch je einen weiteren Stein setzen, und Spieler 1 wählt",
  "cells along a side, an even number": "Felder entlang einer Seite, eine gerade Zahl",
  "the stones from which the game begins": "die Steine, mit denen die Partie beginnt",
  "the winner takes all, or shares by cells": "der Sieger bekommt alles, oder Anteile nach Feldern",
  "stones of a single heap": "Steine eines einzelnen Haufens",
  "maximum stones per move": "höchstens so viele Steine pro Zug",
  "heap sizes like 1,3,5,7 (at most {n} heaps and {n2} stones), or empty for one heap of stones":
    "Haufengrößen wie 1,3,5,7 (höchstens {n} Haufen und {n2} Steine), oder leer für einen Haufen",
  "the player who takes the last stone loses": "wer den letzten Stein nimmt, verliert",
  "a row like 0110010201 of up to {n} cells: 0 empty, 1 copper, and 2 gold exactly once":
    "eine Reihe wie 0110010201 mit bis zu {n} Feldern: 0 leer, 1 Kupfer und genau einmal 2 Gold",
  "seats": "Plätze",
  "random, beginner, balanced, or a layout as JSON": "random, beginner, balanced oder ein Aufbau als JSON",
  "points that win on the player's own turn": "Punkte, die im eigenen Zug gewinnen",
  "cards in a hand above which a 7 discards half": "Handkarten, ab denen eine 7 die Hälfte kostet",
  "deals of several players, also about the robber and buildings":
    "Abmachungen mehrerer Spieler, auch über Räuber und Gebäude",
  "players see only their own hand": "Spieler sehen nur ihre eigenen Handkarten",
  "the robber spares players with at most 2 public points":
    "der Räuber verschont Spieler mit höchstens 2 sichtbaren Punkten",
  "the winner takes all, or shares by points": "der Sieger bekommt alles, oder Anteile nach Punkten",
  "turns after which the win is shared by points": "Züge, nach denen der Sieg nach Punkten geteilt wird",
  "players' actions after which the win is shared by points; 0: no limit":
    "Aktionen der Spieler, nach denen der Sieg nach Punkten geteilt wird; 0: unbegrenzt",
  // The rules in short, and lessons: Hex
  ["Two players place one stone each in turn on a free cell of the diamond. Stones are never moved or "
    + "taken off."]:
    "Zwei Spieler setzen abwechselnd je einen Stein auf ein freies Feld der Raute. Steine werden nie "
    + "bewegt oder entfernt.",
  ["Player 1 wins with a chain of stones from the top to the bottom, player 2 with one from the left to "
    + "the right. One of the two always succeeds: there is no draw."]:
    "Spieler 1 gewinnt mit einer Kette von Steinen von oben nach unten, Spieler 2 mit einer von links "
    + "nach rechts. Einem gelingt es immer: Es gibt kein Unentschieden.",
  "With the swap rule, the second player may take over the first stone instead of a move.":
    "Mit der Tauschregel darf der zweite Spieler statt eines Zugs den ersten Stein übernehmen.",
  ["Hex is played on a diamond of hexagons. You are player 1, and your sides are the top and the "
    + "bottom. In turn, each player places one stone on a free cell. Place a stone anywhere."]:
    "Hex wird auf einer Raute aus Sechsecken gespielt. Du bist Spieler 1, und deine Seiten sind oben und "
    + "unten. Abwechselnd setzt jeder einen Stein auf ein freies Feld. Setze irgendwo einen Stein.",
  "Now it is the opponent's turn. Stones stay where they are to the end":
    "Jetzt ist der Gegner am Zug. Steine bleiben bis zum Ende liegen",
  ["You win as soon as your stones join the top and the bottom. Your chain is one stone short. Complete "
    + "it."]:
    "Du gewinnst, sobald deine Steine oben und unten verbinden. Deiner Kette fehlt ein Stein. "
    + "Vervollständige sie.",
  ["Your stones join your sides: you win. A cell has six neighbours, so two cells of the last row "
    + "completed the chain"]:
    "Deine Steine verbinden deine Seiten: Du gewinnst. Ein Feld hat sechs Nachbarn, also vollendeten "
    + "zwei Felder der letzten Reihe die Kette",
  "That stone does not join your chain to the bottom. Try a cell below c3":
    "Dieser Stein verbindet deine Kette nicht mit dem unteren Rand. Versuche ein Feld unter c3",
  ["The opponent joins left and right, and needs one more stone. Stop it: place your stone where it "
    + "would win."]:
    "Der Gegner verbindet links und rechts und braucht noch einen Stein. Halte ihn auf: Setze deinen "
    + "Stein dorthin, wo er gewinnen würde.",
  ["The way to the right is closed. To block is the same as to join: if one player is cut off, the "
    + "other one is connected"]:
    "Der Weg nach rechts ist versperrt. Blockieren ist dasselbe wie verbinden: Ist einer abgeschnitten, "
    + "ist der andere verbunden",
  "The opponent wins at d3 now. Look for the free cell to the right of c3":
    "Jetzt gewinnt der Gegner auf d3. Suche das freie Feld rechts von c3",
  ["Two of your stones with two free cells between them form a bridge: if the opponent takes one of "
    + "these cells, you take the other. The opponent has just played c3. Keep your stones c2 and b4 "
    + "connected."]:
    "Zwei deiner Steine mit zwei freien Feldern dazwischen bilden eine Brücke: Nimmt der Gegner eines "
    + "dieser Felder, nimmst du das andere. Der Gegner hat gerade c3 gespielt. Halte deine Steine c2 und "
    + "b4 verbunden.",
  "The bridge holds. Bridges reach two rows with one stone, and cannot be cut":
    "Die Brücke hält. Brücken überwinden mit einem Stein zwei Reihen und können nicht getrennt werden",
  "Then b3 would cut c2 from b4. Take the other cell of the bridge":
    "Dann würde b3 c2 von b4 abschneiden. Nimm das andere Feld der Brücke",
  ["A first stone in the centre is worth a lot. Therefore the swap rule lets the second player take it "
    + "over. You are player 2, and the first stone is in the centre. Take it over: choose swap."]:
    "Ein erster Stein in der Mitte ist viel wert. Deshalb darf der zweite Spieler ihn nach der "
    + "Tauschregel übernehmen. Du bist Spieler 2, und der erste Stein liegt in der Mitte. Übernimm ihn: "
    + "Wähle Seitentausch.",
  ["The stone is yours now, mirrored to your sides. So the first player had better choose a stone that "
    + "is neither strong nor weak"]:
    "Der Stein gehört nun dir, auf deine Seiten gespiegelt. Deshalb wählt der erste Spieler besser einen "
    + "Stein, der weder stark noch schwach ist",
  "That is allowed, but the stone in the centre is better. Choose swap":
    "Das ist erlaubt, aber der Stein in der Mitte ist besser. Wähle Seitentausch",
  ["Without the swap rule, the centre is the best beginning: from there bridges lead to both of your "
    + "sides. Play it."]:
    "Ohne die Tauschregel ist die Mitte der beste Anfang: Von dort führen Brücken zu deinen beiden "
    + "Seiten. Spiele sie.",
  "You know all the rules of Hex": "Du kennst alle Regeln von Hex",
  "That is not the centre. It is c3": "Das ist nicht die Mitte. Sie ist c3",
  // Gomoku
  ["Two players place one stone each in turn on a free crossing; Black begins. Stones are never moved "
    + "or taken off."]:
    "Zwei Spieler setzen abwechselnd je einen Stein auf einen freien Schnittpunkt; Schwarz beginnt. "
    + "Steine werden nie bewegt oder entfernt.",
  ["Five stones of a colour in an unbroken row, across, down or diagonally, win. If the board is full, "
    + "the game is a draw."]:
    "Fünf Steine einer Farbe in einer lückenlosen Reihe, waagerecht, senkrecht oder diagonal, gewinnen. "
    + "Ist das Brett voll, endet die Partie unentschieden.",
  ["The options know further rules: exactly five (standard), Black's forbidden moves (renju), and "
    + "openings that make the game fair."]:
    "Die Optionen kennen weitere Regeln: genau fünf (Standard), verbotene Züge für Schwarz (Renju) und "
    + "Eröffnungen, die das Spiel ausgleichen.",
  ["Gomoku is played on the crossings of a board. You are Black and begin. In turn, each player places "
    + "one stone. Place a stone near the middle."]:
    "Gomoku wird auf den Schnittpunkten eines Bretts gespielt. Du hast Schwarz und beginnst. Abwechselnd "
    + "setzt jeder einen Stein. Setze einen Stein nahe der Mitte.",
  "From the middle a row can grow in every direction":
    "Von der Mitte aus kann eine Reihe in jede Richtung wachsen",
  "At the edge a row has less room. The middle is h8":
    "Am Rand hat eine Reihe weniger Platz. Die Mitte ist h8",
  "Five in a row win. You have four, and both ends are free. Complete the row.":
    "Fünf in einer Reihe gewinnen. Du hast vier, und beide Enden sind frei. Vervollständige die Reihe.",
  "Five in a row: you win": "Fünf in einer Reihe: Du gewinnst",
  "That does not make five. Place a stone at one end of the row":
    "Das ergibt keine fünf. Setze einen Stein an ein Ende der Reihe",
  "White has four in a row, and would win next. Block the end that is free.":
    "Weiß hat vier in einer Reihe und würde als Nächstes gewinnen. Blockiere das freie Ende.",
  "The row of White is closed at both ends, and worth nothing now":
    "Die Reihe von Weiß ist an beiden Enden geschlossen und nun wertlos",
  "White now wins at l8": "Weiß gewinnt jetzt auf l8",
  ["Three in a row with free ends are an open three. With one more stone they become an open four, "
    + "whose two ends the opponent cannot block at once. Make an open four."]:
    "Drei in einer Reihe mit freien Enden sind eine offene Drei. Mit einem weiteren Stein werden sie zur "
    + "offenen Vier, deren zwei Enden der Gegner nicht zugleich blockieren kann. Bilde eine offene Vier.",
  "White can close one end only: you win with the next stone":
    "Weiß kann nur ein Ende schließen: Du gewinnst mit dem nächsten Stein",
  "That makes no open four: its stones must be next to each other":
    "Das ergibt keine offene Vier: Ihre Steine müssen nebeneinander liegen",
  "White has an open three. If you do not answer it, White makes an open four. Defend beside the row.":
    "Weiß hat eine offene Drei. Antwortest du nicht, bildet Weiß eine offene Vier. Verteidige neben der "
    + "Reihe.",
  "An open three must be answered at once, unless you have four yourself":
    "Eine offene Drei muss sofort beantwortet werden, außer du hast selbst vier",
  "White makes an open four now, and wins": "Weiß bildet jetzt eine offene Vier und gewinnt",
  ["A stone that makes two open threes at once is a fork: the opponent can answer only one of them. "
    + "Find the crossing where your two pairs meet."]:
    "Ein Stein, der zwei offene Dreien zugleich bildet, ist eine Gabel: Der Gegner kann nur eine "
    + "beantworten. Finde den Schnittpunkt, an dem sich deine zwei Paare treffen.",
  "Two open threes with one stone: White can stop only one. Forks win most games":
    "Zwei offene Dreien mit einem Stein: Weiß kann nur eine aufhalten. Gabeln gewinnen die meisten "
    + "Partien",
  "Follow the row i8, j8 and the column k9, k10 to the crossing of both":
    "Folge der Reihe i8, j8 und der Spalte k9, k10 zu ihrem Schnittpunkt",
  // Reversi
  ["Two players place one disc each in turn; Black begins. A disc must enclose discs of the opponent in "
    + "a straight line between itself and another disc of its colour."]:
    "Zwei Spieler setzen abwechselnd je einen Stein; Schwarz beginnt. Ein Stein muss gegnerische Steine "
    + "in gerader Linie zwischen sich und einem anderen Stein seiner Farbe einschließen.",
  ["All discs enclosed by the placed disc, in every direction, are flipped to its colour. A player "
    + "without such a move passes."]:
    "Alle vom gesetzten Stein eingeschlossenen Steine, in jeder Richtung, werden zu seiner Farbe "
    + "umgedreht. Wer keinen solchen Zug hat, passt.",
  "The game ends when nobody can move. The player with more discs wins.":
    "Die Partie endet, wenn niemand mehr ziehen kann. Wer mehr Steine hat, gewinnt.",
  ["You are Black. A disc is placed so that it encloses discs of White in a straight line between "
    + "itself and a disc of yours; these are flipped. Dots mark where you may play. Place a disc."]:
    "Du hast Schwarz. Ein Stein wird so gesetzt, dass er weiße Steine in gerader Linie zwischen sich und "
    + "einem deiner Steine einschließt; diese werden umgedreht. Punkte zeigen, wo du setzen darfst. Setze "
    + "einen Stein.",
  "The enclosed disc is yours now": "Der eingeschlossene Stein gehört nun dir",
  "A disc flips in all eight directions at once, if it encloses. Find the move that flips three discs.":
    "Ein Stein dreht in allen acht Richtungen zugleich um, wo er einschließt. Finde den Zug, der drei "
    + "Steine umdreht.",
  "Three discs in different directions were enclosed":
    "Drei Steine in verschiedenen Richtungen waren eingeschlossen",
  "That flips one disc. Point at the free cells beside White's discs":
    "Das dreht einen Stein um. Zeige auf die freien Felder neben den weißen Steinen",
  ["A disc in a corner can never be enclosed, so it is never flipped. Corners decide many games. Take "
    + "the corner."]:
    "Ein Stein in einer Ecke kann nie eingeschlossen werden, also wird er nie umgedreht. Ecken "
    + "entscheiden viele Partien. Nimm die Ecke.",
  "This disc is yours to the end, and discs beside it become safe with it":
    "Dieser Stein gehört dir bis zum Ende, und Steine daneben werden mit ihm sicher",
  "The corner a1 is free, and you can enclose discs from there":
    "Die Ecke a1 ist frei, und von dort kannst du Steine einschließen",
  ["The cells diagonally beside the corners often give the corner to the opponent: here they are b2, "
    + "e2, b5 and e5. Make a move on another cell."]:
    "Die Felder schräg neben den Ecken geben die Ecke oft dem Gegner: Hier sind das b2, e2, b5 und e5. "
    + "Ziehe auf ein anderes Feld.",
  "Good: the corners stay out of reach for White": "Gut: Die Ecken bleiben für Weiß unerreichbar",
  "That cell lies diagonally beside a corner. Choose another one":
    "Dieses Feld liegt schräg neben einer Ecke. Wähle ein anderes",
  ["Who can enclose nothing has to pass, and the other moves again. Find the move after which White "
    + "must pass."]:
    "Wer nichts einschließen kann, muss passen, und der andere zieht noch einmal. Finde den Zug, nach "
    + "dem Weiß passen muss.",
  ["White has no move and passes: it is your turn again. To have more moves than the opponent matters "
    + "more in the middle of a game than to have more discs"]:
    "Weiß hat keinen Zug und passt: Du bist wieder am Zug. Mehr Züge als der Gegner zu haben zählt "
    + "mitten in der Partie mehr als mehr Steine",
  "White can move after that. Try the first row": "Danach kann Weiß ziehen. Versuche die erste Reihe",
  // Nim
  ["Two players take stones from a heap in turn: at least one, and at most as many as the option `take` "
    + "allows, all from the same heap."]:
    "Zwei Spieler nehmen abwechselnd Steine von einem Haufen: mindestens einen und höchstens so viele, "
    + "wie die Option „Höchstzahl“ erlaubt, alle vom selben Haufen.",
  "The player who takes the last stone wins. In the misère game this player loses.":
    "Wer den letzten Stein nimmt, gewinnt. Bei Misère verliert er.",
  ["Two players take stones in turn: one, two or three. A click on a stone takes it and all stones to "
    + "its right. Take some."]:
    "Zwei Spieler nehmen abwechselnd Steine: einen, zwei oder drei. Ein Klick auf einen Stein nimmt ihn "
    + "und alle Steine rechts davon. Nimm welche.",
  "Then the opponent takes one, two or three": "Dann nimmt der Gegner einen, zwei oder drei",
  "The player who takes the last stone wins. Three stones are left. Win.":
    "Wer den letzten Stein nimmt, gewinnt. Drei Steine sind übrig. Gewinne.",
  "You took the last stone: you win": "Du hast den letzten Stein genommen: Du gewinnst",
  "Now the opponent takes the rest. Take all three": "Jetzt nimmt der Gegner den Rest. Nimm alle drei",
  ["A player who finds four stones loses: whatever it takes, the other can take the rest. Five stones "
    + "are left. Leave four."]:
    "Wer vier Steine vorfindet, verliert: Was er auch nimmt, der andere kann den Rest nehmen. Fünf "
    + "Steine sind übrig. Lass vier liegen.",
  "Whatever the opponent takes now, you take the rest": "Was der Gegner jetzt auch nimmt, du nimmst den Rest",
  "Count what you leave: the opponent should find four stones":
    "Zähle, was du liegen lässt: Der Gegner soll vier Steine vorfinden",
  ["The same holds for eight, twelve and every multiple of four: answer one by three, two by two, three "
    + "by one. Seven stones are left. Leave the right number."]:
    "Dasselbe gilt für acht, zwölf und jedes Vielfache von vier: Antworte auf einen mit drei, auf zwei "
    + "mit zwei, auf drei mit einem. Sieben Steine sind übrig. Lass die richtige Zahl liegen.",
  "Four are left, and you win": "Vier sind übrig, und du gewinnst",
  "Leave a multiple of four": "Lass ein Vielfaches von vier liegen",
  ["There may be several heaps; a move takes from one of them. With two equal heaps, copy in one what "
    + "the opponent does in the other. Make the heaps equal."]:
    "Es kann mehrere Haufen geben; ein Zug nimmt von einem. Bei zwei gleichen Haufen mache im einen "
    + "nach, was der Gegner im anderen tut. Mache die Haufen gleich.",
  "From now on copy the opponent's moves: the last stone will be yours":
    "Mache von nun an die Züge des Gegners nach: Der letzte Stein wird deiner sein",
  "The heaps are not equal. Take two from b": "Die Haufen sind nicht gleich. Nimm zwei von b",
  ["In the misère game the player who takes the last stone loses. Three stones are left. Leave the last "
    + "one to the opponent."]:
    "Bei Misère verliert, wer den letzten Stein nimmt. Drei Steine sind übrig. Lass den letzten dem "
    + "Gegner.",
  "One stone is left, and the opponent must take it": "Ein Stein ist übrig, und der Gegner muss ihn nehmen",
  "Leave exactly one stone": "Lass genau einen Stein liegen",
  // Ledge
  "Coins lie on a row of cells that ends at a ledge on the left; one of them is gold.":
    "Münzen liegen auf einer Reihe von Feldern, die links an einer Kante endet; eine davon ist aus Gold.",
  ["In turn, a player slides one coin to the left, any number of free cells but over no other coin, or "
    + "picks up the coin that lies on the ledge, cell 0."]:
    "Abwechselnd schiebt ein Spieler eine Münze nach links, beliebig viele freie Felder weit, aber über "
    + "keine andere Münze, oder nimmt die Münze an der Kante, Feld 0.",
  "The player who picks up the gold coin wins.": "Wer die Goldmünze nimmt, gewinnt.",
  ["Coins lie on a row that ends at a ledge on the left. In turn, each player slides a coin to the "
    + "left, as far as it likes, but not over another coin. Click a coin, then the cell that it slides to."]:
    "Münzen liegen auf einer Reihe, die links an einer Kante endet. Abwechselnd schiebt jeder eine Münze "
    + "beliebig weit nach links, aber nicht über eine andere. Klicke auf eine Münze, dann auf das Feld, zu "
    + "dem sie gleitet.",
  "A coin never moves to the right": "Eine Münze bewegt sich nie nach rechts",
  "A coin on the ledge, cell 0, can be picked up instead of a slide. Pick it up.":
    "Eine Münze an der Kante, Feld 0, kann genommen statt geschoben werden. Nimm sie.",
  "The ledge is free for the next coin": "Die Kante ist frei für die nächste Münze",
  "That is a slide. Click the coin on the ledge": "Das ist Schieben. Klicke auf die Münze an der Kante",
  "The player who picks up the gold coin wins. It lies on the ledge. Take it.":
    "Wer die Goldmünze nimmt, gewinnt. Sie liegt an der Kante. Nimm sie.",
  "The gold is yours: you win": "Das Gold gehört dir: Du gewinnst",
  "Now the opponent takes the gold": "Jetzt nimmt der Gegner das Gold",
  ["Nobody wants to slide the gold to the ledge: the opponent would take it. The gold is the last coin. "
    + "Slide it so that the opponent has to bring it to the ledge."]:
    "Niemand will das Gold zur Kante schieben: Der Gegner nähme es. Das Gold ist die letzte Münze. "
    + "Schiebe es so, dass der Gegner es zur Kante bringen muss.",
  "The opponent can only slide it to the ledge, and then you take it":
    "Der Gegner kann es nur zur Kante schieben, und dann nimmst du es",
  "From there the opponent does better. It must have one slide only, to cell 0":
    "Von dort hat der Gegner Besseres. Er darf nur einen Zug haben, auf Feld 0",
  ["The copper coin is on the ledge, and the gold waits behind it. You have one move. Make it, and "
    + "think about the next two."]:
    "Die Kupfermünze liegt an der Kante, und das Gold wartet dahinter. Du hast einen Zug. Mache ihn und "
    + "denke an die nächsten zwei.",
  "The opponent must slide the gold to the ledge, and you take it":
    "Der Gegner muss das Gold zur Kante schieben, und du nimmst es",
  // Catan's rules and lesson
  "Players settle an island. Whoever has ten points in the own turn wins.":
    "Die Spieler besiedeln eine Insel. Wer im eigenen Zug zehn Punkte hat, gewinnt.",
  ["A turn: roll the dice, and all players beside a tile with this number get its card, one for a "
    + "settlement, two for a city. Then trade and build as long as you can pay."]:
    "Ein Zug: Würfle, und alle Spieler an einem Feld mit dieser Zahl bekommen seine Karte, eine für eine "
    + "Siedlung, zwei für eine Stadt. Dann handle und baue, solange du bezahlen kannst.",
  ["A road costs wood and brick; a settlement wood, brick, wool and grain, two sides away from all "
    + "others; a city two grain and three ore; a development card wool, grain and ore."]:
    "Eine Straße kostet Holz und Lehm; eine Siedlung Holz, Lehm, Wolle und Getreide, zwei Wege von allen "
    + "anderen entfernt; eine Stadt zwei Getreide und drei Erz; eine Entwicklungskarte Wolle, Getreide und "
    + "Erz.",
  ["After a 7 everybody with more than seven cards discards half of them, and you move the robber: its "
    + "tile gives nothing, and you steal a card from a player beside it. A knight does the same."]:
    "Nach einer 7 wirft jeder mit mehr als sieben Karten die Hälfte ab, und du versetzt den Räuber: Sein "
    + "Feld bringt nichts, und du raubst einem Spieler daneben eine Karte. Ein Ritter tut dasselbe.",
  ["Points: a settlement 1, a city 2, the longest road of five or more 2, the largest army of three or "
    + "more knights 2, some development cards 1."]:
    "Punkte: eine Siedlung 1, eine Stadt 2, die längste Handelsstraße ab fünf 2, die größte Rittermacht "
    + "ab drei Rittern 2, manche Entwicklungskarten 1.",
  ["Players settle a fixed island, without robber, development cards and trade between players. The "
    + "shares of the win go by points."]:
    "Die Spieler besiedeln eine feste Insel, ohne Räuber, Entwicklungskarten und Handel zwischen "
    + "Spielern. Der Sieg wird nach Punkten geteilt.",
  ["A road costs wood and brick; a settlement wood, brick, wool and grain, two sides away from all "
    + "others; a city two grain and three ore."]:
    "Eine Straße kostet Holz und Lehm; eine Siedlung Holz, Lehm, Wolle und Getreide, zwei Wege von allen "
    + "anderen entfernt; eine Stadt zwei Getreide und drei Erz.",
  ["You begin with two settlements and two roads. A settlement stands on a corner and gets a card from "
    + "each tile around it whenever its number is rolled. The dots below a number show how often that is: "
    + "6 and 8 have the most. Place a settlement beside a 6 or an 8."]:
    "Du beginnst mit zwei Siedlungen und zwei Straßen. Eine Siedlung steht auf einer Kreuzung und "
    + "bekommt von jedem Feld um sie eine Karte, wenn dessen Zahl gewürfelt wird. Die Punkte unter einer "
    + "Zahl zeigen, wie oft das ist: 6 und 8 haben die meisten. Setze eine Siedlung an eine 6 oder 8.",
  "Good. Different resources around a settlement matter as well":
    "Gut. Auch verschiedene Rohstoffe um eine Siedlung sind wichtig",
  "No tile there has a 6 or an 8. These numbers are red":
    "Kein Feld dort hat eine 6 oder 8. Diese Zahlen sind rot",
  ["Roads lead from your settlements to new places: two settlements need at least two sides between "
    + "them. Each of the first settlements gets a road. Place it."]:
    "Straßen führen von deinen Siedlungen zu neuen Plätzen: Zwischen zwei Siedlungen müssen mindestens "
    + "zwei Wege liegen. Jede der ersten Siedlungen bekommt eine Straße. Setze sie.",
  "Later you build from both ends of it": "Später baust du von beiden Enden weiter",
  ["A turn begins with the dice. Every player beside a tile with the number rolled gets its card: one "
    + "for a settlement, two for a city. Roll."]:
    "Ein Zug beginnt mit den Würfeln. Jeder Spieler an einem Feld mit der gewürfelten Zahl bekommt seine "
    + "Karte: eine für eine Siedlung, zwei für eine Stadt. Würfle.",
  "All players get their cards, not only the one who rolled":
    "Alle Spieler bekommen ihre Karten, nicht nur der, der gewürfelt hat",
  ["A 7 gives no cards. Who holds more than seven discards half of them, and you move the robber: its "
    + "tile gives nothing, and you steal a card from a player beside it. Move it to a tile of player 2."]:
    "Eine 7 bringt keine Karten. Wer mehr als sieben hat, wirft die Hälfte ab, und du versetzt den "
    + "Räuber: Sein Feld bringt nichts, und du raubst einem Spieler daneben eine Karte. Versetze ihn auf "
    + "ein Feld von Spieler 2.",
  "Player 2 loses a card to you, and gets nothing from this tile for now":
    "Spieler 2 verliert eine Karte an dich und bekommt von diesem Feld vorerst nichts",
  "Player 2 has no building there, so there is nobody to rob":
    "Spieler 2 hat dort kein Gebäude, also gibt es niemanden zu berauben",
  "You have a wood and a brick: that pays for a road. Build one.":
    "Du hast ein Holz und einen Lehm: Das bezahlt eine Straße. Baue eine.",
  "The longest road of at least five sides is worth two points":
    "Die längste Handelsstraße von mindestens fünf Wegen ist zwei Punkte wert",
  "That is allowed, but build a road now: click a marked side":
    "Das ist erlaubt, aber baue jetzt eine Straße: Klicke auf einen markierten Weg",
  ["Your road has reached a free corner, two sides from your settlement. A settlement costs wood, "
    + "brick, wool and grain, and is worth a point. Build it."]:
    "Deine Straße hat eine freie Kreuzung erreicht, zwei Wege von deiner Siedlung. Eine Siedlung kostet "
    + "Holz, Lehm, Wolle und Getreide und ist einen Punkt wert. Baue sie.",
  "One more point. A city, for two grain and three ore, takes its place later and is worth two":
    "Ein Punkt mehr. Eine Stadt, für zwei Getreide und drei Erz, tritt später an ihre Stelle und ist "
    + "zwei wert",
  "That is allowed, but build the settlement now: click the marked corner":
    "Das ist erlaubt, aber baue jetzt die Siedlung: Klicke auf die markierte Kreuzung",
  ["In your turn you trade with the others, or with the bank: four equal cards for one, three or two at "
    + "a port. Here you are player 2, and player 1 offers you 1 wool for 1 grain. Accept the offer."]:
    "In deinem Zug handelst du mit den anderen oder mit der Bank: vier gleiche Karten für eine, an einem "
    + "Hafen drei oder zwei. Hier bist du Spieler 2, und Spieler 1 bietet dir 1 Wolle für 1 Getreide. Nimm "
    + "das Angebot an.",
  "Player 1 now chooses among those who accepted. Who accepts helps both, so look who is ahead":
    "Spieler 1 wählt nun unter denen, die angenommen haben. Wer annimmt, hilft beiden; achte also "
    + "darauf, wer vorne liegt",
  "You may refuse, and often should. This time accept":
    "Du darfst ablehnen, und oft solltest du. Nimm diesmal an",
};

// Errors of the server, by their codes.
export const errors = {
  "address_too_long": "die Adresse dieser Anfrage ist zu lang",
  "agent_not_here": "„{agent}“ kann hier nicht spielen; Programme: {known}",
  "agents_busy": "gerade warten zu viele Partien auf ein Programm: Versuche es später noch einmal",
  "analysis_busy": "gerade werden zu viele Stellungen analysiert: Versuche es später noch einmal",
  "analysis_when_over":
    "diese Partie wird ohne Tipps gespielt: Sie kann analysiert werden, wenn sie beendet ist",
  "cannot_read": "{name} kann nicht gelesen werden: {reason}",
  "cannot_start": "in {name} kann nicht gestartet werden: {reason}",
  "chance_decides": "hier entscheidet der Zufall: Wähle zuerst ein Ergebnis",
  "chat_too_fast": "du schreibst zu schnell: Warte ein paar Sekunden",
  "closing": "der Server wird beendet",
  "colours_chosen":
    "in dieser Eröffnung wählen die Spieler ihre Farben: Spiele oder tippe die Züge, die zur Stellung führen",
  "cup_begun": "dieses Turnier hat schon begonnen",
  "cup_creator_starts": "nur wer das Turnier erstellt hat, startet es",
  "cup_full": "an einem Turnier nehmen höchstens {most} Spieler teil",
  "cup_too_few": "dieses Spiel braucht mindestens {least} Spieler",
  "data_full":
    "die Datenbank dieses Servers hat ihre {most} MB erreicht: Nur begonnene Partien gehen weiter; lösche "
    + "Studien, oder bitte den Betreiber um Platz",
  "database_fails":
    "Partien können gerade nicht gespeichert oder gelesen werden: siehe die Meldungen des Servers",
  "download_too_long": "diese Partien haben mehr als {most} Züge: Wähle weniger Partien",
  "downloads_at_once": "es können 1 bis {most} Partien auf einmal heruntergeladen werden, nicht {n}",
  "explored_too_far": "Stellungen nach mehr als {most} Zügen werden nicht untersucht",
  "game_damaged": "die Partie {id} ist in der Datenbank beschädigt und kann nicht gezeigt werden",
  "game_over": "die Partie ist beendet",
  "game_too_long": "Partien mit mehr als {most} Zügen können hier nicht gezeigt werden",
  "hidden_no_replay": "solange verdeckte Karten im Spiel sind, kann diese Partie nicht nachgespielt werden",
  "hidden_no_study": "solange verdeckte Karten im Spiel sind, kann aus dieser Partie keine Studie werden",
  "hidden_no_tries": "solange verdeckte Karten im Spiel sind, können keine Züge ausprobiert werden",
  "hidden_only_mover":
    "solange verdeckte Karten im Spiel sind, kann nur der Spieler am Zug die Stellung analysieren",
  "hint_for_mover": "nur der Spieler am Zug bekommt einen Tipp",
  "impossible_stones":
    "die Spieler setzen abwechselnd, also sind diese Anzahlen von Steinen unmöglich: {stones}",
  "impossible_stones_with_mover":
    "die Spieler setzen abwechselnd, also sind diese Anzahlen von Steinen unmöglich, wenn {player} am Zug "
    + "ist: {stones}",
  "invitation_used": "diese Einladung wurde schon benutzt oder gilt für eine andere Partie",
  "library_game_broken": "eine Partie der Bibliothek kann nicht nachgespielt werden: {reason}",
  "line_goes_on": "nur die letzte Aktion einer Folge darf den Zug beenden",
  "logins_busy": "gerade melden sich zu viele an: Versuche es gleich noch einmal",
  "move_after_end": "Zug {number}, „{move}“, kommt nach dem Ende",
  "move_refused": "Zug {number}, {player} ist am Zug: {reason}",
  "moves_not_stones":
    "in {game} tut ein Zug mehr, als einen Stein zu setzen: Spiele oder tippe die Züge, die zur Stellung "
    + "führen",
  "name_taken": "diesen Namen hat schon ein anderer Spieler",
  "new_too_fast":
    "von deiner Adresse wurden zu viele Partien, Turniere oder Studien begonnen oder hochgeladen: "
    + "warte ein paar Minuten",
  "no_agent_thinks": "kein Programm denkt nach",
  "no_analysis": "{agent} gibt keine Analyse",
  "no_configuration": "es gibt keine Konfiguration „{name}“; {known}",
  "no_field": "es gibt kein Feld „{name}“; Felder: {known}",
  "no_game": "es gibt hier keine Partie „{id}“",
  "no_hints": "diese Partie wird ohne Tipps gespielt",
  "no_log": "{name} hat kein Protokoll von „{actor}“",
  "no_move_to_undo": "du hast keinen Zug zum Zurücknehmen",
  "no_order_of_stones": "für diese Steine wurde keine Reihenfolge gefunden: Spiele oder tippe die Züge",
  "no_password": "dieser Server verlangt kein Passwort",
  "no_puzzle": "es gibt hier keine Aufgabe",
  "no_puzzle_of": "es gibt hier keine Aufgabe zu {game}",
  "no_run": "es gibt hier keinen Lauf „{name}“",
  "no_seat": "es gibt keinen Platz {seat}: Plätze sind 0 bis {last}",
  "no_step": "diesen Schritt gibt es nicht",
  "no_stones_to_place":
    "{game} hat keine Steine zu setzen: Wähle die Optionen ({options}) und spiele oder tippe die Züge von "
    + "dort",
  "no_study":
    "unter dieser Adresse gibt es keine Studie: Sie ist vielleicht unvollständig, oder die Studie wurde "
    + "gelöscht",
  "no_such_puzzle": "unter dieser Adresse gibt es keine Aufgabe: Sie ist vielleicht unvollständig",
  "no_tournament": "es gibt hier kein Turnier „{id}“",
  "no_tournament_game": "in diesem Turnier gibt es keine Partie {id}",
  "no_undo_request": "niemand möchte einen Zug zurücknehmen",
  "not_loaded": "„{named}“ ist ein Programm oder eine Datei, die hier nicht geladen ist; geladen: {known}",
  "not_over": "die Partie ist nicht beendet",
  "not_stored": "die Partie kann nicht gespeichert werden: siehe die Meldungen des Servers",
  "not_your_run": "das darf nur, wer {name} gestartet hat, oder im Terminal der Betreiber",
  "not_your_turn": "du bist nicht am Zug",
  "nothing_to_analyse": "die Partie ist hier beendet: Es gibt nichts zu analysieren",
  "nothing_to_give_up": "hier gibt es nichts aufzugeben",
  "number_too_large": "{name}: Eine Zahl ist zu groß",
  "one_network": "{name} hat bisher ein Netz gespeichert; für eine Bewertung braucht es mindestens zwei",
  "only_creator_pauses": "nur wer die Partie erstellt hat, kann sie anhalten",
  "only_players": "du schaust hier zu: Das dürfen nur die Spieler",
  "open_again": "diese Partie musste neu geladen werden: Öffne sie noch einmal",
  "other_site": "Anfragen anderer Seiten werden nicht beantwortet",
  "password_needed": "dieser Server verlangt ein Passwort",
  "password_tries": "zu viele Versuche mit dem Passwort: Warte eine Minute",
  "pause_without_people": "nur Partien ohne Menschen können angehalten werden",
  "position_changed": "die Stellung hat sich inzwischen geändert",
  "quick_games_at_setup": "schnelle Partien werden nur aus Stellungen der Gründungsphase gespielt",
  "record_knows_secrets":
    "eine Partie {game} mit anderen kann keine Aufzeichnung fortsetzen: Wer die Aufzeichnung hat, weiß, "
    + "was verdeckt ist",
  "record_over": "die Partie der Aufzeichnung ist beendet und kann nicht fortgesetzt werden",
  "record_when_over": "die Aufzeichnung einer Partie {game} gibt es, wenn sie beendet ist",
  "request_bytes": "eine Anfrage darf hier höchstens {most} Bytes haben",
  "request_depth": "in einer Anfrage dürfen höchstens {most} Listen und Objekte ineinander stehen",
  "request_headers": "eine Anfrage darf höchstens {most} Kopfzeilen haben",
  "request_keys": "eine Anfrage darf höchstens {most} Schlüssel und {containers} Listen und Objekte haben",
  "request_utf8": "eine Anfrage ist JSON in UTF-8",
  "request_values": "eine Anfrage darf hier höchstens {most} Werte haben",
  "review_busy": "gerade denken zu viele Programme: Beginne die Durchsicht noch einmal",
  "run_at_work": "{name} läuft schon",
  "run_budget": "{fields}: zusammen {amount}, und ein Lauf von dieser Seite darf höchstens {most} haben",
  "run_does_not_run": "{name} läuft nicht",
  "run_exists": "„{name}“ gibt es schon; wähle einen anderen Namen",
  "run_finished": "{name} ist fertig; beginne einen neuen Lauf, der damit startet",
  "run_name":
    "der Name eines Laufs besteht aus kleinen Buchstaben, Ziffern, „-“, „_“ und „.“ und beginnt mit einem "
    + "Buchstaben oder einer Ziffer",
  "runs_full":
    "der Ordner der Läufe darf {most} MB enthalten; es sind {used}, und dafür fehlen {needed}: Lösche Läufe",
  "seats_not_taken": "die Partie beginnt, wenn alle Plätze besetzt sind",
  "seed_range": "der Startwert muss zwischen 0 und {most} liegen",
  "seed_with_others": "in einer Partie mit anderen kann der Startwert nicht gewählt werden",
  "setting_up_busy":
    "gerade werden viele Partien aufgebaut oder gelesen: Versuche es in einer Minute noch einmal",
  "shipped_name": "„{name}“ heißt ein mitgeliefertes Netz; wähle einen anderen Namen",
  "started_elsewhere": "{name} wurde nicht von hier gestartet; halte ihn dort an, wo er läuft, mit Strg-C",
  "stones_end_early":
    "diese Stellung ist nicht erreichbar: In jeder Reihenfolge endet die Partie vor dem letzten Stein",
  "studies_full":
    "dieser Server speichert {most} Studien und nimmt keine weiteren: Lösche eine oder speichere die "
    + "Studie als Datei",
  "study_changed": "diese Studie wurde in einem anderen Fenster oder von jemand anderem geändert",
  "study_comment": "ein Kommentar darf höchstens {most} Zeichen haben",
  "study_comments": "die Kommentare einer Studie dürfen zusammen {most} Zeichen haben",
  "study_damaged": "diese Studie ist in der Datenbank beschädigt",
  "study_line": "eine Variante einer Studie darf höchstens {most} Züge haben",
  "study_lines": "die Varianten dieser Studie haben zusammen mehr als {most} Züge",
  "study_marks": "eine Stellung darf höchstens {most} Markierungen haben",
  "study_positions": "eine Studie darf höchstens {most} Stellungen haben",
  "study_read_only": "mit diesem Link kann man die Studie nur lesen",
  "time_up": "deine Zeit ist abgelaufen",
  "too_many_games": "das sind {n} Partien; höchstens {most} werden auf einmal gelesen",
  "too_many_pages": "an diesem Server sind zu viele Seiten offen",
  "too_many_plies": "eine Partie darf {most} Züge haben, nicht {n}",
  "too_many_requests": "zu viele Anfragen: Warte einen Moment",
  "too_many_watchers": "an diesem Server schauen zu viele Leute zu",
  "topp_busy": "{name} wird gerade bewertet; halte das erst an oder warte das Ende ab",
  "train_busy": "{name} lernt gerade; halte ihn erst an oder warte das Ende ab",
  "trained_elsewhere": "{name} wird von einem anderen Programm trainiert; seine Dateien ändern sich",
  "undo_chance": "seither wurde gewürfelt oder gezogen: Gegen ein Programm bleibt dieser Zug stehen",
  "undo_seen": "was verdeckt war, ist seither zu sehen: Dieser Zug bleibt stehen",
  "undo_with_others": "mit anderen am Brett bleibt dieser Zug stehen",
  "value_too_large": "{agent}: {key} darf hier höchstens {most} sein, nicht {value}",
  "windows_terminal": "unter Windows im Terminal beginnen: {command}",
  "wrong_network": "{field} muss eines von {known} sein, nicht „{name}“",
  "wrong_password": "das ist nicht das Passwort",
  "wrong_passwords": "zu viele falsche Passwörter: Warte eine Minute",
  "wrong_seats": "dieses Spiel hat {seats} Plätze, und {n} wurden angegeben",
};
