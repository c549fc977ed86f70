import decode, { init } from "@jsquash/webp/decode.js";
import wasm from "@jsquash/webp/codec/dec/webp_dec.wasm" with { type: "bytes" };
import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Eight bits each of red, green, blue and alpha; not interlaced. */
const EIGHT_BIT_RGBA = [8, 6, 0, 0, 0];

let ready: Promise<void> | undefined;

/** Converts a WebP to PNG, which resvg can draw. Rejects a broken or animated one. */
export async function webpToPng(webp: Uint8Array<ArrayBuffer>): Promise<Buffer> {
  await (ready ??= init(new WebAssembly.Module(wasm)));
  const { data, width, height } = await decode(webp.slice().buffer);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(EIGHT_BIT_RGBA, 8);
  // Each row of pixels starts with a zero: no filter.
  const line = width * 4;
  const lines = Buffer.alloc((line + 1) * height);
  for (let y = 0; y < height; y++) {
    lines.set(data.subarray(y * line, (y + 1) * line), y * (line + 1) + 1);
  }
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(lines, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A PNG chunk: length, type, data and checksum. */
function chunk(name: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name), content]);
  const part = Buffer.alloc(body.length + 8);
  part.writeUInt32BE(content.length, 0);
  part.set(body, 4);
  part.writeUInt32BE(crc32(body), body.length + 4);
  return part;
}
