// catalog.ts -- models to start from: templates, and the gallery with its pictures.
import { button, el } from "./dom";
import type { Head } from "./socket";

export class Catalog {
  readonly element = el("section", { class: "catalog", "aria-label": "Models to start from", hidden: true });

  constructor(private readonly open: (what: string) => void) {}

  show(head: Head): void {
    const made = head.templates as { what: string; title: string }[];
    const gallery = head.gallery as { folder: string; picture: string | null; models: { what: string; title: string }[] }[];
    const link = (m: { what: string; title: string }, text: string) => button(text, `Open ${m.title}`, () => this.open(m.what), { class: "model", "data-what": m.what });
    this.element.replaceChildren(
      el("h2", {}, "Templates"),
      el("div", { class: "cards" }, ...made.map((m) => el("div", { class: "card" }, el("h3", {}, m.what.split("/")[1]), link(m, m.title)))),
      el("h2", {}, "Gallery"),
      gallery.length ? el("div", { class: "cards" }, ...gallery.map((g) => el("div", { class: "card" },
        g.picture ? el("img", { src: g.picture, alt: "", loading: "lazy" }) : null,
        el("h3", {}, g.folder),
        ...g.models.map((m) => link(m, `${m.title} (${m.what.split("/").pop()!.replace(".yaml", "")})`))))) : el("p", {}, "The gallery is not installed."));
  }
}
