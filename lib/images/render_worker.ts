// Renders SVG to PNG outside the server's event loop, because a picture takes about a tenth of a
// second.
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import wasm from "@resvg/resvg-wasm/index_bg.wasm" with { type: "bytes" };
import font from "../../static/fonts/newsreader-500.woff2" with { type: "bytes" };

const ready = initWasm(wasm);

self.onmessage = async ({ data }: MessageEvent<{ id: number; svg: string }>) => {
  const { id, svg } = data;
  try {
    await ready;
    const image = new Resvg(svg, {
      font: { fontBuffers: [font], loadSystemFonts: false, defaultFontFamily: "Newsreader" },
    }).render();
    const png = image.asPng();
    image.free();
    self.postMessage({ id, png });
  } catch (error) {
    self.postMessage({ id, error: String(error) });
  }
};
