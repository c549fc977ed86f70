// Renders SVG to PNG outside the server's event loop, because an image takes about a tenth of a
// second. Starts with the first image, so its fonts don't slow server startup.
import newsreader from "@expo-google-fonts/newsreader/500Medium/Newsreader_500Medium.ttf" with {
  type: "bytes",
};
import naskhArabic from "@expo-google-fonts/noto-naskh-arabic/500Medium/NotoNaskhArabic_500Medium.ttf" with {
  type: "bytes",
};
import notoSerif from "@expo-google-fonts/noto-serif/500Medium/NotoSerif_500Medium.ttf" with {
  type: "bytes",
};
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import wasm from "@resvg/resvg-wasm/index_bg.wasm" with { type: "bytes" };
import { Buffer } from "node:buffer";
import { webpToPng } from "./webp.ts";

const ready = initWasm(wasm);

/** The fonts that `card.ts` uses. */
const fontBuffers = [newsreader, notoSerif, naskhArabic];

self.onmessage = async ({ data }: MessageEvent<{ id: number; svg: string }>) => {
  const { id, svg } = data;
  try {
    await ready;
    const image = new Resvg(await withPng(svg), { font: { fontBuffers, loadSystemFonts: false } })
      .render();
    const png = image.asPng();
    image.free();
    self.postMessage({ id, png });
  } catch (error) {
    self.postMessage({ id, error: String(error) });
  }
};

/** Replaces a WebP in an SVG with a PNG. Text can't be mistaken for one: its quotes are escaped. */
async function withPng(svg: string): Promise<string> {
  const [link, base64] = /href="data:image\/webp;base64,([^"]*)"/.exec(svg) ?? [];
  if (link === undefined || base64 === undefined) return svg;
  const png = await webpToPng(new Uint8Array(Buffer.from(base64, "base64")));
  return svg.replace(link, `href="data:image/png;base64,${png.toString("base64")}"`);
}
