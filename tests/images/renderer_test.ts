import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { delay } from "@/lib/clock.ts";
import { ImageRenderer } from "@/lib/images/renderer.ts";

const svg = (n: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><title>${n}</title></svg>`;
const PNG = [0x89, 0x50, 0x4e, 0x47];

Deno.test("up to 40 pictures can wait; more are refused, but ones already waiting aren't", async () => {
  const images = new ImageRenderer();
  const waiting = Array.from({ length: 40 }, (_, n) => images.render(svg(n)));
  assertEquals(images.render(svg(40)), null);
  assertStrictEquals(images.render(svg(7)), waiting[7]!);
  for (const png of await Promise.all(waiting)) assertEquals([...png!.slice(0, 4)], PNG);
  assert(await images.render(svg(40)) !== null);
  images.close();
});

Deno.test("an invalid picture is retried on each request, and doesn't affect others", async () => {
  const images = new ImageRenderer();
  const first = images.render("<svg")!;
  await assertRejects(() => first, Error, "Picture not rendered");
  const second = images.render("<svg")!;
  assert(second !== first);
  await assertRejects(() => second, Error, "Picture not rendered");
  assert(await images.render(svg(0)) !== null);
  images.close();
});

Deno.test("the 400 most recently requested pictures are cached", async () => {
  const images = new ImageRenderer();
  const first = images.render(svg(0));
  const second = images.render(svg(1));
  await second;
  for (let n = 2; n <= 401; n++) {
    await images.render(svg(n));
    if (n % 100 === 0) assertStrictEquals(images.render(svg(0)), first);
  }
  assert(images.render(svg(1)) !== second);
  await images.render(svg(1));
  images.close();
});

/** Replaces the worker by one that responds only to what `answers` accepts. */
async function withWorkers(
  answers: (svg: string) => boolean,
  run: (workers: { isEnded: boolean }[]) => Promise<void>,
): Promise<void> {
  const { Worker } = globalThis;
  const workers: Double[] = [];
  class Double {
    isEnded = false;
    onmessage?: (event: { data: { id: number; png: Uint8Array } }) => void;
    constructor() {
      workers.push(this);
    }
    postMessage({ id, svg }: { id: number; svg: string }) {
      const data = { id, png: Uint8Array.from(PNG) };
      if (answers(svg)) queueMicrotask(() => this.onmessage!({ data }));
    }
    terminate() {
      this.isEnded = true;
    }
  }
  globalThis.Worker = Double as unknown as typeof Worker;
  try {
    await run(workers);
  } finally {
    globalThis.Worker = Worker;
  }
}

Deno.test("an idle worker ends, and the next picture starts another", () =>
  withWorkers(() => true, async (workers) => {
    const images = new ImageRenderer({ idleMs: 1 });
    await images.render(svg(0));
    while (!workers[0]!.isEnded) await delay(1);
    await images.render(svg(1));
    assertEquals(workers.map(({ isEnded }) => isEnded), [true, false]);
    images.close();
  }));

Deno.test("a worker that misses a deadline is replaced, and a picture that misses it twice is given up", () =>
  withWorkers(() => false, async (workers) => {
    const images = new ImageRenderer({ deadlineMs: 1 });
    for (let time = 0; time < 2; time++) {
      const two = [images.render(svg(0))!, images.render(svg(time + 1))!];
      for (const picture of two) await assertRejects(() => picture, Error, "timed out");
    }
    assertEquals(workers.map(({ isEnded }) => isEnded), [true, true]);
    assertEquals(images.render(svg(0)), null);
    // This one was only waiting behind the other.
    await assertRejects(() => images.render(svg(1))!, Error, "timed out");
  }));

Deno.test("a picture rendered in time doesn't count as late, however long the next one takes", () =>
  withWorkers((text) => text !== svg(1), async (workers) => {
    const images = new ImageRenderer({ deadlineMs: 1 });
    for (let time = 0; time < 2; time++) {
      const [done, late] = [images.render(svg(0))!, images.render(svg(1))!];
      assertEquals([...await done], PNG);
      await assertRejects(() => late, Error, "timed out");
    }
    assertEquals(images.render(svg(1)), null);
    assertEquals([...await images.render(svg(2))!], PNG);
    assertEquals(workers.length, 3);
    images.close();
  }));
