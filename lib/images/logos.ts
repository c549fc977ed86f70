/** Copies listings' logos: fetches and checks them, and redraws them at a small size. */
import { Buffer } from "node:buffer";
import { CLOCK_SKEW_MS, DAY_MS } from "../clock.ts";
import type { Core } from "../core.ts";
import type { Fetcher, Fetching } from "../fetching/fetcher.ts";
import { FETCHED_MAX } from "../fetching/schema.ts";
import { listingKeys } from "../listings/keys.ts";
import { keepLogo, type LogoJob, logoVersion, readLogo } from "../listings/logo.ts";
import type { StoredListing } from "../listings/schema.ts";
import { errorFields } from "../log.ts";
import { measure } from "./measure.ts";
import { ImageRenderer } from "./renderer.ts";

/** How many logos one run copies. */
const LOGOS_A_RUN = 20;
/** The delay (ms) before a retry after each failure. After a third failure it gives up. */
const PAUSES_MS = [DAY_MS, 7 * DAY_MS];
const LONGEST_PAUSE_MS = Math.max(...PAUSES_MS);
/** The width and height of a copy: twice that of a tile in lists, for high-density screens. */
const SIZE = 96;
/**
 * The longest and shortest allowed side of a logo, in pixels. Larger images take too much memory,
 * and smaller ones are not logos.
 */
const SIDE_MAX = 2048;
const SIDE_MIN = 16;

type Deps = Core & Fetching;

/** Copies the logos that are due. Returns false if there was nothing to do. */
export async function copyLogos(deps: Deps, now: number): Promise<boolean> {
  const { store, fetcher } = deps;
  if (fetcher === null) return false;
  const prefix = listingKeys.logoJobs;
  const ranges = [
    { prefix, end: listingKeys.logoJob(now + 1, "") },
    // No retry is set this late: the clock was set back since.
    { prefix, start: listingKeys.logoJob(now + LONGEST_PAUSE_MS + CLOCK_SKEW_MS + 1, "") },
  ];
  const due: Deno.KvEntry<LogoJob>[] = [];
  for (const range of ranges) {
    for await (const job of store.list<LogoJob>(range, { limit: LOGOS_A_RUN })) due.push(job);
  }
  for (const job of due.slice(0, LOGOS_A_RUN)) await copyLogo(deps, fetcher, job, now);
  return due.length > 0;
}

async function copyLogo(
  deps: Deps,
  fetcher: Fetcher,
  { key, value: { failures } }: Deno.KvEntry<LogoJob>,
  now: number,
): Promise<void> {
  const { store } = deps;
  const slug = key[2] as string;
  const record = listingKeys.one(slug);
  const listing = (await store.get<StoredListing>(record)).value;
  const logoUrl = listing?.logoUrl ?? null;
  const isWanted = logoUrl !== null && await readLogo(store, slug) === null;
  const png = isWanted ? await fetchLogo(deps, fetcher, logoUrl) : null;
  await store.transact(async (tx) => {
    // Another process may have failed too, and set when to retry.
    const isOpen = (await tx.get(key)).value !== null;
    tx.delete(key);
    // A new logo means a new job.
    if (!isWanted || (await tx.get<StoredListing>(record)).value?.logoUrl !== logoUrl) return;
    if (png && await keepLogo(tx, slug, { version: logoVersion(logoUrl), png })) return;
    const pause = PAUSES_MS[failures];
    if (isOpen && pause !== undefined) {
      tx.set(listingKeys.logoJob(now + pause, slug), { failures: failures + 1 });
    }
  });
}

/** A small copy of the logo at an address; null if it can't be shown. */
async function fetchLogo(
  { log }: Deps,
  fetcher: Fetcher,
  logoUrl: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const fetched = await fetcher.get(logoUrl, { isPicture: true });
  if (!fetched.ok || fetched.status !== 200 || fetched.body === null) return null;
  const bytes = new Uint8Array(Buffer.from(fetched.body, "base64"));
  // A file this long was cut off.
  if (bytes.length >= FETCHED_MAX) return null;
  return await shrunk(bytes).catch((error) => {
    log.info("logo_not_drawn", errorFields(error));
    return null;
  });
}

/** Redraws an image so that nothing of the file itself is passed on; null if it can't be drawn. */
async function shrunk(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const measured = measure(bytes);
  if (measured === null) return null;
  const { type, width, height } = measured;
  if (Math.max(width, height) > SIDE_MAX || Math.min(width, height) < SIDE_MIN) return null;
  // A separate worker, so that a file that crashes it breaks nothing else.
  const images = new ImageRenderer();
  try {
    let size = SIZE;
    while (size * 2 <= Math.max(width, height)) size *= 2;
    let png = await images.render(pictureSvg(size, type, bytes));
    // Halve it repeatedly, because shrinking an image a lot in one step loses its fine lines.
    for (; size > SIZE && png !== null; size /= 2) {
      png = await images.render(pictureSvg(size / 2, "png", png));
    }
    // An image that can't be decoded renders blank, and white on white can't be seen.
    const blank = await images.render(onWhite(SIZE, ""));
    return png && blank && !Buffer.from(png).equals(blank) ? png : null;
  } finally {
    images.close();
  }
}

/** An image on white, complete and centered in a square. */
function pictureSvg(size: number, type: string, bytes: Uint8Array<ArrayBuffer>): string {
  return onWhite(
    size,
    `<image width="${size}" height="${size}" ` +
      `href="data:image/${type};base64,${Buffer.from(bytes).toString("base64")}"/>`,
  );
}

function onWhite(size: number, drawn: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">` +
    `<rect width="${size}" height="${size}" fill="#fff"/>${drawn}</svg>`;
}
