// editor.ts -- the text of the model, read while it is typed; what is wrong is shown at its place.
import { button, el } from "./dom";

export interface Failure {
  name: string;
  message: string;
  where: string;
  hint: string;
}

export class Editor {
  readonly element: HTMLElement;
  private readonly area = el("textarea", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": "Text of the model (YAML). Escape, then Tab leaves it" });
  private readonly lines = el("div", { class: "lines", "aria-hidden": "true" });
  private readonly problem = el("div", { class: "problem", role: "alert", hidden: true });
  private timer = 0;
  private leaving = false; // Escape was pressed last
  private wrong = 0; // line, from 1; 0: none

  constructor(private readonly edited: (text: string) => void) {
    this.area.setAttribute("aria-describedby", "problem");
    this.problem.id = "problem";
    this.area.addEventListener("input", () => {
      this.number();
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.edited(this.area.value), 120);
    });
    this.area.addEventListener("scroll", () => (this.lines.scrollTop = this.area.scrollTop));
    this.area.addEventListener("keydown", (event) => {
      const leaving = this.leaving;
      this.leaving = event.key === "Escape";
      if (event.key !== "Tab" || event.shiftKey || event.ctrlKey || leaving) return;
      event.preventDefault(); // two spaces; Escape, then Tab leaves the text
      this.area.setRangeText("  ", this.area.selectionStart, this.area.selectionEnd, "end");
      this.area.dispatchEvent(new Event("input"));
    });
    this.element = el("section", { class: "editor", "aria-label": "Model text" }, el("div", { class: "text" }, this.lines, this.area), this.problem);
  }

  set(text: string): void {
    this.area.value = text;
    this.number();
  }

  get text(): string {
    return this.area.value;
  }

  private number(): void {
    const n = this.area.value.split("\n").length;
    this.lines.replaceChildren(...Array.from({ length: n }, (_v, i) => el("span", { class: i + 1 === this.wrong ? "wrong" : "" }, String(i + 1))));
    this.lines.scrollTop = this.area.scrollTop;
  }

  show(failure: Failure | null): void {
    const place = failure?.where.match(/:(\d+):(\d+)$/);
    this.wrong = place ? Number(place[1]) : 0;
    this.number();
    this.problem.hidden = !failure;
    this.area.setAttribute("aria-invalid", String(!!failure));
    this.problem.replaceChildren();
    if (!failure) return;
    this.problem.append(el("strong", {}, failure.message), el("div", {}, failure.hint));
    if (place) this.problem.prepend(button(`line ${place[1]}, column ${place[2]}`, `Go to line ${place[1]}, column ${place[2]}`, () => this.go(Number(place[1]), Number(place[2])), { class: "place" }));
    else if (failure.where) this.problem.prepend(el("span", { class: "place" }, failure.where));
  }

  private go(line: number, column: number): void {
    const at = this.area.value.split("\n").slice(0, line - 1).reduce((n, text) => n + text.length + 1, 0) + column - 1;
    this.area.focus();
    this.area.setSelectionRange(at, at + 1);
    this.area.scrollTop = Math.max(0, (line - 6) * 18);
  }
}
