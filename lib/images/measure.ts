/** Reads an image's kind and size from its first bytes. Decodes nothing. */
interface Measured {
  type: "png" | "jpeg" | "gif" | "webp";
  width: number;
  height: number;
}

/** An image's kind and size; null unless it starts like a valid PNG, JPEG, GIF or WebP. */
export function measure(bytes: Uint8Array<ArrayBuffer>): Measured | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return sizeOfPng(view) ?? sizeOfGif(view) ?? sizeOfWebp(view) ?? sizeOfJpeg(view);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function sizeOfPng(view: DataView): Measured | null {
  const isPng = view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a &&
    view.getUint32(12) === 0x49484452;
  return isPng ? { type: "png", width: view.getUint32(16), height: view.getUint32(20) } : null;
}

/** A GIF's first frame has a size of its own, so each side is the larger of the two. */
function sizeOfGif(view: DataView): Measured | null {
  if (view.getUint32(0) !== 0x47494638) return null;
  const flags = view.getUint8(10);
  let at = 13 + colorsIn(flags);
  while (view.getUint8(at) === 0x21) {
    at += 2;
    while (view.getUint8(at) !== 0) at += view.getUint8(at) + 1;
    at++;
  }
  if (view.getUint8(at) !== 0x2c) return null;
  return {
    type: "gif",
    width: Math.max(view.getUint16(6, true), view.getUint16(at + 5, true)),
    height: Math.max(view.getUint16(8, true), view.getUint16(at + 7, true)),
  };
}

/** The size in bytes of the color table that these flags declare. */
function colorsIn(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Lossy, lossless or extended. The last declares its canvas size, which the decoder enforces. */
function sizeOfWebp(view: DataView): Measured | null {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return null;
  const type = "webp";
  const form = view.getUint32(12);
  if (form === 0x56503858) {
    const [width, height] = [23, 26].map((at) => (view.getUint32(at, true) >>> 8) + 1);
    return { type, width: width!, height: height! };
  }
  if (form === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (form !== 0x56503820) return null;
  const [width, height] = [26, 28].map((at) => view.getUint16(at, true) & 0x3fff);
  return { type, width: width!, height: height! };
}

/**
 * Reads all segments up to the image data. Returns null if there are two sizes: a decoder might use
 * either.
 */
function sizeOfJpeg(view: DataView): Measured | null {
  if (view.getUint16(0) !== 0xffd8) return null;
  let size: Measured | null = null;
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xda) return size;
    if (marker < 0xc0 || marker > 0xcf || [0xc4, 0xc8, 0xcc].includes(marker)) continue;
    if (size !== null) return null;
    size = { type: "jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
  return null;
}
