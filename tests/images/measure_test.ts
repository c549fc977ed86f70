import { assertEquals } from "@std/assert";
import { measure } from "@/lib/images/measure.ts";
import { GIF, JPEG, pngOf, WEBP } from "../support/pictures.ts";

const SOF = JPEG.findIndex((byte, i) => byte === 0xff && JPEG[i + 1] === 0xc0);

/** A copy of a file with some bytes overwritten. */
function changed(file: Uint8Array<ArrayBuffer>, at: number, bytes: number[]) {
  const copy = file.slice();
  copy.set(bytes, at);
  return copy;
}

Deno.test("measure reads the size of a PNG, JPEG, GIF or WebP", async () => {
  assertEquals(measure(await pngOf(30, 17)), { type: "png", width: 30, height: 17 });
  assertEquals(measure(JPEG), { type: "jpeg", width: 40, height: 20 });
  assertEquals(measure(GIF), { type: "gif", width: 20, height: 16 });
  for (const webp of Object.values(WEBP)) {
    assertEquals(measure(webp), { type: "webp", width: 40, height: 20 });
  }
});

Deno.test("measure returns the size that a decoder would allocate", async () => {
  const png = changed(await pngOf(1, 1), 16, [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
  assertEquals(measure(png), { type: "png", width: 30_000, height: 30_000 });
  const jpeg = changed(JPEG, SOF + 5, [0xff, 0xff, 0xff, 0xff]);
  assertEquals(measure(jpeg), { type: "jpeg", width: 65_535, height: 65_535 });
  // A GIF's screen may be smaller than its image.
  const frame = GIF.indexOf(0x2c, 13 + 12);
  const gif = changed(GIF, frame + 5, [0xff, 0xff, 0xff, 0xff]);
  assertEquals(measure(gif), { type: "gif", width: 65_535, height: 65_535 });
});

Deno.test("measure returns null for two sizes, none, or unknown formats", () => {
  const frame = JPEG.slice(SOF, SOF + 2 + 17);
  const twice = new Uint8Array([...JPEG.slice(0, SOF), ...frame, ...JPEG.slice(SOF)]);
  const none = new Uint8Array([...JPEG.slice(0, SOF), ...JPEG.slice(SOF + 2 + 17)]);
  for (const file of [twice, none]) assertEquals(measure(file), null);
  for (
    const text of [
      "",
      "x",
      "<svg xmlns='http://www.w3.org/2000/svg'/>",
      "<!doctype html>",
      "GIF89a",
    ]
  ) assertEquals(measure(new TextEncoder().encode(text)), null, text);
});

Deno.test("measure returns null or the right size for a truncated file, and accepts garbage", async () => {
  for (const file of [await pngOf(20, 20), JPEG, GIF, ...Object.values(WEBP)]) {
    for (let length = 0; length < Math.min(file.length, 700); length++) {
      const size = measure(file.slice(0, length));
      if (size !== null) assertEquals(size, measure(file), `${length}`);
    }
    for (const byte of [0, 0x21, 0xff]) {
      const filled = new Uint8Array(file.length + 1000).fill(byte);
      filled.set(file.slice(0, 14));
      measure(filled);
    }
  }
});
