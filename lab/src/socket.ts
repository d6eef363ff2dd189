// socket.ts -- the connection to the server: requests as JSON; answers as JSON, or as a head in JSON with arrays behind it.

export type Arrays = Map<string, (Float64Array | Float32Array | Int32Array | Uint8Array)[]>;
export interface Head {
  kind: string;
  id: number;
  [key: string]: any;
}
export type Listener = (head: Head, arrays: Arrays) => void;

/** Length of the head (4 bytes, little endian), head, zeros up to a multiple of 8, arrays each padded to 8. */
export function decode(data: ArrayBuffer): [Head, Arrays] {
  const length = new DataView(data).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length))) as Head;
  const arrays: Arrays = new Map();
  let at = Math.ceil((4 + length) / 8) * 8;
  for (const [name, type, n] of head.arrays as [string, string, number][]) {
    const array = type === "f8" ? new Float64Array(data, at, n) : type === "f4" ? new Float32Array(data, at, n) : type === "i4" ? new Int32Array(data, at, n) : new Uint8Array(data, at, n);
    arrays.set(name, [...(arrays.get(name) ?? []), array]);
    at += Math.ceil(array.byteLength / 8) * 8;
  }
  return [head, arrays];
}

export class Socket {
  private socket?: WebSocket;
  private number = 0;
  private readonly listeners = new Map<string, Listener>();

  constructor(private readonly opened: () => void, private readonly closed: () => void) {
    this.connect();
  }

  private connect(): void {
    const address = new URL("socket", location.href);
    address.protocol = "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.opened();
    socket.onclose = () => this.closed();
    socket.onmessage = (event) => {
      const [head, arrays] = typeof event.data === "string" ? [JSON.parse(event.data) as Head, new Map() as Arrays] : decode(event.data);
      this.listeners.get(head.kind)?.(head, arrays);
    };
  }

  on(kind: string, listener: Listener): void {
    this.listeners.set(kind, listener);
  }

  /** Number of the request; its answers carry it. */
  send(what: string, keys: Record<string, unknown> = {}): number {
    this.number += 1;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ do: what, id: this.number, ...keys }));
    return this.number;
  }
}
