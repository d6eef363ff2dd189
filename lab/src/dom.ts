// dom.ts -- elements by name, with attributes and children; texts are never taken as HTML.

type Child = Node | string | null | undefined;
export function el<K extends keyof HTMLElementTagNameMap>(name: K, attributes: Record<string, unknown> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on") && typeof value === "function") e.addEventListener(key.slice(2), value as EventListener);
    else if (value === true) e.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) e.setAttribute(key, String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) e.append(child);
  return e;
}

export function button(text: string, name: string, press: () => void, attributes: Record<string, unknown> = {}): HTMLButtonElement {
  return el("button", { type: "button", "aria-label": name, title: name, onclick: press, ...attributes }, text);
}

/** A text that is there already is not set again: the page would be laid out anew. */
export function say(e: Node, text: string): void {
  if (e.textContent !== text) e.textContent = text;
}

let sizes = new WeakMap<Element, { width: number; height: number }>();
const watched = new WeakSet<Element>(), watcher = new ResizeObserver((list) => list.forEach((entry) => sizes.delete(entry.target)));
/** Width and height inside, in CSS pixels, known without laying the page out again. */
export function sizeOf(e: HTMLElement): { width: number; height: number } {
  let size = sizes.get(e);
  if (!size) sizes.set(e, (size = { width: e.clientWidth, height: e.clientHeight }));
  if (!watched.has(e)) {
    watched.add(e);
    watcher.observe(e);
  }
  return size;
}
/** After something was shown or hidden: sizes are asked for anew at once. */
export function forgetSizes(): void {
  sizes = new WeakMap();
}

/** A canvas with as many pixels as the screen shows, and its context in CSS pixels. */
export function fitCanvas(canvas: HTMLCanvasElement): { context: CanvasRenderingContext2D; width: number; height: number } {
  const ratio = window.devicePixelRatio || 1;
  const size = sizeOf(canvas), width = Math.max(1, size.width), height = Math.max(1, size.height);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

export function save(data: BlobPart, type: string, name: string): void {
  const address = URL.createObjectURL(new Blob([data], { type }));
  const a = el("a", { href: address, download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
