// shape.ts -- the structure as it moves, with its contacts coloured by their state; played, paused, slowed down.
import { button, el, fitCanvas, say } from "./dom";
import { inks, short, stateOf, theme } from "./colours";
import { Cells, indexAt, Motion, Shape, state } from "./state";

/** How many of them do what: "12 stuck, 3 sliding + of 15". */
function counted(letters: string): string {
  const told = ["H", "|", "+", "-", "o", "~"].map((letter) => [letters.split(letter).length - 1, stateOf(letter).word] as const).filter(([n]) => n);
  return `${told.map(([n, word]) => `${n} ${word}`).join(", ")} of ${told.reduce((sum, [n]) => sum + n, 0)}`;
}

export class ShapeView {
  readonly element: HTMLElement;
  private readonly canvas = el("canvas", { role: "img", "aria-label": "The structure as it moves" });
  private readonly speed = el("select", { "aria-label": "Speed of the moving shape" });
  private readonly play: HTMLButtonElement;
  private readonly told = el("span", { class: "told" });
  private playing = false;
  private time = 0; // of the model, shown now
  private last = 0;

  constructor(private readonly moved: (time: number) => void, private readonly around: (from: number, to: number) => void) {
    this.play = button("▶", "Play the moving shape", () => this.toggle());
    for (const [value, text] of [["1", "window in 4 s"], ["0.25", "slow, 16 s"], ["0.05", "slower, 80 s"], ["real", "real time"]]) this.speed.append(el("option", { value }, text));
    this.element = el("section", { class: "panel shape", "aria-label": "Moving shape" },
      el("div", { class: "row" }, el("h2", {}, "Shape"), this.play, this.speed, button("around next event", "Slow motion around the next event", () => this.atEvent())),
      this.canvas, this.told);
  }

  toggle(on = !this.playing): void {
    this.playing = on;
    this.play.textContent = on ? "⏸" : "▶";
    this.play.setAttribute("aria-label", on ? "Pause the moving shape" : "Play the moving shape");
    this.play.setAttribute("aria-pressed", String(on));
    this.last = performance.now();
    if (on) requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    const m = state.motion;
    if (!this.playing || !m || m.t.length < 2) return;
    const from = m.t[0], to = m.t[m.t.length - 1], passed = (now - this.last) / 1000;
    const rate = this.speed.value === "real" ? 1 : (Number(this.speed.value) * (to - from)) / 4;
    this.last = now;
    this.time += passed * rate;
    if (this.time > to || this.time < from) this.time = from;
    this.moved(this.time);
    requestAnimationFrame((next) => this.tick(next));
  }

  /** The next event behind the present time, in a stretch of a quarter period, played slowly. */
  private atEvent(): void {
    const m = state.motion;
    if (!m || !m.events.length) return;
    const event = m.events.find((e) => e.t > this.time + 1e-9 * m.whole) ?? m.events[0];
    const half = (m.period ?? (m.t[m.t.length - 1] - m.t[0]) / 4) / 8;
    this.time = event.t - half;
    this.speed.value = "0.25";
    if (state.view === "run") this.around(event.t - half, event.t + half);
    this.toggle(true);
  }

  draw(): void {
    const m = state.motion, { context: c, width, height } = fitCanvas(this.canvas);
    if (!m || !m.t.length) return say(this.told, "");
    const first = m.t[0], end = m.t[m.t.length - 1];
    this.time = Math.min(Math.max(state.cursor ?? this.time, first), end);
    const index = indexAt(m.t, this.time);
    const rows = m.shape?.rows.reduce((sum, [from, to]) => sum + to - from, 0);
    if (m.shape && m.shape.frames > 0 && rows === m.shape.n) this.row(c, m, m.shape, index, width, height);
    else if (m.shape && m.shape.frames > 0) this.structure(c, m, m.shape, index, width, height);
    else this.points(c, m, index, width, height);
    const each = (k: Motion["contacts"][number], j: number) => `${k.name.replace(/ \(mean\)$/, "")} ${this.cellsTold(m, j) ?? stateOf(k.phase[index]).word}`;
    const states = m.contacts.length > 4 ? `${counted(m.contacts.map((k) => k.phase[index]).join(""))} contacts` : m.contacts.map(each).join(", ");
    say(this.told, `t = ${short(this.time, 6)}${m.si ? " s" : ""}${states ? `: ${states}` : ""}`);
  }

  // The frame next to the time shown.
  private frameOf(s: Shape): number {
    const k = indexAt(s.t, this.time);
    return k > 0 && this.time - s.t[k - 1] < s.t[k] - this.time ? k - 1 : k;
  }

