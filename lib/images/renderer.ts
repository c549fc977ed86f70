import { Lru } from "../cache/lru.ts";

/** How many pictures stay in memory; about 20 KB each. */
const CACHE_MAX = 400;

/** How many SVGs that took too long are remembered. */
const MISSED_MAX = 100;

/** How many pictures may wait to be rendered. A further request gets none. */
const WAITING_MAX = 40;

/** How long one picture may take, in ms, once those before it are done. */
const DEADLINE_MS = 10_000;

/**
 * How many workers one picture may use up. Deno 2.9 cannot end a worker that never comes to rest, so
 * each could keep a core busy; one may be lost because the whole process stood still.
 */
const TRIES_MAX = 2;

interface Answer {
  id: number;
  png?: Uint8Array<ArrayBuffer>;
  error?: string;
}

/**
 * Renders SVG to PNG in one worker, which starts with the first picture. Each SVG is rendered once
 * while its picture stays in memory, however many ask for it at a time.
 */
export class ImageRenderer {
  readonly #pictures = new Lru<Promise<Uint8Array<ArrayBuffer>>>({ max: CACHE_MAX });
  readonly #waiting = new Map<number, { svg: string; finish: (answer: Answer) => void }>();
  /** How often a worker was not done with an SVG in time. */
  readonly #missed = new Lru<number>({ max: MISSED_MAX });
  readonly #deadlineMs: number;
  #worker: Worker | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #serial = 0;

  constructor({ deadlineMs = DEADLINE_MS } = {}) {
    this.#deadlineMs = deadlineMs;
  }

  /**
   * The PNG of an SVG; null while too many others wait, or if it took too long before. Rejects when
   * it cannot be rendered.
   */
  render(svg: string): Promise<Uint8Array<ArrayBuffer>> | null {
    const known = this.#pictures.get(svg);
    if (known !== undefined) return known;
    if (this.#waiting.size >= WAITING_MAX || this.#isHopeless(svg)) return null;
    const picture = this.#pictures.set(svg, this.#request(svg));
    picture.catch(() => this.#pictures.delete(svg));
    return picture;
  }

  /** Ends the worker and fails what waits. A further picture starts another. */
  close(error = "the renderer was closed"): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const [id, { finish }] of this.#waiting) finish({ id, error });
    this.#waiting.clear();
  }

  #isHopeless(svg: string): boolean {
    return (this.#missed.get(svg) ?? 0) >= TRIES_MAX;
  }

  #request(svg: string): Promise<Uint8Array<ArrayBuffer>> {
    const id = this.#serial++;
    const worker = this.#worker ??= this.#start();
    return new Promise((resolve, reject) => {
      const finish = ({ png, error }: Answer) => {
        if (png === undefined) reject(new Error(`Picture not rendered: ${error}`));
        else resolve(png);
      };
      this.#waiting.set(id, { svg, finish });
      if (this.#waiting.size === 1) this.#watch();
      worker.postMessage({ id, svg });
    });
  }

  #start(): Worker {
    // By its full name, because a build moves this file's code elsewhere.
    const worker = new Worker(import.meta.resolve("@/lib/images/render_worker.ts"), {
      type: "module",
    });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      this.#waiting.get(data.id)?.finish(data);
      this.#waiting.delete(data.id);
      this.#watch();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.close(event.message);
    };
    return worker;
  }

  /** Gives the next picture its time. A worker that needs longer is given up. */
  #watch(): void {
    clearTimeout(this.#timer);
    const [next] = this.#waiting.values();
    if (next === undefined) return;
    this.#timer = setTimeout(() => {
      this.#missed.set(next.svg, (this.#missed.get(next.svg) ?? 0) + 1);
      this.close("passed its deadline");
    }, this.#deadlineMs);
  }
}
