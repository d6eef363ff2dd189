// longview.ts -- settled motion over one or two numbers of the model, point by point; branches of orbits.
import { button, el, fitCanvas, say, sizeOf } from "./dom";
import { inks, mapColour, scale, short, theme } from "./colours";
import { state } from "./state";
import type { Arrays, Head } from "./socket";

interface Parameter {
  path: string;
  unit: string;
  si: string;
  size: number; // SI units of one `unit`
}
interface Sweep {
  parameters: Parameter[];
  values: number[][];
  measure: string;
  unit: string;
  points: number;
  done: number;
  samples: number;
  x: Float64Array;
  y: Float64Array;
  amplitude: Float64Array;
  periods: Float64Array;
  sample: Float32Array;
  known: Uint8Array;
  classes: string[]; // names that the model gives to kinds of motion
  kind: Float64Array; // number of each point's class, from 0; below 0: none
}
interface Branch {
  parameter: Parameter;
  measure: string;
  unit: string;
  from: number;
  to: number;
  x: Float64Array;
  y: Float64Array;
  stable: Float64Array;
  start: Float64Array;
  states: Float64Array;
  numbers: number;
  phases: string[];
  special: { name: string; text: string; parameter: number | null; amplitude: number | null }[];
}
export interface Taken {
  values: [string, number][]; // paths and values in SI
  state?: number[];
  phase?: string;
}
interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: (v: number) => number;
  y: (v: number) => number;
}

/** Values in equal factors, as `spacing: log` gives them. */
const isLog = (v: number[]) => v.length > 2 && v[0] > 0 && v[v.length - 1] > 0 && Math.abs(Math.log((v[1] * v[1]) / (v[0] * v[2]))) < 1e-6 * Math.abs(Math.log(v[1] / v[0]));
/** From half a step before the first value to half a step behind the last. */
function cellRange(v: number[]): [number, number] {
  const n = v.length, low = Math.min(v[0], v[n - 1]), high = Math.max(v[0], v[n - 1]);
  if (isLog(v)) return [low / Math.sqrt((high / low) ** (1 / (n - 1))), high * Math.sqrt((high / low) ** (1 / (n - 1)))];
  const half = n > 1 ? (high - low) / (n - 1) / 2 : 0.5;
  return [low - half, high + half];
}

const padded = (low: number, high: number): [number, number] => (low < high ? [low - 0.04 * (high - low), high + 0.04 * (high - low)] : [low - 1, high + 1]);

export class LongView {
  readonly element: HTMLElement;
  private readonly canvas = el("canvas", { tabindex: 0, role: "img" });
  private readonly told = el("p", { class: "told", role: "status" });
  private readonly list = el("ul", { class: "special" });
  private readonly sweepButton: HTMLButtonElement;
  private readonly followButton: HTMLButtonElement;
  private sweep?: Sweep;
  private branch?: Branch;
  private frame?: Frame;
  private chosen = -1;
  private waiting = false;
  private asked = 0; // number of the request whose answers are shown; 0: none

