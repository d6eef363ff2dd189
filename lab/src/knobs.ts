// knobs.ts -- sliders for numbers of the model: any numeric key can be pinned.
import { button, el } from "./dom";
import { short } from "./colours";
import { Knob, state, valueOf } from "./state";

/** Ends of a slider: the range allowed where it is narrow, else around the value. */
export function rangeOf(knob: Knob, value: number): [number, number] {
  const { low, high } = knob;
  if (low !== null && high !== null && high - low <= 20 * Math.max(Math.abs(value), 1e-300) && high - low < 1e4) return [low, high];
  const size = value !== 0 ? 2.5 * Math.abs(value) : 1;
  let from = value < 0 || (low === null && value === 0) ? -size : 0, to = size;
  if (low !== null) from = Math.max(from, low);
  if (high !== null) to = Math.min(to, high);
  if (knob.above && low !== null && from <= low) from = low + (to - low) / 1000;
  if (knob.whole) [from, to] = [Math.max(Math.ceil(from), low ?? -Infinity), Math.max(Math.ceil(to), Math.ceil(from) + 1)];
  return [from, to];
}

export class Knobs {
  readonly element: HTMLElement;
  private readonly list = el("div", { class: "knob-list" });
  private readonly add = el("select", { "aria-label": "Pin another number of the model as a knob" });

  constructor(private readonly turned: (path: string) => void) {
    this.add.addEventListener("change", () => {
      if (this.add.value) state.pinned.push(this.add.value);
      this.show();
      (this.list.querySelector(".knob:last-child input[type=range]") as HTMLElement | null)?.focus();
    });
    this.element = el("section", { class: "panel knobs", "aria-label": "Knobs" },
      el("h2", {}, "Knobs"), this.list, this.add,
      button("Reset all", "Reset all knobs to the values of the text", () => {
        state.changed.clear();
        state.given = [];
        this.show();
        this.turned("");
      }, { class: "reset" }));
  }

  show(): void {
    this.list.replaceChildren(...state.pinned.filter((path) => state.knobs.has(path)).map((path) => this.knob(state.knobs.get(path)!)));
    const rest = [...state.knobs.values()].filter((k) => !state.pinned.includes(k.path));
    this.add.replaceChildren(el("option", { value: "" }, "Pin another knob …"), ...rest.map((k) => el("option", { value: k.path, title: k.doc }, `${k.path}${k.unit ? ` [${k.unit}]` : ""}`)));
  }

  /** Values that were changed elsewhere: a click on a map. */
  refresh(): void {
    this.show();
  }

  private knob(knob: Knob): HTMLElement {
    const value = valueOf(knob.path);
    const [low, high] = rangeOf(knob, knob.value);
    const words = knob.path.split(".");
    const name = `${knob.path}${knob.unit ? ` in ${knob.unit}` : ""}: ${knob.doc}`;
    const slider = el("input", { type: "range", min: Math.min(low, value), max: Math.max(high, value), step: knob.whole ? 1 : "any", "aria-label": name, title: knob.doc });
    const number = el("input", { type: "number", step: knob.whole ? 1 : "any", "aria-label": `${knob.path}, as a number`, title: this.allowed(knob) });
    slider.value = String(value);
    number.value = short(value, 6);
    const spoken = (v: number) => slider.setAttribute("aria-valuetext", `${short(v, 6)}${knob.unit ? " " + knob.unit : ""}`);
    spoken(value);
    const step = (high - low) / 200;
    slider.addEventListener("keydown", (event) => {
      const by = knob.whole ? 1 : (event.shiftKey ? 0.1 : 1) * step;
      const sign = event.key === "ArrowRight" || event.key === "ArrowUp" ? 1 : event.key === "ArrowLeft" || event.key === "ArrowDown" ? -1 : 0;
      if (!sign) return;
      event.preventDefault();
      slider.value = String(Number(slider.value) + sign * by);
      slider.dispatchEvent(new Event("input"));
    });
    slider.addEventListener("input", () => {
      const set = knob.whole ? Math.round(Number(slider.value)) : Number(Number(slider.value).toPrecision(6));
      number.value = short(set, 6);
      spoken(set);
      this.set(knob, set);
    });
    number.addEventListener("change", () => {
      const set = Number(number.value);
      if (number.value === "" || !Number.isFinite(set)) return;
      slider.min = String(Math.min(Number(slider.min), set));
      slider.max = String(Math.max(Number(slider.max), set));
      slider.value = String(set);
      spoken(set);
      this.set(knob, set);
    });
    return el("div", { class: "knob", "data-path": knob.path },
      el("span", { class: "knob-name", title: `${knob.path}: ${knob.doc}` }, el("span", { class: "knob-where" }, words.slice(0, -1).join(".") + (words.length > 1 ? "." : "")), words[words.length - 1]),
      button("×", `Remove the knob ${knob.path}`, () => {
        state.pinned = state.pinned.filter((p) => p !== knob.path);
        this.show();
      }, { class: "quiet" }),
      slider, number, el("span", { class: "unit" }, knob.unit));
  }

  private allowed(knob: Knob): string {
    const low = knob.low === null ? "" : `${knob.above ? "above" : "at least"} ${short(knob.low)}`;
    const high = knob.high === null ? "" : `at most ${short(knob.high)}`;
    return [knob.doc, [low, high].filter(Boolean).join(", ")].filter(Boolean).join("; ");
  }

  private set(knob: Knob, value: number): void {
    if (value === knob.value && !state.given.length) state.changed.delete(knob.path);
    else state.changed.set(knob.path, value);
    this.turned(knob.path);
  }
}
