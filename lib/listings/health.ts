/** A listing's link health, as stored and shown. It never hides or reorders listings. */
import { z } from "zod";
import { isoTime } from "../clock.ts";

/** The result of checking a link. */
const Seen = z.enum(["alive", "moved", "gated", "gone", "unreachable", "unknown"]);
export type Seen = z.output<typeof Seen>;

/** The same, or that the owner opted out. */
export const HealthState = z.enum([...Seen.options, "not_checked"]).meta({
  id: "LinkState",
  description:
    "moved: a permanent redirect. gated: needs a login or blocks bots. gone: 404 or 410. " +
    "unknown: not checked yet, or blocked by robots.txt. not_checked: the owner opted out",
});
export type HealthState = z.output<typeof HealthState>;

/** How many checks in a row must fail, a day apart, before a link shows as gone or unreachable. */
const FAILURES_SHOWN = 3;

/** What is stored about a listing's link. */
export interface StoredHealth {
  /** The URL that was checked. The result says nothing about the next URL. */
  url: string;
  /** What is shown, since when (ms), and when a check last found it; null if none has yet. */
  state: Seen;
  since: number | null;
  checkedAt: number | null;
  /** The last check (ms), whatever it found, and how many failed in a row. */
  lookedAt: number;
  failures: number;
}

/** The part that the catalogue keeps. */
export type Health = Readonly<
  Pick<StoredHealth, "since" | "checkedAt" | "lookedAt"> & { state: HealthState }
>;

/** For a link not checked yet, and for one whose owner opted out. */
export const UNSEEN: Health = { state: "unknown", since: null, checkedAt: null, lookedAt: 0 };
const NOT_CHECKED: Health = { ...UNSEEN, state: "not_checked" };

/** A listing's health, from what is stored about its link. */
export function healthOf(
  { url, linkCheck }: { url: string; linkCheck?: "off" | null },
  stored: StoredHealth | null,
): Health {
  if (linkCheck === "off") return NOT_CHECKED;
  if (stored?.url !== url) return UNSEEN;
  const { state, since, checkedAt, lookedAt } = stored;
  return { state, since, checkedAt, lookedAt };
}

/** What to store after checking a URL. */
export function afterLook(
  before: StoredHealth | null,
  { url, seen, now }: { url: string; seen: Seen; now: number },
): StoredHealth {
  const known = before?.url === url ? before : null;
  const failures = seen === "gone" || seen === "unreachable" ? (known?.failures ?? 0) + 1 : 0;
  const { state = "unknown", since = null, checkedAt = null } = known ?? {};
  const isShown = failures === 0 || failures >= FAILURES_SHOWN;
  if (!isShown) return { url, state, since, checkedAt, lookedAt: now, failures };
  const isNew = state !== seen || since === null;
  return { url, state: seen, since: isNew ? now : since, checkedAt: now, lookedAt: now, failures };
}

/** Link health as listings show it. */
export const PublicHealth = z.object({
  state: HealthState,
  since: z.iso.datetime().nullable().describe("When this was first seen"),
  checkedAt: z.iso.datetime().nullable().describe("When this was last confirmed"),
}).meta({ id: "LinkHealth", description: "Whether the link works" });

/** The public form of link health. */
export function publicHealth({ state, since, checkedAt }: Health): z.output<typeof PublicHealth> {
  return {
    state,
    since: since === null ? null : isoTime(since),
    checkedAt: checkedAt === null ? null : isoTime(checkedAt),
  };
}