  constructor(private readonly ask: (what: "sweep" | "follow" | "cancel") => number, private readonly taken: (t: Taken) => void) {
    this.sweepButton = button("Sweep", "Compute the sweep of the model's section sweep", () => this.begin("sweep"));
    this.followButton = button("Follow", "Follow the branch of the model's section follow", () => this.begin("follow"));
    this.element = el("section", { class: "longview", "aria-label": "Long view" },
      el("div", { class: "row" }, this.sweepButton, this.followButton, button("Stop", "Stop the sweep or branch", () => void this.ask("cancel")), this.told),
      this.canvas, this.list);
    this.canvas.addEventListener("click", (event) => this.click(event.offsetX, event.offsetY));
    this.canvas.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!by) return;
      event.preventDefault();
      this.take(this.chosen + by);
    });
  }

  available(): void {
    this.sweepButton.disabled = !state.sections.sweep;
    this.followButton.disabled = !state.sections.follow;
    if (!this.sweep && !this.branch && !this.waiting)
      this.told.textContent = state.sections.sweep || state.sections.follow ? "" : "The model has neither a section sweep nor follow: write one into its text.";
  }

  /** Of another model: what is under way for the one before is stopped and not shown. */
  clear(): void {
    if (this.asked) this.ask("cancel");
    this.asked = 0;
    this.sweep = this.branch = undefined;
    this.chosen = -1;
    this.waiting = false;
    this.list.replaceChildren();
    this.told.textContent = "";
    for (const key of ["done", "orbits", "growing"]) delete this.element.dataset[key];
    this.draw();
  }

  private begin(what: "sweep" | "follow"): void {
    this.clear();
    this.waiting = true;
    this.told.textContent = what === "sweep" ? "The sweep begins." : "The branch is followed.";
    this.asked = this.ask(what);
  }

  failed(message: string): void {
    this.waiting = false;
    this.told.textContent = message;
  }

  onSweep(head: Head): void {
    if (head.id !== this.asked) return;
    const n = head.points as number, samples = Math.min(head.samples as number, Math.floor(4e6 / n));
    this.waiting = false;
    this.sweep = {
      parameters: head.parameters, values: head.values, measure: head.measure, unit: head.unit, points: n, done: 0, samples,
      x: new Float64Array(n), y: new Float64Array(n), amplitude: new Float64Array(n).fill(NaN), periods: new Float64Array(n), sample: new Float32Array(n * samples), known: new Uint8Array(n), classes: head.classes, kind: new Float64Array(n).fill(-1),
    };
  }

  onPoints(head: Head, arrays: Arrays): void {
    const s = this.sweep;
    if (!s || head.id !== this.asked) return;
    const column = (name: string) => arrays.get(name)![0];
    const index = column("index"), per = index.length ? column("samples").length / index.length : 0;
    for (let i = 0; i < index.length; i++) {
      const k = index[i];
      s.x[k] = column("x")[i];
      s.y[k] = column("y")[i];
      s.amplitude[k] = column("amplitude")[i];
      s.periods[k] = column("periods")[i];
      s.kind[k] = column("class")[i];
      s.known[k] = 1;
      for (let j = 0; j < s.samples; j++) s.sample[k * s.samples + j] = column("samples")[i * per + j];
    }
    s.done = head.done;
    this.told.textContent = `${s.done} of ${s.points} points`;
    this.draw();
  }

  onSweepEnd(head: Head): void {
    if (head.id !== this.asked) return;
    if (this.sweep) this.told.textContent = `${head.complete ? "Complete" : "Stopped"}: ${head.done} of ${this.sweep.points} points in ${short(head.seconds, 3)} s. A click shows the orbit of a point and takes its numbers.`;
    this.element.dataset.done = String(head.done);
  }

  /** Orbits of a branch on its way, from the number `first` on; states and special points come with its end. */
  onBranchPoints(head: Head, arrays: Arrays): void {
    const first = head.first as number, old = this.branch;
    if (head.id !== this.asked) return;
    const column = (name: string, known?: Float64Array) => {
      const more = arrays.get(name)![0], all = new Float64Array(first + more.length);
      if (known) all.set(known.subarray(0, first));
      all.set(more, first);
      return all;
    };
    this.waiting = false;
    this.branch = {
      parameter: head.parameter, measure: head.measure, unit: head.unit, from: head.from, to: head.to, x: column("parameter", old?.x), y: column("amplitude", old?.y),
      stable: column("stable", old?.stable), start: new Float64Array(), states: new Float64Array(), numbers: 0, phases: [], special: [],
    };
    const last = this.branch.x[this.branch.x.length - 1];
    say(this.told, `${this.branch.x.length} orbits so far, at ${short(last / head.parameter.size, 5)}${head.parameter.unit ? " " + head.parameter.unit : ""}`);
    this.element.dataset.growing = String(Number(this.element.dataset.growing ?? 0) + 1);
    this.draw();
  }

  onFollowStopped(head: Head): void {
    if (head.id !== this.asked) return;
    this.waiting = false;
    say(this.told, `Stopped after ${short(head.seconds, 3)} s with ${this.branch?.x.length ?? 0} orbits. A click searches the orbit at a point and takes its numbers.`);
  }

  onFollow(head: Head, arrays: Arrays): void {
    if (head.id !== this.asked) return;
    const a = (name: string) => arrays.get(name)![0] as Float64Array;
    this.waiting = false;
    this.branch = { parameter: head.parameter, measure: head.measure, unit: head.unit, from: head.from, to: head.to, x: a("parameter"), y: a("amplitude"), stable: a("stable"), start: a("start"), states: a("states"), numbers: head.numbers, phases: head.phases, special: head.special };
    this.told.textContent = `${this.branch.x.length} orbits in ${short(head.seconds, 3)} s. ${head.end}`;
    this.list.replaceChildren(...this.branch.special.slice(0, 60).map((p) => el("li", {}, `${p.name} at ${short((p.parameter ?? NaN) / head.parameter.size, 8)}${head.parameter.unit ? " " + head.parameter.unit : ""}: ${p.text}`)));
    this.element.dataset.orbits = String(this.branch.x.length);
    this.draw();
  }

  private axes(c: CanvasRenderingContext2D, width: number, height: number, x: [number, number], y: [number, number], labels: [string, string], shown: [number, number], log: [boolean, boolean] = [false, false]): Frame {
    const left = 64, right = width - 14, top = 12, bottom = height - 40, look = theme();
    const share = (v: number, [a, b]: [number, number], byFactors: boolean) => (byFactors ? Math.log(v / a) / Math.log(b / a) : (v - a) / (b - a));
    const f: Frame = { left, right, top, bottom, x: (v) => left + (right - left) * share(v, x, log[0]), y: (v) => bottom - (bottom - top) * share(v, y, log[1]) };
    c.strokeStyle = look.grid;
    c.fillStyle = look.soft;
    c.font = "11px system-ui, sans-serif";
    const ticks = (low: number, high: number) => {
      const raw = (high - low) / 6, unit = 10 ** Math.floor(Math.log10(raw)), step = unit * ([1, 2, 5, 10].find((k) => k * unit >= raw) ?? 10);
      return Array.from({ length: Math.max(0, Math.floor(high / step) - Math.ceil(low / step) + 1) }, (_v, i) => (Math.ceil(low / step) + i) * step);
    };
    const factors = (low: number, high: number) => {
      const out = [];
      for (let k = Math.floor(Math.log10(low)); k <= Math.log10(high); k++) for (const m of [1, 2, 5]) if (m * 10 ** k >= low && m * 10 ** k <= high) out.push(m * 10 ** k);
      return out;
    };
    for (const v of (log[0] ? factors : ticks)(x[0] / shown[0], x[1] / shown[0])) {
      const at = f.x(v * shown[0]);
      c.beginPath();
      c.moveTo(at, top), c.lineTo(at, bottom);
      c.stroke();
      c.textAlign = "center";
      c.fillText(short(v, 4), at, bottom + 15);
    }
    for (const v of (log[1] ? factors : ticks)(y[0] / shown[1], y[1] / shown[1])) {
      const at = f.y(v * shown[1]);
      c.beginPath();
      c.moveTo(left, at), c.lineTo(right, at);
      c.stroke();
      c.textAlign = "right";
      c.fillText(short(v, 4), left - 6, at + 4);
    }
    c.textAlign = "center";
    c.fillText(labels[0], (left + right) / 2, bottom + 32);
    c.save();
    c.translate(13, (top + bottom) / 2);
    c.rotate(-Math.PI / 2);
    c.fillText(labels[1], 0, 0);
    c.restore();
    c.textAlign = "left";
    return f;
  }

  draw(): void {
    if (!this.canvas.isConnected || !sizeOf(this.canvas).width) return;
    const { context: c, width, height } = fitCanvas(this.canvas);
    if (this.sweep) this.sweep.parameters.length > 1 ? this.map(c, this.sweep, width, height) : this.diagram(c, this.sweep, width, height);
    else if (this.branch) this.curve(c, this.branch, width, height);
    this.canvas.setAttribute("aria-label", this.sweep ? `Settled motion: ${this.sweep.measure} over ${this.sweep.parameters.map((p) => p.path).join(" and ")}. Arrow keys choose a point` : this.branch ? `Branch of orbits: ${this.branch.measure} over ${this.branch.parameter.path}. Arrow keys choose an orbit` : "Nothing was computed yet");
  }

  private named(p: Parameter): string {
    return `${p.path}${p.unit ? ` [${p.unit}]` : ""}`;
  }

  private diagram(c: CanvasRenderingContext2D, s: Sweep, width: number, height: number): void {
    let low = Infinity, high = -Infinity;
    const see = (v: number) => {
      if (!Number.isFinite(v)) return;
      low = Math.min(low, v);
      high = Math.max(high, v);
    };
    for (let i = 0; i < s.points; i++) {
      if (!s.known[i]) continue;
      see(s.amplitude[i]);
      for (let j = 0; j < s.samples; j++) see(s.sample[i * s.samples + j]);
    }
    const ends = s.values[0], unit = scale(Math.max(-low, high), s.unit, state.si), byFactors = isLog(ends);
    this.frame = this.axes(c, width, height, byFactors ? cellRange(ends) : padded(Math.min(ends[0], ends[ends.length - 1]), Math.max(ends[0], ends[ends.length - 1])), padded(low, high), [this.named(s.parameters[0]), `${s.measure}${unit.unit ? ` [${unit.unit}]` : ""}`], [s.parameters[0].size, 1 / unit.factor], [byFactors, false]);
    for (let i = 0; i < s.points; i++) {
      if (!s.known[i]) continue;
      c.fillStyle = inks[0];
      for (let j = 0; j < s.samples; j++) c.fillRect(this.frame.x(s.x[i]) - 0.7, this.frame.y(s.sample[i * s.samples + j]) - 0.7, 1.4, 1.4);
      c.fillStyle = s.periods[i] > 0 ? inks[1] : "#8c8c8c";
      c.fillRect(this.frame.x(s.x[i]) - 1.2, this.frame.y(s.amplitude[i]) - 1.2, 2.4, 2.4);
    }
    this.ring(c, s.x, s.amplitude);
  }

  private map(c: CanvasRenderingContext2D, s: Sweep, width: number, height: number): void {
    let low = Infinity, high = -Infinity;
    for (const v of s.amplitude) if (Number.isFinite(v)) (low = Math.min(low, v)), (high = Math.max(high, v));
    const [x, y] = s.values.map(cellRange), f = this.axes(c, width, height, x, y, [this.named(s.parameters[0]), this.named(s.parameters[1])], [s.parameters[0].size, s.parameters[1].size], [isLog(s.values[0]), isLog(s.values[1])]);
    this.frame = f;
    const w = (f.right - f.left) / s.values[0].length + 0.6, h = (f.bottom - f.top) / s.values[1].length + 0.6;
    for (let i = 0; i < s.points; i++) {
      if (!s.known[i]) continue;
      if (s.classes.length) c.fillStyle = s.kind[i] >= 0 ? inks[s.kind[i] % inks.length] : theme().pale;
      else c.fillStyle = Number.isFinite(s.amplitude[i]) ? mapColour((s.amplitude[i] - low) / (high - low || 1)) : theme().pale;
      c.fillRect(f.x(s.x[i]) - w / 2, f.y(s.y[i]) - h / 2, w, h);
    }
    const unit = scale(high, s.unit, state.si);
    c.fillStyle = theme().text;
    c.font = "11px system-ui, sans-serif";
    if (s.classes.length) {
      c.fillStyle = theme().back;
      c.fillRect(f.left + 6, f.top + 6, 190, 8 + 15 * s.classes.length);
      s.classes.forEach((name, i) => {
        c.fillStyle = inks[i % inks.length];
        c.fillRect(f.left + 12, f.top + 10 + 15 * i, 10, 10);
        c.fillStyle = theme().text;
        c.fillText(name, f.left + 28, f.top + 19 + 15 * i, 164);
      });
    } else if (low <= high) {
      c.fillStyle = theme().back;
      c.fillRect(f.left + 6, f.top + 6, 250, 32);
      for (let i = 0; i < 60; i++) {
        c.fillStyle = mapColour(i / 59);
        c.fillRect(f.left + 10 + 4 * i, f.top + 26, 4.5, 8);
      }
      c.fillStyle = theme().text;
      c.fillText(`${s.measure}: ${short(low * unit.factor, 3)} to ${short(high * unit.factor, 3)} ${unit.unit}`, f.left + 10, f.top + 19, 242);
    }
    this.ring(c, s.x, s.y);
  }

  private curve(c: CanvasRenderingContext2D, b: Branch, width: number, height: number): void {
    let low = Infinity, high = -Infinity;
    for (const v of b.y) (low = Math.min(low, v)), (high = Math.max(high, v));
    const unit = scale(Math.max(-low, high), b.unit, state.si), f = this.axes(c, width, height, padded(b.x.reduce((a, v) => Math.min(a, v), Infinity), b.x.reduce((a, v) => Math.max(a, v), -Infinity)), padded(low, high), [this.named(b.parameter), `${b.measure}${unit.unit ? ` [${unit.unit}]` : ""}`], [b.parameter.size, 1 / unit.factor]);
    this.frame = f;
    for (let i = 1; i < b.x.length; ) {
      const verdict = b.stable[i], sure = verdict === 1;
      c.strokeStyle = sure ? inks[0] : verdict === 2 ? "#8c8c8c" : inks[1];
      c.setLineDash(sure ? [] : [4, 3]); // along the whole stretch: dashes would begin anew at every orbit
      c.lineWidth = sure ? 1.8 : 1.3;
      c.beginPath();
      c.moveTo(f.x(b.x[i - 1]), f.y(b.y[i - 1]));
      for (; i < b.x.length && b.stable[i] === verdict; i++) c.lineTo(f.x(b.x[i]), f.y(b.y[i]));
      c.stroke();
    }
    c.setLineDash([]);
    c.strokeStyle = theme().text;
    c.fillStyle = theme().text;
    for (const p of b.special) {
      if (p.parameter === null || p.amplitude === null) continue;
      c.beginPath();
      c.arc(f.x(p.parameter), f.y(p.amplitude), 3.5, 0, 7);
      c.stroke();
    }
    c.fillText("stable —   unstable - -   ○ special point", f.left + 8, f.top + 12);
    this.ring(c, b.x, b.y);
  }

  private ring(c: CanvasRenderingContext2D, x: Float64Array, y: Float64Array): void {
    if (this.chosen < 0 || !this.frame) return;
    c.strokeStyle = inks[3];
    c.lineWidth = 2.5;
    c.beginPath();
    c.arc(this.frame.x(x[this.chosen]), this.frame.y(y[this.chosen]), 7, 0, 7);
    c.stroke();
  }

  private click(px: number, py: number): void {
    const s = this.sweep, b = this.branch, f = this.frame;
    const x = s?.x ?? b?.x, y = s ? (s.parameters.length > 1 ? s.y : s.amplitude) : b?.y;
    if (!x || !y || !f) return;
    let best = -1, least = Infinity;
    for (let i = 0; i < x.length; i++) {
      if (s && !s.known[i]) continue;
      const d = (f.x(x[i]) - px) ** 2 + (f.y(y[i]) - py) ** 2 * (s && s.parameters.length === 1 ? 0.01 : 1);
      if (d < least) (least = d), (best = i);
    }
    this.take(best);
  }

  /** Shows the orbit of a point and takes its numbers over. */
  private take(index: number): void {
    const s = this.sweep, b = this.branch;
    const n = s ? s.points : (b?.x.length ?? 0);
    if (index < 0 || index >= n || (s && !s.known[index])) return;
    this.chosen = index;
    this.draw();
    if (s) this.taken({ values: s.parameters.map((p, k) => [p.path, k ? s.y[index] : s.x[index]]) });
    else if (b) this.taken({ values: [[b.parameter.path, b.x[index]]], state: b.numbers ? [...b.states.subarray(index * b.numbers, (index + 1) * b.numbers)] : undefined, phase: b.phases[b.start[index]] });
  }
}
