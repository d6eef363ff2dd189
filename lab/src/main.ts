// main.ts -- the page: puts its parts together and passes answers of the server to them.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Catalog } from "./catalog";
import { prefersDark, short, theme } from "./colours";
import { button, el, forgetSizes, save, say } from "./dom";
import { Editor, Failure } from "./editor";
import { Home } from "./home";
import { Knobs } from "./knobs";
import { LongView, Taken } from "./longview";
import { Plots } from "./plots";
import { Portrait } from "./portrait";
import { ShapeView } from "./shape";
import { Arrays, Head, Socket } from "./socket";
import { Sound } from "./sound";
import { changes, choosePins, Knob, Motion, state } from "./state";

// What tests and curious people look at: times from a move to its picture, drawn and then shown on the screen [ms].
const measured = { latencies: [] as number[], shown: [] as number[], server: [] as number[], processor: [] as number[], drawn: 0, asked: 0, underWay: 0, last: 0 };
declare global {
  interface Window {
    lab: { state: typeof state; measured: typeof measured; idle: () => boolean };
  }
}
window.lab = { state, measured, idle: () => !dirty && asked.size === 0 };

const certificate = el("span", { class: "certificate", role: "status" });
const residual = el("span", { class: "residual" });
const stopped = el("p", { class: "stopped", role: "alert", hidden: true });
const title = el("h1", {}, "Judder lab");
const stretch = el("span", { class: "stretch" });
let dirty = false, moved = 0, scheduled = false;
const asked = new Map<number, number>(); // time of the move that a request answers

const socket = new Socket(
  () => socket.send("open", { what: "" }),
  () => {
    stopped.hidden = false;
    stopped.textContent = "The connection to the server has ended: `judder lab` was stopped, or too many pages are open.";
  },
);

const ask = () => ({ set: changes(), shape: !shape.element.hidden });
let samplesAsked = 0;
const AT_ONCE = 2; // requests under way: one that is computed or drawn, and the next

function request(): void {
  samplesAsked = plots.samples();
  const keys = state.view === "orbit" ? { ...ask(), ...(state.branch ?? {}) } : { ...ask(), from: state.from, to: state.to, samples: samplesAsked };
  const id = socket.send(state.view === "orbit" ? "orbit" : "motion", keys);
  measured.asked++;
  measured.last = id;
  asked.set(id, moved || performance.now());
  moved = 0;
  measured.underWay = Math.max(measured.underWay, asked.size);
}

/** The latest wins: while two requests are under way a change waits, and only the last of them is asked for. */
function wanted(): void {
  dirty = true;
  if (!moved) moved = performance.now();
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    if (!dirty || asked.size >= AT_ONCE) return;
    dirty = false;
    request();
  });
}

/** An answer ends its request and those before it, which it has overtaken. Returns when the change was made. */
function answered(id: number): number | undefined {
  const since = asked.get(id);
  for (const old of asked.keys()) if (old <= id) asked.delete(old);
  if (dirty) wanted();
  return since;
}

const knobs = new Knobs(() => {
  state.branch = null;
  wanted();
});
const plots = new Plots(
  (from, to) => {
    state.from = from;
    state.to = to;
    wanted();
  },
  (time) => {
    if (time === null || time === state.cursor) return;
    state.cursor = time;
    redrawCursor();
  },
);
const portrait = new Portrait();
const shape = new ShapeView(
  (time) => {
    state.cursor = time;
    redrawCursor();
  },
  (from, to) => plots.show(from, to),
);
const sound = new Sound((keys) => socket.send("sound", { set: changes(), ...keys }), () => view("orbit"));
const home = new Home(() => socket.send("yaml", { set: changes() }), (what) => socket.send("download", { set: changes(), what, view: state.view, from: state.from, to: state.to, ...(state.branch ?? {}) }));
const editor = new Editor((text) => {
  state.text = text;
  socket.send("model", { text, set: changes() });
});
const longview = new LongView((what) => socket.send(what, what === "cancel" ? {} : { set: changes() }), take);
const catalog = new Catalog((what) => {
  state.changed.clear();
  state.given = [];
  socket.send("open", { what });
});

