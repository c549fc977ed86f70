import { Lru } from "../cache/lru.ts";

/** How many images stay in memory, at about 20 KB each. */
const CACHE_MAX = 400;

/** How many SVGs that timed out are remembered. */
const MISSED_MAX = 100;

/** How many images may wait for rendering. Further requests get none. */
const WAITING_MAX = 40;

/** How long one image may take, in ms, once the ones before it are done. */
const DEADLINE_MS = 10_000;

/**
 * How long the worker waits for another image, in ms. It takes 70 MB, and starting it takes 0.1 s.
 */
const IDLE_MS = 60_000;

/**
 * How many workers one image may use up. Deno 2.9 can't terminate a worker stuck in a loop, so each
 * could keep a core busy. One may be lost because the whole process froze.
 */
const TRIES_MAX = 2;

interface Answer {
  id: number;
  png?: Uint8Array<ArrayBuffer>;
  error?: string;
}

/**
 * Renders SVG to PNG in one worker, which runs only while images are requested. Each SVG is
 * rendered only once while its image is in memory, even with concurrent requests.
 */
export class ImageRenderer {
  readonly #pictures = new Lru<Promise<Uint8Array<ArrayBuffer>>>({ max: CACHE_MAX });
  readonly #waiting = new Map<number, { svg: string; finish: (answer: Answer) => void }>();
  /** How many times a worker timed out, by SVG. */
  readonly #missed = new Lru<number>({ max: MISSED_MAX });
  readonly #deadlineMs: number;
  readonly #idleMs: number;
  #worker: Worker | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #serial = 0;

  constructor({ deadlineMs = DEADLINE_MS, idleMs = IDLE_MS } = {}) {
    this.#deadlineMs = deadlineMs;
    this.#idleMs = idleMs;
  }

  /**
   * An SVG's PNG; null if too many others are waiting or it timed out before. Rejects if it can't
   * be rendered.
   */
  render(svg: string): Promise<Uint8Array<ArrayBuffer>> | null {
    const known = this.#pictures.get(svg);
    if (known !== undefined) return known;
    if (this.#waiting.size >= WAITING_MAX || this.#isHopeless(svg)) return null;
    const picture = this.#pictures.set(svg, this.#request(svg));
    picture.catch(() => this.#pictures.delete(svg));
    return picture;
  }

  /** Ends the worker and fails pending requests. The next image starts another worker. */
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
    // Named by its full path, because a build moves this file's code elsewhere.
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

  /**
   * Starts the next image's timeout, or that of an idle worker. When it expires, the worker is
   * ended.
   */
  #watch(): void {
    clearTimeout(this.#timer);
    const [next] = this.#waiting.values();
    if (next === undefined) {
      this.#timer = setTimeout(() => this.close(), this.#idleMs);
      return;
    }
    this.#timer = setTimeout(() => {
      this.#missed.set(next.svg, (this.#missed.get(next.svg) ?? 0) + 1);
      this.close("timed out");
    }, this.#deadlineMs);
  }
}
