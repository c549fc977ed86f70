/** How many pictures stay in memory; about 20 KB each. */
const CACHE_MAX = 400;

/** How many pictures may wait to be rendered. A further request gets none. */
const WAITING_MAX = 40;

/** How long one picture may take, in ms. */
const DEADLINE_MS = 10_000;

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
  readonly #pictures = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #worker: Worker | undefined;
  #serial = 0;

  /** The PNG of an SVG; null while too many others wait. Rejects when it cannot be rendered. */
  render(svg: string): Promise<Uint8Array<ArrayBuffer>> | null {
    const known = this.#pictures.get(svg);
    if (known !== undefined) {
      this.#pictures.delete(svg);
      this.#pictures.set(svg, known);
      return known;
    }
    if (this.#waiting.size >= WAITING_MAX) return null;
    const picture = this.#request(svg);
    this.#pictures.set(svg, picture);
    picture.catch(() => this.#pictures.delete(svg));
    if (this.#pictures.size > CACHE_MAX) {
      this.#pictures.delete(this.#pictures.keys().next().value!);
    }
    return picture;
  }

  /** Ends the worker. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #request(svg: string): Promise<Uint8Array<ArrayBuffer>> {
    const id = this.#serial++;
    const worker = this.#worker ??= this.#start();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => finish({ id, error: "passed its deadline" }), DEADLINE_MS);
      const finish = ({ png, error }: Answer) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        if (png === undefined) reject(new Error(`Picture not rendered: ${error}`));
        else resolve(png);
      };
      this.#waiting.set(id, finish);
      worker.postMessage({ id, svg });
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./render_worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#waiting.get(data.id)?.(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.close();
      for (const [id, finish] of this.#waiting) finish({ id, error: event.message });
    };
    return worker;
  }
}