let cursorFrame = 0;
function redrawCursor(): void {
  cursorFrame ||= requestAnimationFrame(() => {
    cursorFrame = 0;
    shape.draw();
    portrait.draw();
  });
}

/** A point of a map or of a branch: its numbers become those of the knobs, its orbit is shown. */
function take(taken: Taken): void {
  for (const [path, value] of taken.values) {
    const knob = state.knobs.get(path);
    if (!knob) continue;
    state.changed.set(path, Number((value / knob.size).toPrecision(12)));
    if (!state.pinned.includes(path)) state.pinned.unshift(path);
  }
  state.branch = taken.state && taken.phase ? { state: taken.state, phase: taken.phase } : null;
  knobs.refresh();
  view("orbit");
}

const runButton = button("Run", "Show the motion from its start", () => view("run"), { "aria-pressed": "true" });
const orbitButton = button("Settled orbit", "Show the periodic motion it settles to", () => {
  state.branch = null;
  view("orbit");
}, { "aria-pressed": "false" });
function view(what: "run" | "orbit"): void {
  state.view = what;
  runButton.setAttribute("aria-pressed", String(what === "run"));
  orbitButton.setAttribute("aria-pressed", String(what === "orbit"));
  wanted();
}

const toolbar = el("div", { class: "row toolbar", role: "toolbar", "aria-label": "Stretch of time" },
  runButton, orbitButton,
  button("◀", "Earlier", () => plots.pan(-0.5)), button("▶", "Later", () => plots.pan(0.5)),
  button("+", "Zoom in", () => plots.zoom(0.5, null)), button("−", "Zoom out", () => plots.zoom(2, null)),
  button("whole run", "Show the whole run", () => plots.show(0, state.motion?.whole ?? 0)),
  button("last periods", "Show its last periods", () => {
    state.from = state.to = null;
    wanted();
  }), stretch);
const motionTab = el("div", { class: "tab-body motion", id: "tab-motion", role: "tabpanel" }, toolbar, plots.element);
const longTab = el("div", { class: "tab-body", id: "tab-long", role: "tabpanel", hidden: true }, longview.element);
const textTab = el("div", { class: "tab-body", id: "tab-text", role: "tabpanel", hidden: true }, editor.element);
const tabs: [string, HTMLElement][] = [["Motion", motionTab], ["Long view", longTab], ["Text", textTab]];
const tabButtons = tabs.map(([name, body], i) => el("button", { type: "button", role: "tab", "aria-controls": body.id, "aria-selected": String(i === 0), tabindex: i ? -1 : 0, onclick: () => show(i) }, name));
function show(index: number): void {
  tabs.forEach(([, body], i) => {
    body.hidden = i !== index;
    tabButtons[i].setAttribute("aria-selected", String(i === index));
    tabButtons[i].tabIndex = i === index ? 0 : -1;
  });
  forgetSizes();
  if (index === 0 && state.motion) plots.draw(state.motion);
  longview.draw();
}
const tabList = el("div", { class: "tabs", role: "tablist", "aria-label": "Views", onkeydown: (event: KeyboardEvent) => {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (!by) return;
  const next = (tabButtons.findIndex((b) => b.getAttribute("aria-selected") === "true") + by + tabs.length) % tabs.length;
  show(next);
  tabButtons[next].focus();
} }, ...tabButtons);

function toggleTheme(): void {
  document.documentElement.dataset.theme = theme().dark ? "light" : "dark";
  redraw();
}
const main = el("main", {}, el("aside", { class: "left" }, knobs.element, home.element), el("div", { class: "middle" }, tabList, ...tabs.map(([, body]) => body)), el("aside", { class: "right" }, shape.element, portrait.element, sound.element));
document.getElementById("lab")!.append(
  el("header", {}, title, certificate, residual, button("Models", "Choose another model", () => socket.send("open", { what: "catalog" })), button("◐", "Light or dark", toggleTheme)),
  stopped, catalog.element, main);
main.hidden = true;

