// home.ts -- what is taken home: the changed model as YAML, the command line, Python; files.
import { button, el } from "./dom";
import { changes, state, valueOf } from "./state";

const quoted = (text: string) => (/^[A-Za-z0-9_./=:,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

export function commandLine(): string {
  return ["judder", state.view === "orbit" ? "orbit" : "run", quoted(state.name), ...changes().flatMap((c) => ["--set", quoted(c)])].join(" ");
}

export function python(): string {
  const sets = [...changes()].map((text) => {
    const path = text.split("=")[0], knob = state.knobs.get(path);
    const value = state.changed.has(path) ? `${valueOf(path)}${knob?.unit ? " " + knob.unit : ""}` : text.slice(path.length + 1);
    return `m.set(${JSON.stringify(path)}, ${/^[-+.0-9e]+$/.test(value) ? value : JSON.stringify(value)})`;
  });
  return ["import judder as jd", `m = jd.load(${JSON.stringify(state.name)})`, ...sets, state.view === "orbit" ? "r = m.orbit()" : "r = m.run()"].join("\n") + "\n";
}

/** The command and Python read the file, which does not have what was typed into the text. */
function unsaved(): string {
  const file = state.name.split("/").pop();
  if (!state.file) return ` The template is no file yet: \`judder new ${file?.replace(/\.yaml$/, "")} -o ${file}\` writes it.`;
  return state.text === state.original ? "" : ` The text was edited: put the copied YAML into ${file} first.`;
}

export class Home {
  readonly element: HTMLElement;
  private readonly told = el("span", { class: "told", role: "status" });

  constructor(askYaml: () => void, download: (what: string) => void) {
    this.element = el("section", { class: "panel home", "aria-label": "Take it home" },
      el("h2", {}, "Take it home"),
      el("div", { class: "row" },
        button("YAML", "Copy the model with the changes made, comments kept", askYaml),
        button("Command", "Copy the command line that computes what is shown", () => void this.copy(commandLine(), unsaved())),
        button("Python", "Copy Python that computes what is shown", () => void this.copy(python(), unsaved()))),
      el("div", { class: "row" }, ...[["csv", "CSV"], ["hdf5", "HDF5"], ["svg", "SVG"], ["png", "PNG"]].map(([what, text]) => button(`↓ ${text}`, `Download ${what === "csv" ? "the samples as CSV" : what === "hdf5" ? "the result as HDF5" : `the picture as ${text}`}`, () => {
        this.told.textContent = "The file is made.";
        download(what);
      }))),
      this.told);
  }

  say(text: string): void {
    this.told.textContent = text;
  }

  async copy(text: string, but = ""): Promise<void> {
    this.element.dataset.copied = text;
    try {
      await navigator.clipboard.writeText(text);
      this.say(`Copied.${but}`);
    } catch {
      const area = el("textarea", {}, text); // without permission: the old way
      document.body.append(area);
      area.select();
      this.say(document.execCommand("copy") ? `Copied.${but}` : "The browser does not allow copying.");
      area.remove();
    }
  }
}
