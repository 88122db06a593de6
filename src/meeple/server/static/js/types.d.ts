// The messages between page and server, written by docs/write_types.py from the schemas.

export interface ActionView {
  id: number;
  name: string;
  group: string | null;
  label: string;
  clicks: string[];
  marks: string[];
}

export interface Analyse {
  source: GameSource;
  spec?: string | null;
  tokens?: string[];
  id?: number;
  type: "analyse";
  ply: number;
  seconds: number;
}

export interface Answer {
  person: string;
  moves: string[];
}

export interface Arrangement {
  game: string;
  options?: Record<string, boolean | number | string>;
  pieces: string[];
  to_move?: number | null;
}

export interface Asking {
  kind: "undo" | "draw";
  seat: number;
}

export interface Chances {
  by: number;
  value: number[];
  ply: number;
}

export interface ChatLine {
  id: number;
  seat: number | null;
  text: string;
  at: number;
}

export interface ChatMessage {
  sentences?: Record<string, any>;
  type: "chat";
  lines: ChatLine[];
}

export interface ChatText {
  type: "chat";
  text: string;
}

export interface Claim {
  invite: string;
  name?: string;
}

export interface ClockChoice {
  kind: "move" | "game";
  seconds: number;
  increment?: number;
}

export interface ClockTerms {
  kind: "move" | "game";
  seconds: number;
  increment: number;
}

export interface Clocks {
  kind: "move" | "game";
  left: (number | null)[];
  running: number | null;
  at: number;
}

export interface ClusterActor {
  name: string;
  role: "self-play" | "learner" | "buffer" | "inference" | "matches";
  node: string;
  pid: number;
  alive: boolean;
  games: number;
  games_per_second: number;
  generation: number | null;
  waiting: string;
  restarts: number;
}

export interface ClusterFacts {
  place: string;
  time: number;
  running: boolean;
  summary: string;
  games_per_second: number;
  waiting: string;
  nodes: ClusterNode[];
  more_nodes: number;
  actors: ClusterActor[];
  more_actors: number;
  account: GameCounts;
  account_words: string[];
  problems: string[];
}

export interface ClusterNode {
  name: string;
  address: string;
  processors: number;
  accelerators: string;
  alive: boolean;
}

export interface ConfigList {
  configs: ReadyConfig[];
  sections: FormSection[];
}

export interface CurveData {
  name: string;
  group: string;
  title: string;
  words: string;
  points: [number, number][];
}

export interface ErrorMessage {
  sentences?: Record<string, any>;
  type: "error";
  text: string;
  code?: string;
  fields?: Record<string, string | number>;
  fatal?: boolean;
}

export interface EventView {
  ply: number;
  seat: number;
  text: string;
  said: boolean;
  spots: string[];
}

export interface Events {
  from: number;
  list: EventView[];
}

export interface Finding {
  problem: string;
  advice: string;
}

export interface FormField {
  name: string;
  kind: "integer" | "number" | "flag" | "choice" | "text" | "list";
  allowed: string;
  help: string;
  default: any;
  optional: boolean;
  low?: number | null;
  high?: number | null;
  above?: number | null;
  below?: number | null;
  choices?: string[] | null;
}

export interface FormSection {
  name: string;
  help: string;
  fields: FormField[];
}

export interface GameChoice {
  game: string;
  options?: Record<string, boolean | number | string>;
}

export interface GameCounts {
  begun: number;
  finished: number;
  stored: number;
  trained: number;
  lost: number;
  dropped: number;
  deaths: number;
  in_flight: number;
  unaccounted: number;
}

export interface GameSource {
  table?: string | null;
  record?: string | null;
  game?: string | null;
  options?: Record<string, boolean | number | string>;
  seed?: number;
  moves?: string | string[];
  keep?: number | null;
  then?: string[];
}

export interface GameToLearn {
  game: string;
  options?: Record<string, boolean | number | string>;
  minutes?: number;
}

export interface HTTPValidationError {
  detail?: ValidationError[];
}

export interface HintMessage {
  type: "hint";
  actions: number[];
  [other: string]: any;
}

export interface Invitation {
  invite: string;
}

export interface Joining {
  name: string;
}