function redraw(): void {
  theme(); // its inks
  if (state.motion) {
    plots.draw(state.motion);
    portrait.draw();
    shape.draw();
  }
  longview.draw();
}
new ResizeObserver(() => requestAnimationFrame(() => {
  redraw();
  if (state.motion && samplesAsked && plots.samples() > 1.2 * samplesAsked) wanted(); // wider: more is seen
})).observe(main);
prefersDark.addEventListener("change", redraw);

function showStatus(head: Head): void {
  say(certificate, `${head.certified ? "✓" : "!"} ${head.certificate}${head.engine ? ` (engine ${head.engine}, up to ${short(head.until, 5)}${head.si ? " s" : ""})` : ""}`);
  certificate.classList.toggle("good", !!head.certified);
  say(residual, head.orbit ? head.orbit.stability : head.residual !== null ? `energy balance error ${Math.abs(head.residual).toExponential(1)} of the work` : `energy: ${head.no_energy}`);
  stopped.hidden = !head.stopped;
  say(stopped, head.stopped);
  say(stretch, head.subtitle);
}

socket.on("motion", (head, arrays) => {
  state.motion = motionOf(head, arrays);
  if (main.hidden) forgetSizes();
  catalog.element.hidden = true;
  main.hidden = false;
  plots.draw(state.motion);
  portrait.draw();
  shape.draw();
  showStatus(head); // texts last: drawing asks for sizes, which a changed text would make anew
  sound.show(state.motion);
  measured.drawn++;
  measured.server.push(1000 * head.seconds);
  measured.processor.push(1000 * head.processor);
  const since = answered(head.id);
  if (since) {
    measured.latencies.push(performance.now() - since);
    requestAnimationFrame(() => queue.push(since) === 1 && shown.port2.postMessage(null));
  }
  for (const list of [measured.latencies, measured.shown, measured.server, measured.processor]) if (list.length > 2000) list.splice(0, 1000);
  document.documentElement.dataset.drawn = String(measured.drawn);
});

// A message that is sent while a frame is made comes after it was painted.
const shown = new MessageChannel(), queue: number[] = [];
shown.port1.onmessage = () => queue.splice(0).forEach((since) => measured.shown.push(performance.now() - since));

function motionOf(head: Head, arrays: Arrays): Motion {
  const get = (name: string, k = 0) => arrays.get(name)![k] as Float64Array;
  const [times, contacts, impulses] = ["events.t", "events.contact", "events.impulse"].map((name) => arrays.get(name)![0]);
  return {
    id: head.id, t: get("t"), si: head.si, period: head.period || null, whole: head.whole, orbit: head.orbit ?? null,
    points: (head.points as string[]).map((name, i) => ({ name, u: get(`point.${i}`), v: get(`point.${i}`, 1) })),
    contacts: head.contacts.map((c: any, j: number) => ({ ...c, u: get(`contact.${j}`), v: get(`contact.${j}`, 1), force: get(`contact.${j}`, 2) })),
    energy: new Map(["stored", "damping", "friction", "impacts", "supplied"].filter((k) => arrays.has(`energy.${k}`)).map((k) => [k, get(`energy.${k}`)])),
    events: Array.from(times, (t, i) => ({ t, contact: contacts[i], change: (head.events as string).slice(2 * i, 2 * i + 2), impulse: impulses[i] })),
    shape: head.shape ? { ...head.shape, at: arrays.get("shape.at")![0], u: arrays.get("shape.u")![0], t: arrays.get("shape.t")![0], lines: arrays.get("shape.lines")![0], cells: head.cells.map((c: any, i: number) => ({ ...c, ends: arrays.get("shape.ends")![i] })) } : null,
  };
}

/** Nothing of the model before is left: neither its curves nor what was proved about them. */
function blank(): void {
  state.motion = state.cursor = state.branch = null;
  plots.clear();
  portrait.draw();
  shape.draw();
  longview.clear();
  say(certificate, "");
  say(residual, "");
  say(stretch, "");
  stopped.hidden = true;
}

