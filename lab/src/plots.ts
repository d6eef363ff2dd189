// plots.ts -- curves over time: displacement, velocity, contact force, energies; one cursor and one stretch for all.
import uPlot from "uplot";
import { el, sizeOf } from "./dom";
import { inks, scale, stateOf, theme, ticks } from "./colours";
import { indexAt, Motion, state } from "./state";

interface Curve {
  name: string;
  y: Float64Array;
  ink: string;
}
interface Panel {
  key: string;
  label: string;
  unit: string;
  curves: Curve[];
  levels: number[]; // in SI
  rings: boolean; // events are ringed on the curves of contacts
  least: number; // height of the axis at least, in SI: rounding is not magnified
}

const largest = (curves: Curve[]) => {
  let most = 0;
  for (const c of curves) for (let i = 0; i < c.y.length; i++) if (Math.abs(c.y[i]) > most) most = Math.abs(c.y[i]);
  return most;
};

function panelsOf(m: Motion): Panel[] {
  const some = <T>(list: T[]) => list.slice(0, inks.length);
  const limits = m.contacts.length === 1 && !m.contacts[0].span ? [m.contacts[0].limit, m.contacts[0].static_limit].filter((x): x is number => !!x) : [];
  const gaps = some(m.contacts).filter((c) => c.gap !== null).flatMap((c) => (c.both ? [c.gap!, -c.gap!] : [c.gap!]));
  const list: Panel[] = [
    { key: "displacement", label: "displacement", unit: "m", curves: some(m.points).map((p, i) => ({ name: p.name, y: p.u, ink: inks[i] })), levels: gaps, rings: false, least: 0 },
    m.contacts.length
      ? { key: "velocity", label: "rel. velocity", unit: "m/s", curves: some(m.contacts).map((c, i) => ({ name: c.name, y: c.v, ink: inks[i] })), levels: [], rings: true, least: 0 }
      : { key: "velocity", label: "velocity", unit: "m/s", curves: some(m.points).map((p, i) => ({ name: p.name, y: p.v, ink: inks[i] })), levels: [], rings: false, least: 0 },
    { key: "force", label: "force", unit: "N", curves: some(m.contacts).map((c, i) => ({ name: c.name, y: c.force, ink: inks[i] })), levels: limits.flatMap((x) => [x, -x]), rings: false, least: 0 },
  ];
  if (m.events.some((e) => e.impulse)) list.push({ key: "impulse", label: "impulse", unit: "N s", curves: some(m.contacts).map((c, i) => ({ name: c.name, y: impulses(m, i), ink: inks[i] })), levels: [0], rings: false, least: 0 });
  const names: [string, string, string][] = [["stored", m.t[0] > 0 ? "since the left edge: stored" : "stored", inks[0]], ["damping", "lost in damping", inks[2]], ["friction", "lost in friction", inks[1]], ["impacts", "lost in impacts", inks[3]], ["supplied", "supplied", "#8c8c8c"]];
  const energies = names.filter(([key]) => m.energy.has(key)).map(([key, name, ink]) => ({ name, y: m.energy.get(key)!.map((v, _i, all) => v - all[0]), ink }));
  // changes since the left edge, as the legend says: the sums since the start would hide them
  if (energies.length) list.push({ key: "energy", label: "energy", unit: "J", curves: energies.filter((c) => c.name !== "lost in impacts" || c.y.some((v) => v !== 0)), levels: [], rings: false, least: 1e-6 * Math.max(0, ...[...m.energy.values()].map((y) => Math.abs(y[y.length - 1]))) });
  return list.filter((p) => p.curves.length && (p.key !== "force" || largest(p.curves) > 0)); // stops that only bounce have no force
}

/** Impulses of a contact at the times of its impacts, nothing between them. */
function impulses(m: Motion, contact: number): Float64Array {
  const y = new Float64Array(m.t.length).fill(NaN);
  for (const e of m.events) if (e.contact === contact && e.impulse) y[indexAt(m.t, e.t)] = e.impulse;
  return y;
}

/** Stretches of time in which a contact is at rest. */
function rests(m: Motion, contact: number): [number, number][] {
  const phase = m.contacts[contact].phase, out: [number, number][] = [];
  for (let i = 0; i < phase.length; i++) {
    if (phase[i] !== "H" && phase[i] !== "|") continue;
    const begin = i;
    while (i + 1 < phase.length && (phase[i + 1] === "H" || phase[i + 1] === "|")) i++;
    out.push([m.t[begin], m.t[Math.min(i + 1, m.t.length - 1)]]);
  }
  return out;
}

