// state.ts -- what the page knows: the model, its knobs and their changes, the stretch of time shown.

export interface Knob {
  path: string;
  value: number; // as the text has it, in `unit`
  unit: string;
  suffix: string; // written behind a changed value
  low: number | null;
  high: number | null;
  above: boolean; // `low` itself is not allowed
  whole: boolean;
  doc: string;
  written: boolean;
  size: number; // SI units of one `unit`
}

export interface Contact {
  name: string;
  phase: string; // a letter per time
  limit: number | null;
  static_limit: number | null;
  gap: number | null;
  both: boolean;
  span: boolean;
}

export interface Shape {
  n: number;
  frames: number;
  lines: Int32Array; // pairs of points
  contacts: number[];
  t: Float64Array; // of the frames
  at: Float32Array; // n x 3
  u: Float32Array; // frames x n x 3
  cells: Cells[]; // of contacts along spans
  rows: [number, number][]; // points without a known place, from and to: they stand in a row and move along z
  names: [number, string][]; // of those that have one
}

/** Cells of a contact along a span; a place 3.25 among the points is a quarter of the way from point 3 to point 4. */
export interface Cells {
  contact: number;
  n: number;
  states: string; // frames x n letters
  ends: Float32Array; // n pairs of places
}

export interface Motion {
  id: number;
  t: Float64Array;
  points: { name: string; u: Float64Array; v: Float64Array }[];
  contacts: (Contact & { u: Float64Array; v: Float64Array; force: Float64Array })[];
  energy: Map<string, Float64Array>;
  events: { t: number; contact: number; change: string; impulse: number }[];
  si: boolean;
  period: number | null;
  whole: number; // [s] length of the run, or of the period
  orbit: { period: number; periods: number; residual: number; stability: string; stable: boolean } | null;
  shape: Shape | null;
}

export const state = {
  name: "",
  title: "",
  text: "",
  original: "", // the text as it was opened
  file: true, // it is a file; else a template
  si: true,
  period: null as number | null,
  sections: {} as Record<string, boolean>,
  knobs: new Map<string, Knob>(),
  changed: new Map<string, number>(), // by path, in the knob's unit
  given: [] as string[], // changes of the command line
  pinned: [] as string[],
  from: null as number | null, // of the stretch asked for; null: chosen
  to: null as number | null,
  view: "run" as "run" | "orbit",
  branch: null as null | { state: number[]; phase: string }, // where the search for the orbit starts
  motion: null as Motion | null,
  cursor: null as number | null, // time under the cursor
};

export function valueOf(path: string): number {
  return state.changed.get(path) ?? state.knobs.get(path)?.value ?? NaN;
}

export function changeText(path: string, value: number): string {
  const knob = state.knobs.get(path);
  const number = knob?.whole ? String(Math.round(value)) : String(Number(value.toPrecision(12)));
  return `${path}=${number}${knob?.suffix ? " " + knob.suffix : ""}`;
}

/** The first of rising numbers that is not below `time`, else the last. */
export function indexAt(t: ArrayLike<number>, time: number): number {
  let low = 0, high = t.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All changes of the model's text, as `--set` takes them. */
export function changes(): string[] {
  return [...state.given.filter((text) => !state.changed.has(text.split("=")[0])), ...[...state.changed].map(([path, value]) => changeText(path, value))];
}

/** Knobs that most people turn first: contact laws, belts and drives. */
export function choosePins(): string[] {
  const rank = (k: Knob) => (/^contacts\.[^.]+\.law\./.test(k.path) ? 0 : /^drives\.[^.]+\.(amplitude|frequency)/.test(k.path) ? 1 : /against\.velocity$/.test(k.path) ? 1 : /^structure\.damping/.test(k.path) ? 2 : 3);
  const fit = [...state.knobs.values()].filter((k) => k.written && !k.whole && !/^(simulate|output|orbit|sweep|follow|start)\./.test(k.path) && k.value !== 0);
  return fit.map((k, i) => ({ k, r: rank(k) * 1000 + i })).sort((a, b) => a.r - b.r).slice(0, 6).filter((x, i) => x.r < 3000 || i < 3).map((x) => x.k.path);
}