export interface Learning {
  ok?: "True";
  token: string;
  name: string;
}

export interface LogTail {
  name: string;
  lines: string[];
}

export interface Login {
  password: string;
}

export interface NewCup {
  game: string;
  options?: Record<string, boolean | number | string>;
  format: "round-robin" | "swiss";
  agents?: string[];
  clock?: ClockChoice | null;
  help?: boolean;
}

export interface NewRun {
  name: string;
  config: string;
  changes?: Record<string, boolean | number | string | (boolean | number | string | (boolean | number | string)[])[] | null>;
}

export interface NewStudy {
  title: string;
  source?: GameSource | null;
  text?: string | null;
  data?: string | null;
  tree?: Tree | null;
}

export interface NewTable {
  game: string;
  options?: Record<string, boolean | number | string>;
  seats: SeatChoice[];
  clock?: ClockChoice | null;
  pace?: number;
  help?: boolean | null;
  seed?: number | null;
  record?: string | null;
}

export interface NextPuzzle {
  person: string;
  game?: string;
  after?: string;
}

export interface NextTable {
  id: string;
  seats: Record<string, number>;
}

export interface Ok {
  ok?: "True";
}

export interface OpeningsQuery {
  source: GameSource;
  ply: number;
}

export interface Pause {
  type: "pause";
  on: boolean;
}

export interface Permissions {
  undo: boolean;
  draw: boolean;
  hint: boolean;
  analyse: boolean;
  resign: boolean;
  now: boolean;
  pause: boolean;
  rematch: boolean;
  chat: boolean;
}

export interface Person {
  person: string;
}

export interface Play {
  type: "play";
  ply: number;
  actions: number[];
}

export interface Positions {
  source: GameSource;
}

export interface QuickGames {
  source: GameSource;
  spec?: string | null;
  tokens?: string[];
  id?: number;
  type: "games";
  ply: number;
  action: string;
}

export interface Rated {
  episode: number;
  rating: number;
  interval: [number, number];
  share: number;
}

export interface RatingGain {
  rating: number;
  interval: [number, number];
}

export interface ReadyConfig {
  name: string;
  game: string;
  words: string;
  options: FormField[];
  values: Record<string, any>;
}

export interface ReloadMessage {
  type: "reload";
}

export interface RematchMessage {
  type: "rematch";
  table: string;
  tokens: Record<string, string>;
}

export interface Reply {
  type: "answer";
  agree: boolean;
}

export interface Report {
  unit: "episode" | "round";
  policy: string;
  epsilon: number;
  games: number;
  games_per_pair: number;
  distinct_games: number;
  networks: Rated[];
  matrix: ((number | null)[])[];
  gain: RatingGain;
  made: number;
}

export interface ResultView {
  payoffs: number[] | null;
  outcome: "win" | "shared" | "draw" | "loss" | null;
  how: string;
  words: string;
}

export interface RunFacts {
  name: string;
  game: string;
  title: string;
  options: Record<string, boolean | number | string>;
  status: "running" | "stopping" | "elsewhere" | "finished" | "stopped" | "failed";
  late: boolean;
  rating: boolean;
  episodes: number;
  of: number | null;
  unit: "episode" | "round";
  changed: number;
  gain: RatingGain | null;
  place: string | null;
  problem: string | null;
  race: string | null;
  seconds: number;
  left: number | null;
  networks: number[];
  marks: number | null;
  since: number;
  curves: CurveData[];
  progress: string[];
  findings: Finding[];
  topp: Report | null;
  output: string[];
  spec: string | null;
  settings: Record<string, any>;
  yours: boolean;
  cluster: ClusterFacts | null;
  logs: string[];
}

export interface RunList {
  runs: (RunWords | Unreadable)[];
}

export interface RunWords {
  name: string;
  game: string;
  title: string;
  options: Record<string, boolean | number | string>;
  status: "running" | "stopping" | "elsewhere" | "finished" | "stopped" | "failed";
  late: boolean;
  rating: boolean;
  episodes: number;
  of: number | null;
  unit: "episode" | "round";
  changed: number;
  gain: RatingGain | null;
  place: string | null;
  problem: string | null;
}