class Chart {
  readonly element: HTMLElement;
  private plot?: uPlot;
  private signature = "";
  private panel?: Panel;
  private factor = 1;

  constructor(readonly key: string, private readonly owner: Plots) {
    this.element = el("div", { class: "chart", "data-chart": key, role: "img" });
  }

  draw(panel: Panel, m: Motion, last: boolean, width: number, height: number): void {
    const { factor, unit } = scale(largest(panel.curves), panel.unit, m.si);
    const label = unit ? `${panel.label} [${unit}]` : panel.label;
    const signature = JSON.stringify([label, panel.curves.map((c) => [c.name, c.ink]), last, theme().dark, m.si]);
    this.panel = panel;
    this.factor = factor;
    const values = (y: Float64Array) => (panel.key === "impulse" ? Array.from(y, (v) => (Number.isNaN(v) ? null : v * factor)) : factor === 1 ? y : y.map((v) => v * factor));
    const data = [m.t, ...panel.curves.map((c) => values(c.y))] as uPlot.AlignedData;
    if (signature !== this.signature || !this.plot) {
      this.plot?.destroy();
      this.plot = new uPlot(this.options(panel, label, last, m.si, width, height), data, this.element);
      this.signature = signature;
      this.element.setAttribute("aria-label", `${label} over time of ${panel.curves.map((c) => c.name).join(", ")}`);
      return;
    }
    if (this.plot.width !== width || this.plot.height !== height) this.plot.setSize({ width, height });
    this.plot.setData(data);
  }

  // The numbers of the time axis, also for those who cannot see them drawn.
  private told(numbers: string[]): string[] {
    this.element.dataset.ticks = numbers.join(" ");
    return numbers;
  }

  clear(): void {
    this.plot?.destroy();
    this.plot = undefined;
    this.signature = "";
  }

