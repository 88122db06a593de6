"""The sentences of the server's errors, by their codes; `{name}` is the place of a field."""

SENTENCES = {
    "address_too_long": "the address of this request is too long",
    "agent_not_here": "'{agent}' cannot play here; agents: {known}",
    "agents_busy": "too many games wait for an agent at the moment: try again in a while",
    "analysis_busy": "too many positions are being analysed: try again in a while",
    "analysis_when_over": "this game is played without hints: it can be analysed when it is over",
    "cannot_read": "cannot read {name}: {reason}",
    "cannot_start": "cannot start in {name}: {reason}",
    "chance_decides": "chance decides here: choose an outcome first",
    "chat_too_fast": "you write too fast: wait a few seconds",
    "closing": "the server is closing",
    "colours_chosen": (
        "the players choose colours in this opening: play or type the moves that lead to the "
        "position"
    ),
    "cup_begun": "this tournament has begun",
    "cup_creator_starts": "only the creator starts the tournament",
    "cup_full": "a tournament has at most {most} players",
    "cup_too_few": "this game needs at least {least} players",
    "data_full": (
        "this server's database has reached its {most} MB: only games that have begun continue; "
        "delete studies, or ask the operator for room"
    ),
    "database_fails": "games cannot be stored or read at the moment: see the server's messages",
    "download_too_long": "these games have more than {most:,} plies: choose fewer games",
    "downloads_at_once": "from 1 to {most} games can be downloaded at once, not {n}",
    "explored_too_far": "positions after more than {most} plies are not explored",
    "game_damaged": "game {id} is damaged in the database, and cannot be shown",
    "game_over": "the game is over",
    "game_too_long": "games of more than {most:,} plies cannot be shown here",
    "hidden_no_replay": "while hidden cards are in play there is no replay of this game",
    "hidden_no_study": "while hidden cards are in play, this game cannot become a study",
    "hidden_no_tries": "while hidden cards are in play, no moves can be tried out",
    "hidden_only_mover": (
        "while hidden cards are in play, only the player to move can analyse the position"
    ),
    "hint_for_mover": "only the player to move can get a hint",
    "impossible_stones": (
        "players place in turn, so these numbers of stones are impossible: {stones}"
    ),
    "impossible_stones_with_mover": (
        "players place in turn, so these numbers of stones are impossible with {player} to move: "
        "{stones}"
    ),
    "invitation_used": "this invitation has been used, or is for another game",
    "library_game_broken": "a game of the library cannot be replayed: {reason}",
    "line_goes_on": "only the last action of a line may end a turn",
    "logins_busy": "too many are logging in: try again in a moment",
    "move_after_end": "move {number}, '{move}', comes after the end",
    "move_refused": "move {number}, {player} to move: {reason}",
    "moves_not_stones": (
        "in {game} a move does more than place a stone: play or type the moves that lead to the "
        "position"
    ),
    "name_taken": "another player has this name",
    "new_too_fast": (
        "too many games, tournaments or studies were begun or uploaded from your address: wait a "
        "few minutes"
    ),
    "no_agent_thinks": "no agent is thinking",
    "no_analysis": "{agent} reports no analysis",
    "no_configuration": "there is no configuration {name!r:.80}; {known}",
    "no_field": "there is no field {name!r:.80}; fields: {known}",
    "no_game": "there is no game {id!r} here",
    "no_hints": "this game is played without hints",
    "no_log": "{name} has no log of {actor!r}",
    "no_move_to_undo": "there is no move of yours to take back",
    "no_order_of_stones": "no order was found for these stones: play or type the moves",
    "no_password": "this server asks for no password",
    "no_puzzle": "there is no puzzle here",
    "no_puzzle_of": "there is no puzzle of {game} here",
    "no_run": "there is no run {name!r} here",
    "no_seat": "there is no seat {seat}: seats are 0 to {last}",
    "no_step": "there is no such step",
    "no_stones_to_place": (
        "{game} has no stones to place: choose its options ({options}), and play or type the "
        "moves from there"
    ),
    "no_study": "there is no study at this address: it may be incomplete, or the study was deleted",
    "no_such_puzzle": "there is no puzzle at this address: it may be incomplete",
    "no_tournament": "there is no tournament {id!r} here",
    "no_tournament_game": "there is no game {id} in this tournament",
    "no_undo_request": "there is no request to take a move back",
    "not_loaded": "{named!r} is a program or file that is not loaded here; loaded: {known}",
    "not_over": "the game is not over",
    "not_stored": "the game cannot be stored: see the server's messages",
    "not_your_run": (
        "only the visitor who started {name}, or the operator in a terminal, may do that"
    ),
    "not_your_turn": "it is not your turn",
    "nothing_to_analyse": "the game is over here: there is nothing to analyse",
    "nothing_to_give_up": "there is nothing to give up here",
    "number_too_large": "{name}: a number is too large",
    "one_network": "{name} has saved one network so far; rating needs at least two",
    "only_creator_pauses": "only the creator of the game can pause it",
    "only_players": "you look on here: only players may do that",
    "open_again": "this game had to be loaded again: open it again",
    "other_site": "requests from other sites are not answered",
    "password_needed": "this server asks for a password",
    "password_tries": "too many tries at the password: wait a minute",
    "pause_without_people": "only games without people can be paused",
    "position_changed": "the position has changed meanwhile",
    "quick_games_at_setup": "quick games are played from the positions of a set-up only",
    "record_knows_secrets": (
        "a game of {game} with other people cannot continue a record: the player who has the "
        "record knows what is hidden"
    ),
    "record_over": "the game of the record is over, so it cannot be continued",
    "record_when_over": "the record of a game of {game} is available when it is over",
    "request_bytes": "a request here may have at most {most:,} bytes",
    "request_depth": "a request may have at most {most} lists and objects in each other",
    "request_headers": "a request may have at most {most} headers",
    "request_keys": "a request may have at most {most} keys, and {containers} lists and objects",
    "request_utf8": "a request is JSON in UTF-8",
    "request_values": "a request here may have at most {most:,} values",
    "review_busy": "too many agents think at the moment: begin the review again",
    "run_at_work": "{name} is at work already",
    "run_budget": "{fields}: together {amount}, and a run from the page may have at most {most}",
    "run_does_not_run": "{name} does not run",
    "run_exists": "there is something called '{name}' already; choose another name",
    "run_finished": "{name} has finished; begin a new run that starts from it",
    "run_name": (
        "a run's name is made of small letters, digits, '-', '_' and '.', and begins with a "
        "letter or digit"
    ),
    "runs_full": (
        "the folder of runs may hold {most} MB; it holds {used}, and this needs {needed} more: "
        "delete runs"
    ),
    "seats_not_taken": "the game begins when all seats are taken",
    "seed_range": "the seed must be from 0 to {most}",
    "seed_with_others": "the seed cannot be chosen in a game with other people",
    "setting_up_busy": "many games are being set up or read at the moment: try again in a minute",
    "shipped_name": "'{name}' is the name of a network that ships; choose another",
    "started_elsewhere": "{name} was not started from here; stop it where it runs, by Ctrl-C",
    "stones_end_early": (
        "this position cannot be reached: in any order the game ends before the last stone"
    ),
    "studies_full": (
        "this server stores {most:,} studies and takes no more: delete one, or save the study as "
        "a file"
    ),
    "study_changed": "this study was changed in another window or by someone else",
    "study_comment": "a comment may have at most {most:,} characters",
    "study_comments": "the comments of a study may have {most:,} characters in all",
    "study_damaged": "this study is damaged in the database",
    "study_line": "a line of a study may have at most {most:,} moves",
    "study_lines": "the lines of this study have more than {most:,} moves in all",
    "study_marks": "a position may have at most {most} marks",
    "study_positions": "a study may have at most {most:,} positions",
    "study_read_only": "this link only reads the study",
    "time_up": "your time is up",
    "too_many_games": "these are {n:,} games; at most {most:,} are read at once",
    "too_many_pages": "too many pages are open at this server",
    "too_many_plies": "a game may have {most:,} plies, not {n:,}",
    "too_many_requests": "too many requests: wait a moment",
    "too_many_watchers": "too many people are looking on at this server",
    "topp_busy": "{name} is being rated now; stop it first, or wait for its end",
    "train_busy": "{name} trains now; stop it first, or wait for its end",
    "trained_elsewhere": "{name} is being trained by another program; its files change",
    "undo_chance": "dice or cards were drawn since: in a game with an agent this move stands",
    "undo_seen": "what was hidden has been seen since: this move stands",
    "undo_with_others": "with other people at the board this move stands",
    "value_too_large": "{agent}: {key} may be at most {most:g} here, not {value}",
    "windows_terminal": "on Windows, begin it in a terminal: {command}",
    "wrong_network": "{field} must be one of {known}, not {name!r:.80}",
    "wrong_password": "that is not the password",
    "wrong_passwords": "too many wrong passwords: wait a minute",
    "wrong_seats": "this game has {seats} seats, and {n} were given",
}