socket.on("model", (head) => {
  const another = head.name !== state.name || !state.pinned.length;
  state.name = head.name;
  state.title = head.title;
  state.si = head.si;
  state.period = head.period || null;
  state.sections = head.sections;
  title.textContent = head.title || head.name.split("/").pop();
  title.title = head.words;
  document.title = `${title.textContent} · Judder lab`;
  if (head.text !== undefined) {
    state.text = state.original = head.text;
    state.file = head.file;
    editor.set(head.text);
    state.given = head.set ?? [];
    state.from = state.to = null;
    state.view = head.sections.simulate ? "run" : "orbit"; // a model of orbits alone has no run
    main.hidden = false;
    catalog.element.hidden = true;
    scrollTo(0, 0); // the gallery may have been scrolled
    forgetSizes(); // as many samples are asked for as the charts, shown now, are wide
    blank();
  }
  const list = head.knobs as Knob[];
  // a knob that was turned keeps the value of the text as its own
  state.knobs = new Map(list.map((k) => [k.path, state.changed.has(k.path) && state.knobs.has(k.path) ? { ...k, value: state.knobs.get(k.path)!.value } : k]));
  for (const path of [...state.changed.keys()]) if (!state.knobs.has(path)) state.changed.delete(path);
  if (another) state.pinned = choosePins();
  knobs.show();
  longview.available();
  editor.show(null);
  view(state.view);
});
socket.on("text", (head) => {
  blank();
  state.name = head.name;
  state.text = head.text;
  editor.set(head.text);
  main.hidden = false;
  catalog.element.hidden = true;
  show(2);
});
socket.on("catalog", (head) => {
  catalog.show(head);
  catalog.element.hidden = false;
  main.hidden = true;
  title.textContent = "Judder lab";
});
socket.on("error", (head) => {
  if (asked.has(head.id)) answered(head.id);
  const failure = head as unknown as Failure & Head;
  const words = `${failure.message}${failure.hint ? ` — ${failure.hint}` : ""}`;
  if (head.to === "sweep" || head.to === "follow") longview.failed(words);
  else if (head.to === "sound") sound.failed(words);
  else if (head.to === "download" || head.to === "yaml") home.say(words);
  else {
    editor.show(failure);
    certificate.textContent = "! not computed";
    certificate.classList.remove("good");
    residual.textContent = "";
    stopped.hidden = false;
    stopped.textContent = `${failure.where ? `${failure.where.replace(/^.*\//, "")}: ` : ""}${words}`;
  }
});
socket.on("no-orbit", (head) => {
  answered(head.id);
  say(certificate, "! no orbit");
  certificate.classList.remove("good");
  say(residual, "");
  stopped.hidden = false;
  const more = state.sections.simulate ? "" : ["sweep", "follow"].filter((name) => state.sections[name]).map((name) => ` The section \`${name}\` is computed in the long view.`).join("");
  stopped.textContent = `No orbit: ${head.message}${head.why && head.why !== head.message ? `; ${head.why}` : ""}.${more}`;
});
socket.on("sweep", (head) => longview.onSweep(head));
socket.on("sweep-points", (head, arrays) => longview.onPoints(head, arrays));
socket.on("sweep-end", (head) => longview.onSweepEnd(head));
socket.on("follow-points", (head, arrays) => longview.onBranchPoints(head, arrays));
socket.on("follow-stopped", (head) => longview.onFollowStopped(head));
socket.on("follow", (head, arrays) => longview.onFollow(head, arrays));
socket.on("yaml", (head) => {
  void home.copy(head.text).then(() => {
    if (!head.comments) home.say("Copied, without comments: the changes could not be made in place.");
  });
});
socket.on("file", (head, arrays) => {
  const data = arrays.get("data")![0] as Uint8Array;
  if (head.what === "sound") return sound.onSound(data);
  const base = state.name.split("/").pop()!.replace(/\.ya?ml$/, "") || "motion";
  save(data as unknown as BlobPart, head.type, `${base}.${head.what === "hdf5" ? "h5" : head.what}`);
  home.say("Downloaded.");
});