  private options(panel: Panel, label: string, last: boolean, si: boolean, width: number, height: number): uPlot.Options {
    const look = theme();
    const axis = { stroke: look.soft, grid: { stroke: look.grid, width: 0.5 }, ticks: { stroke: look.grid, width: 0.5 }, font: "11px system-ui, sans-serif", labelFont: "11px system-ui, sans-serif" };
    return {
      width, height,
      padding: [6, 10, 0, 0],
      legend: { show: panel.curves.length > 1 || last, live: false },
      cursor: { y: false, sync: { key: "time" }, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
      scales: {
        x: { time: false, range: (_u, low, high) => (low < high ? [low, high] : [low - 1, high + 1]) },
        y: { range: (_u, low, high) => this.range(low, high) },
      },
      axes: [
        { ...axis, size: last ? 42 : 8, label: last ? (si ? "time [s]" : "time") : undefined, labelSize: 14, values: (_u, splits, _axis, _space, step) => (last ? this.told(ticks(splits, step)) : []), ticks: { ...axis.ticks, size: 3 } },
        { ...axis, size: 62, label, labelSize: 16, values: (_u, splits, _axis, _space, step) => ticks(splits, step) },
      ],
      series: [{}, ...panel.curves.map((c) => (panel.key === "impulse" ? { label: c.name, stroke: c.ink, width: 0, paths: () => null, points: { show: true, size: 5, fill: c.ink } } : { label: c.name, stroke: c.ink, width: 1, points: { show: false } }))],
      hooks: {
        drawClear: [(u) => this.shade(u)],
        draw: [(u) => this.mark(u)],
        setCursor: [(u) => this.owner.point(u.cursor.left! >= 0 ? u.posToVal(u.cursor.left!, "x") : null)],
        setSelect: [(u) => {
          if (u.select.width < 5) return;
          this.owner.show(u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x"));
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
      },
    };
  }

  private range(low: number, high: number): [number, number] {
    if (this.panel?.key === "impulse") [low, high] = [Math.min(low, 0), Math.max(high, 0)];
    if (!Number.isFinite(high - low)) return [-1, 1];
    const size = Math.max(high - low, (this.panel?.least ?? 0) * this.factor, 1e-12 * Math.max(Math.abs(low), Math.abs(high))) || 1;
    const middle = (low + high) / 2;
    this.element.dataset.size = String(size);
    return [middle - 0.56 * size, middle + 0.56 * size];
  }

  private shade(u: uPlot): void {
    const m = state.motion, { ctx, bbox } = u;
    if (!m || !this.panel) return;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    if (m.contacts.length === 1 && !m.contacts[0].span) {
      ctx.fillStyle = theme().pale;
      for (const [a, b] of rests(m, 0)) {
        const x = u.valToPos(a, "x", true), w = Math.max(u.valToPos(b, "x", true) - x, 0.5);
        ctx.fillRect(x, bbox.top, w, bbox.height);
      }
    }
    ctx.strokeStyle = "#8c8c8c";
    ctx.setLineDash([6, 4]);
    for (const level of this.panel.levels) {
      const y = u.valToPos(level * this.factor, "y", true);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.restore();
  }

  // Rings where a contact changes its state; ticks at the lower edge of the other panels.
  private mark(u: uPlot): void {
    const m = state.motion, { ctx, bbox } = u;
    if (!m || !this.panel) return;
    const ratio = devicePixelRatio || 1, size = (m.events.length > 250 ? 1.2 : m.events.length > 90 ? 1.8 : 2.6) * ratio;
    ctx.save();
    ctx.lineWidth = ratio;
    for (const event of m.events) {
      const curve = this.panel.curves[event.contact];
      const x = u.valToPos(event.t, "x", true);
      ctx.strokeStyle = m.contacts.length === 1 ? theme().text : inks[event.contact % inks.length];
      ctx.beginPath();
      if (this.panel.key === "impulse" && curve && event.impulse) ctx.moveTo(x, u.valToPos(0, "y", true)), ctx.lineTo(x, u.valToPos(event.impulse * this.factor, "y", true));
      else if (this.panel.rings && curve) ctx.arc(x, u.valToPos(curve.y[indexAt(m.t, event.t)] * this.factor, "y", true), size, 0, 2 * Math.PI);
      else {
        ctx.moveTo(x, bbox.top + bbox.height);
        ctx.lineTo(x, bbox.top + bbox.height - 4 * ratio);
      }
      ctx.stroke();
    }
    ctx.restore();
  }
}

export class Plots {
  readonly element = el("div", { class: "charts", tabindex: 0, role: "group", "aria-label": "Motion over time. Arrow keys move the stretch shown, plus and minus zoom, Home shows the whole run" });
  private readonly strip = el("canvas", { class: "strip", role: "img", "aria-label": "States of the contacts over time" });
  private readonly charts = new Map<string, Chart>();

  constructor(private readonly windowed: (from: number | null, to: number | null) => void, private readonly pointed: (time: number | null) => void) {
    this.element.append(this.strip);
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.element.addEventListener("dblclick", () => this.windowed(null, null));
  }

  draw(m: Motion): void {
    const size = sizeOf(this.element);
    if (!size.width) return; // another view is shown
    const panels = panelsOf(m);
    this.element.style.setProperty("--panels", String(panels.length));
    for (const [key, chart] of this.charts) {
      if (panels.some((p) => p.key === key)) continue;
      chart.clear();
      chart.element.remove();
      this.charts.delete(key);
    }
    const many = m.contacts.length > 1 && !m.contacts.every((c) => c.span);
    this.strip.hidden = !many;
    const room = Math.max(440, size.height) - (many ? 20 + this.stripHeight(m) : 0);
    const legends = 22 * panels.length, height = Math.max(88, Math.floor((room - 36 - legends) / panels.length));
    panels.forEach((panel, i) => {
      let chart = this.charts.get(panel.key);
      if (!chart) {
        chart = new Chart(panel.key, this);
        this.charts.set(panel.key, chart);
      }
      if (this.element.children[i] !== chart.element) this.element.insertBefore(chart.element, this.element.children[i] ?? null);
      chart.draw(panel, m, i === panels.length - 1, Math.max(160, size.width), height + (i === panels.length - 1 ? 34 : 0));
    });
    if (many) this.drawStrip(m);
  }

  clear(): void {
    for (const chart of this.charts.values()) {
      chart.clear();
      chart.element.remove();
    }
    this.charts.clear();
    this.strip.hidden = true;
  }

  /** As many samples as the curves have points of the screen: more would not be seen. */
  samples(): number {
    return Math.round(Math.max(400, sizeOf(this.element).width - 72) * (devicePixelRatio || 1));
  }

  // A row for every contact: of many they are thin and only some have their names.
  private rows(m: Motion): { rows: Motion["contacts"]; each: number } {
    const rows = m.contacts.filter((c) => !c.span).slice(0, 120);
    return { rows, each: Math.max(1.2, Math.min(12, 144 / Math.max(1, rows.length))) };
  }
  private stripHeight(m: Motion): number {
    const { rows, each } = this.rows(m);
    return Math.ceil(each * rows.length);
  }

  private drawStrip(m: Motion): void {
    const { rows, each } = this.rows(m), every = Math.ceil(11 / each);
    const ratio = devicePixelRatio || 1, { width } = sizeOf(this.element), height = this.stripHeight(m) + 18;
    this.strip.style.height = `${height}px`;
    this.strip.width = Math.round(width * ratio);
    this.strip.height = Math.round(height * ratio);
    const c = this.strip.getContext("2d")!, left = 78, right = width - 10;
    c.scale(ratio, ratio);
    c.font = "11px system-ui, sans-serif";
    const x = (t: number) => left + ((right - left) * (t - m.t[0])) / (m.t[m.t.length - 1] - m.t[0] || 1);
    rows.forEach((contact, row) => {
      for (let i = 0; i < contact.phase.length; ) {
        let end = i + 1;
        while (end < contact.phase.length && contact.phase[end] === contact.phase[i]) end++;
        c.fillStyle = stateOf(contact.phase[i]).ink;
        const from = x(m.t[i]);
        c.fillRect(from, each * row + 1, Math.max(x(m.t[Math.min(end, m.t.length - 1)]) - from, 0.6), each > 6 ? each - 3 : each);
        i = end;
      }
      c.fillStyle = theme().soft;
      c.textAlign = "right";
      if (row % every === 0) c.fillText(contact.name, left - 6, each * row + 10, left - 8);
    });
    c.textAlign = "left";
    let at = width < 480 ? 4 : left; // on a narrow page the legend begins at its edge
    for (const letter of ["H", "+", "-", "o"]) {
      const { word, ink } = stateOf(letter);
      c.fillStyle = ink;
      c.fillRect(at, height - 12, 9, 9);
      c.fillStyle = theme().soft;
      c.fillText(letter === "H" ? "stuck or closed" : word, at + 13, height - 4);
      at += c.measureText(letter === "H" ? "stuck or closed" : word).width + (width < 480 ? 22 : 30);
    }
  }

  point(time: number | null): void {
    this.pointed(time);
  }

  show(from: number, to: number): void {
    const m = state.motion, begin = 0, end = m ? m.whole : to;
    if (state.view === "orbit") return;
    const width = Math.min(to - from, end - begin);
    const start = Math.min(Math.max(from, begin), end - width);
    this.windowed(start, start + width);
  }

  /** Zooms by a factor about a time; null: the middle. */
  zoom(factor: number, about: number | null): void {
    const m = state.motion;
    if (!m || m.t.length < 2) return;
    const from = m.t[0], to = m.t[m.t.length - 1], at = about ?? (from + to) / 2;
    this.show(at - (at - from) * factor, at + (to - at) * factor);
  }

  pan(share: number): void {
    const m = state.motion;
    if (!m || m.t.length < 2) return;
    const from = m.t[0], to = m.t[m.t.length - 1];
    this.show(from + share * (to - from), to + share * (to - from));
  }

  private key(event: KeyboardEvent): void {
    const act: Record<string, () => void> = {
      ArrowLeft: () => this.pan(-0.2), ArrowRight: () => this.pan(0.2), "+": () => this.zoom(0.6, state.cursor), "=": () => this.zoom(0.6, state.cursor),
      "-": () => this.zoom(1 / 0.6, state.cursor), Home: () => this.windowed(0, state.motion?.whole ?? null), End: () => this.windowed(null, null),
    };
    if (!act[event.key]) return;
    event.preventDefault();
    act[event.key]();
  }

  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY) && !event.shiftKey) {
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY * 0.0015), state.cursor);
    } else if (!event.ctrlKey) {
      event.preventDefault();
      this.pan((event.deltaX || event.deltaY) * 0.001);
    }
  }
}