  // How many cells of a contact along a span do what; null: it has none.
  private cellsTold(m: Motion, contact: number): string | null {
    const cells = m.shape?.cells.find((c) => c.contact === contact);
    if (!cells) return null;
    return `${counted(cells.states.substr(this.frameOf(m.shape!) * cells.n, cells.n))} cells`;
  }

  // x along the structure, y its motion across; motion along x is drawn along x.
  private structure(c: CanvasRenderingContext2D, m: Motion, s: Shape, index: number, width: number, height: number): void {
    const k = this.frameOf(s);
    const at = (i: number, d: number) => s.at[3 * i + d], u = (i: number, d: number) => s.u[3 * (k * s.n + i) + d];
    let most = 0, low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < s.u.length; i++) if (Math.abs(s.u[i]) > most) most = Math.abs(s.u[i]);
    for (let i = 0; i < s.n; i++) for (let d = 0; d < 3; d++) (low[d] = Math.min(low[d], at(i, d))), (high[d] = Math.max(high[d], at(i, d)));
    const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    const magnify = most > 0 ? (0.12 * size) / most : 0;
    // seen from the front, a little from above: y of the model goes up and to the side
    const px = (i: number, moved: number) => at(i, 0) + 0.35 * at(i, 1) + moved * magnify * (u(i, 0) + 0.35 * u(i, 1));
    const py = (i: number, moved: number) => at(i, 2) + 0.6 * at(i, 1) + moved * magnify * (u(i, 2) + 0.6 * u(i, 1));
    let box = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < s.n; i++) box = [Math.min(box[0], px(i, 0)), Math.max(box[1], px(i, 0)), Math.min(box[2], py(i, 0)), Math.max(box[3], py(i, 0))];
    const margin = 0.15 * size, room = Math.min((width - 20) / (box[1] - box[0] + 2 * margin), (height - 20) / (box[3] - box[2] + 2 * margin));
    const X = (v: number) => width / 2 + room * (v - (box[0] + box[1]) / 2), Y = (v: number) => height / 2 - room * (v - (box[2] + box[3]) / 2);
    for (const moved of [0, 1]) {
      c.strokeStyle = moved ? inks[0] : theme().grid;
      c.lineWidth = moved ? 2.5 : 1;
      c.beginPath();
      for (let i = 0; i < s.lines.length; i += 2) {
        const a = s.lines[i], b = s.lines[i + 1];
        if (i === 0 || a !== s.lines[i - 1]) c.moveTo(X(px(a, moved)), Y(py(a, moved)));
        c.lineTo(X(px(b, moved)), Y(py(b, moved)));
      }
      c.stroke();
      c.fillStyle = moved ? inks[0] : theme().grid;
      const dots = s.n <= 30 ? (s.lines.length ? 2.5 : 4) : s.lines.length ? 0 : moved ? 1.5 : 1;
      for (let i = 0; i < s.n && dots; i++) c.fillRect(X(px(i, moved)) - dots, Y(py(i, moved)) - dots, 2 * dots, 2 * dots);
    }
    // between two points a place lies on the line from one to the other
    const among = (of: (i: number, moved: number) => number, place: number) => {
      const i = Math.floor(place), f = place - i;
      return f > 0 ? of(i, 1) * (1 - f) + of(i + 1, 1) * f : of(i, 1);
    };
    for (const cells of s.cells) this.cells(c, cells, k, (place) => [X(among(px, place)), Y(among(py, place))]);
    s.contacts.forEach((i, j) => {
      if (i >= 0 && i < s.n) this.dot(c, X(px(i, 1)), Y(py(i, 1)), m.contacts[j]?.phase[index] ?? "~");
    });
    c.fillStyle = theme().soft;
    c.font = "11px system-ui, sans-serif";
    c.fillText(most > 0 ? `motion × ${short(magnify, 2)}` : "at rest", 8, height - 8);
  }

  // Thick pieces of the line, neighbours of one state in one stroke; dots where each is a point.
  private cells(c: CanvasRenderingContext2D, cells: Cells, frame: number, at: (place: number) => [number, number]): void {
    const now = cells.states.substr(frame * cells.n, cells.n), { ends } = cells;
    c.lineWidth = 6;
    for (let i = 0; i < cells.n; i++) {
      if (ends[2 * i] < 0 || now[i] === " ") continue; // no place, or outside the span
      if (ends[2 * i] === ends[2 * i + 1]) {
        this.dot(c, ...at(ends[2 * i]), now[i], cells.n > 12 ? 3.5 : 6);
        continue;
      }
      c.strokeStyle = stateOf(now[i]).ink;
      c.beginPath();
      c.moveTo(...at(ends[2 * i]));
      for (; i + 1 < cells.n && now[i + 1] === now[i]; i++) c.lineTo(...at(ends[2 * i + 1]));
      c.lineTo(...at(ends[2 * i + 1]));
      c.stroke();
    }
  }

  private dot(c: CanvasRenderingContext2D, x: number, y: number, letter: string, radius = 6): void {
    c.fillStyle = stateOf(letter).ink;
    c.strokeStyle = theme().back;
    c.lineWidth = 1.5;
    c.beginPath();
    c.arc(x, y, radius, 0, 7);
    c.fill();
    c.stroke();
  }

  // Points without a known place: by their number from left to right, bodies apart, displacements as ordinates.
  private row(c: CanvasRenderingContext2D, m: Motion, s: Shape, index: number, width: number, height: number): void {
    const frame = this.frameOf(s), contact = new Map(s.contacts.map((i, j) => [i, m.contacts[j]?.phase[index] ?? "~"]));
    const names = new Map(s.names);
    let most = 0;
    for (let i = 2; i < s.u.length; i += 3) most = Math.max(most, Math.abs(s.u[i]));
    const all = s.n + s.rows.length - 1;
    s.rows.forEach(([from, to], b) => {
      const points = Array.from({ length: to - from }, (_, k) => {
        const i = from + k;
        return { name: names.get(i) ?? String(k + 1), u: s.u[3 * (frame * s.n + i) + 2], letter: contact.get(i) };
      });
      this.ordinates(c, points, most, [(width * (from + b)) / all, (width * (to + b)) / all], height);
    });
    this.underneath(c, most, height, "in a row by number");
  }

  // Each with its stem from rest, a dot, and its name where there is room; all joined by a thin line.
  private ordinates(c: CanvasRenderingContext2D, points: { name: string; u: number; letter?: string }[], most: number, [left, right]: [number, number], height: number): void {
    const n = points.length, rest = 0.46 * height, x = (i: number) => left + ((i + 0.5) * (right - left)) / n;
    const y = (u: number) => rest - (most > 0 ? (0.36 * height * u) / most : 0), many = n > 40;
    c.lineWidth = 1;
    c.strokeStyle = theme().grid;
    c.beginPath();
    c.moveTo(left + 4, rest), c.lineTo(right - 4, rest);
    if (!many) points.forEach((p, i) => (c.moveTo(x(i), rest), c.lineTo(x(i), y(p.u))));
    c.stroke();
    c.strokeStyle = c.fillStyle = inks[0];
    c.lineWidth = many ? 1.5 : 0.75;
    c.setLineDash(many ? [] : [3, 4]);
    c.beginPath();
    points.forEach((p, i) => (i ? c.lineTo(x(i), y(p.u)) : c.moveTo(x(i), y(p.u))));
    c.stroke();
    c.setLineDash([]);
    const dot = many ? 0 : n > 20 ? 2 : 3;
    points.forEach((p, i) => p.letter === undefined && dot && c.fillRect(x(i) - dot, y(p.u) - dot, 2 * dot, 2 * dot));
    points.forEach((p, i) => p.letter !== undefined && this.dot(c, x(i), y(p.u), p.letter));
    c.fillStyle = theme().soft;
    c.font = "11px system-ui, sans-serif";
    let free = left; // names that would cover the one before are left out
    points.forEach((p, i) => {
      const wide = c.measureText(p.name).width, at = Math.min(Math.max(x(i) - wide / 2, left), right - wide);
      if (!p.name || at < free) return;
      c.fillText(p.name, at, 0.94 * height - 14);
      free = at + wide + 6;
    });
  }

  private underneath(c: CanvasRenderingContext2D, most: number, height: number, why: string): void {
    c.fillStyle = theme().soft;
    c.font = "11px system-ui, sans-serif";
    c.fillText(`${most > 0 ? `up to ${short(most, 3)}${state.motion?.si ? " m" : ""}` : "at rest"}; ${why}`, 8, height - 6);
  }

  // Engines without modes: each named point by itself.
  private points(c: CanvasRenderingContext2D, m: Motion, index: number, width: number, height: number): void {
    let most = 0;
    for (const p of m.points) for (let i = 0; i < p.u.length; i += 4) most = Math.max(most, Math.abs(p.u[i]));
    const letter = (name: string) => m.contacts.find((k) => k.name === name)?.phase[index];
    this.ordinates(c, m.points.map((p) => ({ name: p.name, u: p.u[index], letter: letter(p.name) })), most, [0, width], height);
    this.underneath(c, most, height, "the named points alone");
  }
}
