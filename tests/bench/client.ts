import { setImmediate } from "node:timers";
import { delay } from "@/lib/clock.ts";

/** One request of a load. `next` makes a new one from it each time. */
export interface LoadRequest {
  path: string;
  /** GET by default. */
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** How to load a server. */
export interface LoadOptions {
  request: LoadRequest;
  /** Changes each request, such as its path or address; without it, every request is the same. */
  next?: (request: LoadRequest) => LoadRequest;
  seconds: number;
  /** Sockets, each with one request in progress at a time. */
  connections: number;
  /** Requests per second over all connections. Without it, the server is driven to its limit. */
  overallRate?: number;
}

/** The outcome of a load. */
interface LoadResult {
  /** The number of responses by status. */
  statuses: Map<number, number>;
  /** The latency of each response in ms, ascending. */
  latencies: Float64Array;
  seconds: number;
}

const HEAD_END = new Uint8Array([13, 10, 13, 10]);
const encoder = new TextEncoder();
const decoder = new TextDecoder("latin1");

/**
 * Loads a server over plain sockets that stay open. It does as little as possible, because it
 * shares two cores with what it measures: an HTTP library costs several times what a fast server
 * does, so the rates would mostly compare the library with itself. A request that doesn't change is
 * encoded only once. Of a response, only the status and length matter.
 */
export async function load(base: string, options: LoadOptions): Promise<LoadResult> {
  const { hostname, port } = new URL(base);
  const { request, next, connections, overallRate } = options;
  const same = next === undefined ? encode(request) : undefined;
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + options.seconds * 1000;
  let sent = 0;
  const pause = overallRate === undefined ? pauses() : () => {};
  await Promise.all(Array.from({ length: connections }, async () => {
    using socket = await Deno.connect({ hostname, port: Number(port) });
    const reader = new AnswerReader(socket);
    for (;;) {
      const due = overallRate === undefined ? 0 : start + 1000 * sent++ / overallRate;
      const wait = due - performance.now();
      if (wait > 0 && due < end) await delay(wait);
      const begin = performance.now();
      if (begin >= end || due >= end) break;
      await writeAll(socket, same ?? encode(next!(request)));
      const status = await reader.next();
      pause();
      latencies.push(performance.now() - begin);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }));
  return {
    statuses,
    latencies: Float64Array.from(latencies).sort(),
    seconds: (performance.now() - start) / 1000,
  };
}

/** How long (ms) the client sleeps once it has read what arrived. Linux adds as much again. */
const PAUSE_MS = 0.05;

/**
 * Makes the function that a load at a server's limit calls after each response. Once everything
 * that arrived has been read, it makes the thread sleep for a moment, so that responses accumulate,
 * as packets do in a network card. Otherwise a server slower than its client would have to wake it
 * for each response, which costs the server 10 to 25 us, while one as fast as its client, such as
 * bare `Deno.serve`, would not.
 */
function pauses(): () => void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      Atomics.wait(never, 0, 0, PAUSE_MS);
    });
  };
}

function encode({ method = "GET", path, headers = {}, body }: LoadRequest): Uint8Array {
  const bytes = body === undefined ? undefined : encoder.encode(body);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const length = bytes === undefined ? "" : `content-length: ${bytes.length}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines}${length}\r\n`;
  return encoder.encode(head + (body ?? ""));
}

async function writeAll(socket: Deno.Conn, bytes: Uint8Array): Promise<void> {
  let written = await socket.write(bytes);
  while (written < bytes.length) written += await socket.write(bytes.subarray(written));
}

/** Reads the responses on one connection, one by one. */
class AnswerReader {
  readonly #socket: Deno.Conn;
  readonly #buffer = new Uint8Array(1 << 18);
  #length = 0;

  constructor(socket: Deno.Conn) {
    this.#socket = socket;
  }

  /** Reads one response to its end and returns its status. */
  async next(): Promise<number> {
    let headEnd = -1;
    while ((headEnd = this.#find(HEAD_END)) < 0) await this.#more();
    const head = decoder.decode(this.#buffer.subarray(0, headEnd)).toLowerCase();
    const status = Number(head.slice(9, 12));
    this.#drop(headEnd + HEAD_END.length);
    const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
    if (length !== undefined) await this.#skip(Number(length));
    else if (head.includes("\r\ntransfer-encoding: chunked")) await this.#skipChunks();
    return status;
  }

  async #skipChunks(): Promise<void> {
    for (;;) {
      let end = -1;
      while ((end = this.#find(HEAD_END.subarray(0, 2))) < 0) await this.#more();
      const size = parseInt(decoder.decode(this.#buffer.subarray(0, end)), 16);
      this.#drop(end + 2);
      await this.#skip(size + 2);
      if (size === 0) return;
    }
  }

  async #skip(bytes: number): Promise<void> {
    let left = bytes;
    while (left > this.#length) {
      left -= this.#length;
      this.#length = 0;
      await this.#more();
    }
    this.#drop(left);
  }

  #find(mark: Uint8Array): number {
    const buffer = this.#buffer;
    for (let i = 0; i + mark.length <= this.#length; i++) {
      let k = 0;
      while (k < mark.length && buffer[i + k] === mark[k]) k++;
      if (k === mark.length) return i;
    }
    return -1;
  }

  #drop(bytes: number): void {
    this.#buffer.copyWithin(0, bytes, this.#length);
    this.#length -= bytes;
  }

  async #more(): Promise<void> {
    const read = await this.#socket.read(this.#buffer.subarray(this.#length));
    if (read === null) throw new Error("The server closed the connection");
    this.#length += read;
  }
}
