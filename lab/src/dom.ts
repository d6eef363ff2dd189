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

/** A canvas with as many pixels as the screen shows, and its context in CSS pixels. */
export function fitCanvas(canvas: HTMLCanvasElement): { context: CanvasRenderingContext2D; width: number; height: number } {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.max(1, canvas.clientWidth), height = Math.max(1, canvas.clientHeight);
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
