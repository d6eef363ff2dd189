// colours.ts -- the inks of Judder's pictures (src/picture/scene/gnuplot.c), and scales of numbers.

const byDay = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const byNight = ["#3d9bdc", "#f07f3c", "#2fbf95", "#d995bd", "#f0b73c", "#7cc7f0"]; // the same, lighter: thin lines on a dark ground
/** Those of the present theme. */
export const inks = [...byDay];

export interface Theme {
  dark: boolean;
  text: string;
  soft: string; // axes, second texts
  grid: string;
  pale: string; // stick phases
  back: string;
}

const night: Theme = { dark: true, text: "#e8e8e8", soft: "#a8adb5", grid: "#343a43", pale: "#3a4250", back: "#15181d" };
const day: Theme = { dark: false, text: "#1a1a1a", soft: "#4d4d4d", grid: "#dadada", pale: "#e4e4e4", back: "#ffffff" };
export const prefersDark = matchMedia("(prefers-color-scheme: dark)");

export function theme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  const dark = chosen ? chosen === "dark" : prefersDark.matches;
  inks.splice(0, inks.length, ...(dark ? byNight : byDay));
  return dark ? night : day;
}
theme();

/** What a contact does, by its letter: word and colour. */
export function stateOf(letter: string): { word: string; ink: string } {
  switch (letter) {
    case "H": return { word: "stuck", ink: theme().text };
    case "|": return { word: "closed", ink: theme().text };
    case "+": return { word: "sliding +", ink: inks[5] };
    case "-": return { word: "sliding −", ink: inks[4] };
    case "o": return { word: "open", ink: theme().dark ? "#6b7480" : "#b9b9b9" };
    default: return { word: "along a span", ink: inks[2] };
  }
}

const map = ["#2d1e4f", "#3b4a8c", "#1f7a8c", "#25a584", "#8bc34a", "#fde725"];
/** Colour of a share in [0, 1], as maps of sweeps have it. */
export function mapColour(share: number): string {
  const x = Math.min(Math.max(share, 0), 1) * (map.length - 1), i = Math.min(Math.floor(x), map.length - 2), f = x - i;
  const part = (k: number, at: number) => parseInt(map[k].slice(1 + 2 * at, 3 + 2 * at), 16);
  const mixed = [0, 1, 2].map((c) => Math.round(part(i, c) * (1 - f) + part(i + 1, c) * f));
  return `rgb(${mixed.join(",")})`;
}

/** A factor and prefix for values up to `most` of an SI unit; none in a model's own units. */
export function scale(most: number, unit: string, si: boolean): { factor: number; unit: string } {
  if (!si || !unit) return { factor: 1, unit: "" };
  const steps: [number, string][] = [[1, ""], [1e3, "m"], [1e6, "µ"], [1e9, "n"]];
  const found: [number, string] = most >= 1e7 ? [1e-6, "M"] : most >= 1e4 ? [1e-3, "k"] : most > 0 ? steps.find(([factor]) => most * factor >= 0.5) ?? steps[3] : steps[0];
  return { factor: found[0], unit: found[1] + unit };
}

export function short(value: number, digits = 5): string {
  if (!Number.isFinite(value)) return "";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) return value.toExponential(digits - 1).replace(/\.?0*e\+?/, "e");
  return String(Number(value.toPrecision(digits)));
}

/** Numbers of an axis, with as many digits as tell one from the next. */
export function ticks(values: number[], step: number): string[] {
  const digits = (v: number) => Math.min(15, Math.max(1, Math.floor(Math.log10(Math.abs(v))) - Math.floor(Math.log10(step)) + 2));
  return values.map((v) => (Math.abs(v) < 1e-6 * step ? "0" : short(v, digits(v))));
}
