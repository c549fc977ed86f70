import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { ImageRenderer } from "@/lib/images/renderer.ts";

const svg = (n: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><title>${n}</title></svg>`;
const PNG = [0x89, 0x50, 0x4e, 0x47];

async function withRenderer(run: (images: ImageRenderer) => Promise<void>): Promise<void> {
  const images = new ImageRenderer();
  try {
    await run(images);
  } finally {
    images.close();
  }
}

Deno.test("40 pictures may wait; a further one is refused, one that waits already is not", () =>
  withRenderer(async (images) => {
    const waiting = Array.from({ length: 40 }, (_, n) => images.render(svg(n)));
    assertEquals(images.render(svg(40)), null);
    assertStrictEquals(images.render(svg(7)), waiting[7]!);
    for (const png of await Promise.all(waiting)) assertEquals([...png!.slice(0, 4)], PNG);
    assert(await images.render(svg(40)) !== null);
  }));

Deno.test("what is no picture is tried anew each time, and spoils no other", () =>
  withRenderer(async (images) => {
    const first = images.render("<svg")!;
    await assertRejects(() => first, Error, "Picture not rendered");
    const second = images.render("<svg")!;
    assert(second !== first);
    await assertRejects(() => second, Error, "Picture not rendered");
    assert(await images.render(svg(0)) !== null);
  }));

Deno.test("the 400 pictures that were asked for last are kept", () =>
  withRenderer(async (images) => {
    const made: unknown[] = [];
    for (let n = 0; n < 400; n++) {
      made.push(images.render(svg(n)));
      await made[n];
    }
    assertStrictEquals(images.render(svg(0)), made[0]);
    await images.render(svg(400));
    assertStrictEquals(images.render(svg(0)), made[0]);
    assert(images.render(svg(1)) !== made[1]);
    await images.render(svg(1));
  }));

Deno.test("a worker that is not done with a picture in time is ended, the next one starts another, and that one is not tried again", async () => {
  const { Worker } = globalThis;
  const workers: Silent[] = [];
  class Silent extends EventTarget {
    isEnded = false;
    constructor() {
      super();
      workers.push(this);
    }
    postMessage() {}
    terminate() {
      this.isEnded = true;
    }
  }
  globalThis.Worker = Silent as unknown as typeof Worker;
  try {
    const images = new ImageRenderer({ deadlineMs: 1 });
    for (const n of [0, 1]) {
      const two = [images.render(svg(n))!, images.render(svg(n + 2))!];
      for (const picture of two) await assertRejects(() => picture, Error, "passed its deadline");
    }
    assertEquals(workers.map(({ isEnded }) => isEnded), [true, true]);
    assertEquals([images.render(svg(0)), images.render(svg(1))], [null, null]);
    // It only waited behind the other.
    await assertRejects(() => images.render(svg(2))!, Error, "passed its deadline");
  } finally {
    globalThis.Worker = Worker;
  }
});