export interface Sample {
  episode: number;
  plies: number;
  result: string;
  record: string;
}

export interface Samples {
  games: Sample[];
  last: number;
}

export interface SaveStudy {
  version: number;
  title: string;
  tree: Tree;
}

export interface SceneOf {
  source: GameSource;
  ply: number;
  seat?: number | null;
  explain?: boolean;
}

export interface SeatChoice {
  kind: "me" | "link" | "agent";
  spec?: string;
  name?: string;
}

export interface SeatView {
  seat: number;
  name: string;
  who: string;
  called: string;
  kind: "human" | "agent" | "open";
  spec: string | null;
  here: boolean;
  gone: boolean;
}

export interface Started {
  ok?: "True";
  token: string;
}

export interface StepChoice {
  step: number;
  action?: number | null;
}

export interface Stop {
  type: "stop";
  id?: number;
}

export interface Sweep {
  source: GameSource;
  spec?: string | null;
  tokens?: string[];
  id?: number;
  type: "sweep";
  seconds: number;
  ready?: boolean;
}

export interface TableMessage {
  sentences?: Record<string, any>;
  type: "table";
  id: string;
  game: string;
  title: string;
  summary: string;
  options: Record<string, boolean | number | string>;
  hides: boolean;
  scale: Record<string, any>;
  you: number[];
  reader: number | null;
  seats: SeatView[];
  to_move: number;
  status: "waiting" | "playing" | "over";
  paused: boolean;
  thinking: Thinking | null;
  result: ResultView | null;
  ply: number;
  opening: number;
  events: Events;
  last: string[];
  clocks: Clocks | null;
  can: Permissions;
  asks: Asking | null;
  chances: Chances | null;
  next: NextTable | null;
  terms: Terms;
  watching: number;
  cup: string;
  family: string;
  scene: Record<string, any>;
  actions: ActionView[];
  guide: string;
  premoves: ActionView[];
}

export interface Terms {
  help: boolean;
  clock: ClockTerms | null;
}

export interface Thinking {
  seat: number;
  state: string;
  step: string;
  since: number;
  seconds: number;
}

export interface Tree {
  game: string;
  options?: Record<string, boolean | number | string>;
  seed?: number;
  seats?: string[];
  ids: number[];
  parents: number[];
  actions: string[];
  comments: string[];
  marks: string[];
}

export interface Unreadable {
  name: string;
  problem: string;
}

export interface Upload {
  text?: string | null;
  data?: string | null;
  first?: number | null;
}

export interface ValidationError {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: any;
  ctx?: Record<string, any>;
}

export interface Watch {
  type: "watch";
  table: string;
  tokens?: string[];
}

export interface Wish {
  type: "undo" | "draw" | "hint" | "now" | "resign" | "rematch";
}

export type ToTable = Watch | Play | Reply | ChatText | Pause | Wish;

export type FromTable = TableMessage | HintMessage | ChatMessage | RematchMessage | ReloadMessage | ErrorMessage;

export type ToAnalysis = Analyse | Sweep | QuickGames | Stop;

export interface Bodies {
  "/api/arrange": Arrangement;
  "/api/cups": NewCup;
  "/api/cups/{id}/join": Joining;
  "/api/explore": OpeningsQuery;
  "/api/learn": GameToLearn;
  "/api/lessons/{name}": StepChoice;
  "/api/levels": GameChoice;
  "/api/login": Login;
  "/api/positions": Positions;
  "/api/puzzles/next": NextPuzzle;
  "/api/puzzles/{id}": Person;
  "/api/puzzles/{id}/answer": Answer;
  "/api/puzzles/{id}/solution": Person;
  "/api/records": Upload;
  "/api/runs": NewRun;
  "/api/scenes": SceneOf;
  "/api/studies": NewStudy;
  "/api/studies/{key}": SaveStudy;
  "/api/tables": NewTable;
  "/api/tables/{id}/claim": Claim;
  "/api/tables/{id}/invitation": Invitation;
}

export interface Answers {
  "/api/configs": ConfigList;
  "/api/runs": RunList;
  "/api/runs/{name}": RunFacts;
  "/api/runs/{name}/games": Samples;
  "/api/runs/{name}/logs/{actor}": LogTail;
}
