// portrait.ts -- velocity over displacement of one contact, coloured by what it does, with the cursor's place.
import { el, fitCanvas } from "./dom";
import { inks, scale, short, theme } from "./colours";
import { indexAt, Motion, state } from "./state";

export class Portrait {
  readonly element: HTMLElement;
  private readonly canvas = el("canvas", { role: "img" });
  private readonly pick = el("select", { "aria-label": "Contact or point of the phase portrait" });

  constructor() {
    this.pick.addEventListener("change", () => this.draw());
    this.element = el("section", { class: "panel portrait", "aria-label": "Phase portrait" }, el("div", { class: "row" }, el("h2", {}, "Phase portrait"), this.pick), this.canvas);
  }

  private names(m: Motion): string[] {
    return m.contacts.length ? m.contacts.map((c) => c.name) : m.points.map((p) => p.name);
  }

  draw(): void {
    const m = state.motion;
    if (!m) return void fitCanvas(this.canvas);
    const names = this.names(m);
    if ([...this.pick.options].map((o) => o.value).join() !== names.join()) this.pick.replaceChildren(...names.map((n) => el("option", { value: n }, n)));
    this.pick.hidden = names.length < 2;
    const { context: c, width, height } = fitCanvas(this.canvas);
    const index = Math.max(0, names.indexOf(this.pick.value));
    const of = m.contacts[index] ?? m.points[index];
    if (!of || of.u.length < 2) return;
    const ends = (y: Float64Array) => y.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
    const [u0, u1] = ends(of.u), [v0, v1] = ends(of.v);
    const left = 52, right = width - 8, top = 8, bottom = height - 32;
    const x = (u: number) => left + ((right - left) * (u - u0)) / (u1 - u0 || 1), y = (v: number) => bottom - ((bottom - top) * (v - v0)) / (v1 - v0 || 1);
    this.axes(c, m, u0, u1, v0, v1, x, y, left, right, top, bottom);
    const phase = m.contacts[index]?.phase;
    c.lineWidth = 1;
    for (let i = 1; i < of.u.length; ) {
      const letter = phase ? phase[i] : "+";
      c.strokeStyle = letter === "-" ? inks[1] : letter === "H" || letter === "|" ? theme().text : inks[0];
      c.beginPath();
      c.moveTo(x(of.u[i - 1]), y(of.v[i - 1]));
      while (i < of.u.length && (phase ? phase[i] : "+") === letter) {
        c.lineTo(x(of.u[i]), y(of.v[i]));
        i++;
      }
      c.stroke();
    }
    this.rest(c, of, phase, x, y);
    this.canvas.setAttribute("aria-label", `Velocity over displacement of ${names[index]}`);
    if (state.cursor === null) return;
    const at = indexAt(m.t, state.cursor);
    c.fillStyle = inks[3];
    c.beginPath();
    c.arc(x(of.u[at]), y(of.v[at]), 5, 0, 7);
    c.fill();
  }

  private rest(c: CanvasRenderingContext2D, of: { u: Float64Array; v: Float64Array }, phase: string | undefined, x: (u: number) => number, y: (v: number) => number): void {
    c.fillStyle = theme().text;
    for (let i = 0; phase && i < phase.length; i++) {
      const held = (k: number) => k >= 0 && (phase[k] === "H" || phase[k] === "|");
      if (!held(i) || held(i - 1)) continue;
      c.beginPath();
      c.arc(x(of.u[i]), y(of.v[i]), 3, 0, 7);
      c.fill();
    }
  }

  private axes(c: CanvasRenderingContext2D, m: Motion, u0: number, u1: number, v0: number, v1: number, x: (u: number) => number, y: (v: number) => number, left: number, right: number, top: number, bottom: number): void {
    const look = theme(), su = scale(Math.max(-u0, u1), "m", m.si), sv = scale(Math.max(-v0, v1), "m/s", m.si);
    c.strokeStyle = look.grid;
    c.lineWidth = 1;
    c.strokeRect(left, top, right - left, bottom - top);
    c.beginPath();
    if (v0 < 0 && v1 > 0) c.moveTo(left, y(0)), c.lineTo(right, y(0));
    if (u0 < 0 && u1 > 0) c.moveTo(x(0), top), c.lineTo(x(0), bottom);
    c.stroke();
    const end = (a: number, b: number) => short(Math.abs(a) < 1e-9 * Math.abs(b) ? 0 : a, 3); // an end that is 0 but for rounding
    c.fillStyle = look.soft;
    c.font = "11px system-ui, sans-serif";
    c.textAlign = "left";
    c.fillText(end(u0 * su.factor, u1 * su.factor), left, bottom + 13);
    c.textAlign = "right";
    c.fillText(end(u1 * su.factor, u0 * su.factor), right, bottom + 13);
    c.fillText(end(v1 * sv.factor, v0 * sv.factor), left - 4, top + 9);
    c.fillText(end(v0 * sv.factor, v1 * sv.factor), left - 4, bottom);
    c.textAlign = "center";
    c.fillText(`displacement${su.unit ? ` [${su.unit}]` : ""}`, (left + right) / 2, bottom + 26);
    c.save();
    c.translate(12, (top + bottom) / 2);
    c.rotate(-Math.PI / 2);
    c.fillText(`velocity${sv.unit ? ` [${sv.unit}]` : ""}`, 0, 0);
    c.restore();
  }
}
