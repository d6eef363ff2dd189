// sound.ts -- the motion as sound: the stretch shown, or one period of the settled orbit in a loop.
import { button, el } from "./dom";
import { Motion, state } from "./state";

export class Sound {
  readonly element: HTMLElement;
  private readonly signal = el("select", { "aria-label": "Signal that is heard" });
  private readonly speed = el("select", { "aria-label": "Speed of the sound" });
  private readonly told = el("span", { class: "told", role: "status" });
  private readonly loopButton: HTMLButtonElement;
  private context?: AudioContext;
  private source?: AudioBufferSourceNode;
  private looping = false;
  private last = 0; // [s] of the run's end that is to be looped; 0: the stretch shown is played
  private names = "";

  constructor(private readonly ask: (keys: Record<string, unknown>) => void, private readonly wantOrbit: () => void) {
    for (const x of [1, 4, 10, 40, 100, 400]) this.speed.append(el("option", { value: x }, x === 1 ? "real time" : `${x} × faster`));
    this.signal.addEventListener("change", () => this.looping && state.motion?.orbit && this.loop(state.motion));
    this.loopButton = button("Loop the orbit", "Play one period of the settled orbit in a loop", () => this.toggleLoop(), { "aria-pressed": "false" });
    this.element = el("section", { class: "panel sound", "aria-label": "Sound" },
      el("h2", {}, "Sound"),
      el("div", { class: "row" }, this.signal, this.speed, button("Play window", "Play the stretch shown as sound", () => this.window()), this.loopButton, button("Silence", "Stop the sound", () => this.stop())),
      this.told);
  }

  private ready(): AudioContext {
    this.context ??= new AudioContext();
    void this.context.resume();
    return this.context;
  }

  /** Signals of the model; a motion too slow to be heard is proposed faster. */
  show(m: Motion): void {
    const names = [...m.points.flatMap((p) => [`${p.name}.v`, `${p.name}.u`]), ...m.contacts.filter((c) => !c.span).map((c) => `${c.name}.force`), "bridge.force"];
    if (names.join() !== this.names) {
      this.names = names.join();
      this.signal.replaceChildren(...names.map((n) => el("option", { value: n }, n)));
      const hertz = 1 / (m.period ?? (m.t[m.t.length - 1] - m.t[0] || 1) / 10);
      const factor = [1, 4, 10, 40, 100, 400].find((x) => hertz * x >= 60) ?? 400;
      this.speed.value = String(factor);
    }
    if (this.looping && m.orbit) this.loop(m);
  }

  private window(): void {
    const m = state.motion;
    if (!m || !m.t.length) return;
    this.ready();
    this.told.textContent = "The sound is computed.";
    this.last = 0;
    // what is played faster needs fewer samples per second of the model
    this.ask({ signal: this.signal.value, to: m.t[m.t.length - 1], rate: Math.round(44100 / Number(this.speed.value)) });
  }

  /** A sound file of the run from its start: 24 bits, one channel; the stretch shown is played. */
  onSound(data: Uint8Array): void {
    if (this.last && !this.looping) return; // it was silenced meanwhile
    const context = this.ready(), m = state.motion, head = new DataView(data.buffer, data.byteOffset);
    const rate = head.getUint32(24, true), speed = Number(this.speed.value), n = Math.floor((data.length - 44) / 3);
    const start = this.last ? n - Math.round(this.last * rate) : Math.floor((m ? m.t[0] : 0) * rate);
    const from = Math.min(Math.max(0, start), n - 1), length = Math.max(1, n - from);
    const buffer = context.createBuffer(1, length, Math.min(Math.max(rate * speed, 8000), 96000)), out = buffer.getChannelData(0);
    for (let i = 0, at = 44 + 3 * from; i < length; i++, at += 3) out[i] = (((data[at + 2] << 24) | (data[at + 1] << 16) | (data[at] << 8)) >> 8) / 8388608;
    this.start(buffer, this.last > 0);
    this.told.textContent = this.last ? `${this.signal.value} of the run's last period in a loop, ${(speed / this.last).toPrecision(4)} Hz` : `${this.signal.value}, ${buffer.duration.toPrecision(3)} s of sound`;
    if (this.last) this.element.dataset.loops = String(Number(this.element.dataset.loops ?? 0) + 1);
    this.element.dataset.played = String(Number(this.element.dataset.played ?? 0) + 1);
  }

  private start(buffer: AudioBuffer, loop: boolean): void {
    this.source?.stop();
    const source = this.ready().createBufferSource();
    source.buffer = buffer;
    source.loop = loop;
    source.connect(this.context!.destination);
    source.start();
    this.source = source;
  }

  private toggleLoop(): void {
    this.looping = !this.looping;
    this.loopButton.setAttribute("aria-pressed", String(this.looping));
    if (!this.looping) return this.stop();
    this.ready();
    if (state.motion?.orbit) this.loop(state.motion);
    else this.wantOrbit();
  }

  // One period, sampled evenly at the rate of the sound card.
  private loop(m: Motion): void {
    const context = this.ready(), speed = Number(this.speed.value), [name, what] = [this.signal.value.replace(/\.[^.]*$/, ""), this.signal.value.split(".").pop()];
    const point = m.points.find((p) => p.name === name), contact = m.contacts.find((c) => c.name === name);
    const y = what === "force" ? contact?.force : what === "u" ? point?.u : point?.v;
    if (!m.orbit) return;
    if (!y) { // the force at a bridge is no curve of the orbit: the run's last period is heard, to which it has settled
      this.last = m.orbit.period;
      this.ask({ signal: this.signal.value, rate: Math.round(context.sampleRate / speed) });
      return;
    }
    const n = Math.max(8, Math.round((context.sampleRate * m.orbit.period) / speed)), buffer = context.createBuffer(1, n, context.sampleRate), out = buffer.getChannelData(0);
    let most = 0;
    for (const v of y) most = Math.max(most, Math.abs(v));
    for (let i = 0, k = 0; i < n; i++) {
      const t = m.t[0] + ((m.t[m.t.length - 1] - m.t[0]) * i) / n;
      while (k + 2 < m.t.length && m.t[k + 1] <= t) k++;
      const f = (t - m.t[k]) / (m.t[k + 1] - m.t[k] || 1);
      out[i] = most > 0 ? (0.8 * (y[k] * (1 - f) + y[k + 1] * f)) / most : 0;
    }
    this.start(buffer, true);
    this.told.textContent = `${this.signal.value} of the orbit in a loop, ${(speed / m.orbit.period).toPrecision(4)} Hz`;
    this.element.dataset.loops = String(Number(this.element.dataset.loops ?? 0) + 1);
  }

  failed(message: string): void {
    this.told.textContent = message;
  }

  stop(): void {
    this.looping = false;
    this.loopButton.setAttribute("aria-pressed", "false");
    this.source?.stop();
    this.source = undefined;
    this.told.textContent = "";
  }
}
