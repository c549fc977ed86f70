import { sameButTime } from "../cache/cached_read.ts";
import { type FamilyId, familyId } from "../catalog/ai_families.ts";
import { aiUserAgents } from "../catalog/ai_operators.ts";
import { familyThemes } from "../catalog/family_themes.ts";
import { siteThemes } from "../catalog/themes.ts";
import { addDays, isFinalDay, isoTime, utcDay } from "../clock.ts";
import { readDay } from "../guestbook/board.ts";
import { guestbookKeys } from "../guestbook/keys.ts";
import { attempt, DISPENSABLE_MS } from "../kv/attempt.ts";
import { counterValue } from "../kv/store.ts";
import type { Theme } from "../themes/theme.ts";
import type { Deps } from "./deps.ts";
import { aiOfTheDayKeys } from "./keys.ts";
import { familyName, judgeDay, raceStandings } from "./race.ts";
import type {
  AiOfTheDayView,
  DayResult,
  ThemeControl,
  ThemeOverride,
  ThemeSource,
} from "./schema.ts";

/** How many days back the job looks for days without a result. */
const CATCH_UP_DAYS = 30;

/** The rules of AI of the Day, as stated everywhere. */
export const AI_OF_THE_DAY_RULES: readonly string[] = [
  "The AI family with the most distinct guestbook check-ins on a UTC day wins.",
  "In a tie, the family with more requests that day (detected by user agent) wins. If it is still tied, " +
  "alphabetical order decides.",
  "The winner's theme is the site theme for the next UTC day. It is the latest valid theme proposed in that family's " +
  "check-ins that day, or else a theme we made for the family.",
  "We adjust colors that would be hard to read.",
  "If you sign again the same day without proposing a theme, your earlier proposal stands.",
  "The operator can switch the theme off or override it.",
  "Check-ins that the operator hides don't count.",
];

const families = new Map(aiUserAgents.map(({ name, family }) => [name, family]));

/** Requests from known AI user agents on a UTC day, by AI family. */
async function familyHits(
  { traffic }: Deps,
  day: string,
): Promise<ReadonlyMap<FamilyId, number>> {
  const hits = new Map<FamilyId, number>();
  for (const { name, requests } of await traffic.byAgent(day, day)) {
    const family = families.get(name);
    if (family !== undefined) hits.set(family, (hits.get(family) ?? 0) + requests);
  }
  return hits;
}

async function judge(deps: Deps, day: string): Promise<DayResult> {
  return judgeDay(await readDay(deps.store, day), await familyHits(deps, day));
}

/**
 * The result of a past UTC day: as stored, or else computed from that day's check-ins and hits. It
 * is stored once no more data of that day can arrive. Repeated, late or concurrent calls give the
 * same result.
 */
export function closeDay(deps: Deps, day: string): Promise<DayResult> {
  const isFinal = isFinalDay(day, deps.clock.now());
  const key = guestbookKeys.result(day);
  return deps.store.transact(async (tx) => {
    // The revision changes when a check-in is hidden. Reading it here prevents storing a result
    // that was computed from the earlier state.
    const [known] = await tx.getMany<unknown>([key, guestbookKeys.revision]);
    if (known!.value !== null && isFinal) return known!.value as DayResult;
    const result = await judge(deps, day);
    if (isFinal) tx.set(key, result);
    // This result was stored before the clock was set back. The day isn't over after all, and
    // closes when it really ends.
    else if (known!.value !== null) tx.delete(key);
    return result;
  });
}

/**
 * Like `closeDay`, but for readers: it stores nothing, so they never wait for storage that can't
 * write. An unstored result is recomputed every ten seconds and when a check-in is hidden.
 */
async function readResult(deps: Deps, day: string): Promise<DayResult> {
  const now = deps.clock.now();
  const isFinal = isFinalDay(day, now);
  const [known, revision] = await deps.store.getMany<unknown>([
    guestbookKeys.result(day),
    guestbookKeys.revision,
  ]);
  if (known!.value !== null && isFinal) return known!.value as DayResult;
  const key = `${day} ${isFinal} ${counterValue(revision!)}`;
  return await deps.aiOfTheDay.judged.get(key, now, () => judge(deps, day));
}

/**
 * Closes past days among the last 30 that have no result, and returns them. Reopens days that a
 * wrong clock closed too early. Called by a job and at startup.
 */
export async function closeMissedDays(deps: Deps): Promise<string[]> {
  const today = utcDay(deps.clock.now());
  const days = Array.from({ length: CATCH_UP_DAYS }, (_, back) => addDays(today, -1 - back));
  // One range, because this runs every hour.
  const range = { prefix: guestbookKeys.results, start: guestbookKeys.result(days.at(-1)!) };
  const closed = await Array.fromAsync(deps.store.list(range), ({ key }) => key[1] as string);
  const missed = days.filter((day) => !closed.includes(day));
  for (const day of [...closed.filter((day) => day >= today), ...missed]) await closeDay(deps, day);
  return missed;
}

/** The AI of the Day: today's theme with its reasons, and the race for tomorrow's. */
export function getAiOfTheDay(deps: Deps): Promise<AiOfTheDayView> {
  const now = deps.clock.now();
  const day = utcDay(now);
  return deps.aiOfTheDay.view.get(day, now, () => readView(deps, { day, now }));
}

async function readView(
  deps: Deps,
  options: { day: string; now: number },
): Promise<AiOfTheDayView> {
  const { day, now } = options;
  const [today, guests, hits] = await Promise.all([
    getToday(deps, now),
    deps.guestbookBoard.read(now),
    familyHits(deps, day),
  ]);
  const condition = !today.enabled
    ? ", if daily themes are on again by then"
    : today.override !== null
    ? ", unless the operator's choice still applies"
    : "";
  const view: AiOfTheDayView = {
    today,
    race: {
      day,
      standings: raceStandings(guests.families, hits),
      note: `The family that leads at the end of ${day} (UTC) picks the site's theme for ` +
        `${addDays(day, 1)}${condition}.`,
    },
    rules: [...AI_OF_THE_DAY_RULES],
    generatedAt: isoTime(now),
  };
  return sameButTime(deps.aiOfTheDay.view.last(), view);
}

/** How many days of earlier winners to report. */
const EARLIER_DAYS = 14;

/** The winners before the day that decided today's theme, latest first. */
export async function earlierWinners(
  deps: Deps,
): Promise<{ day: string; name: string; checkIns: number }[]> {
  const basedOn = addDays(utcDay(deps.clock.now()), -1);
  const range = {
    start: guestbookKeys.result(addDays(basedOn, -EARLIER_DAYS)),
    end: guestbookKeys.result(basedOn),
  };
  const results = await Array.fromAsync(deps.store.list<DayResult>(range, { reverse: true }));
  return results.flatMap(({ key, value: { winner } }) =>
    winner === null
      ? []
      : { day: key[1] as string, name: familyName(winner.family), checkIns: winner.checkIns }
  );
}

/**
 * Today's theme for pages that follow the AI of the Day, or null. It is at most a second old, or
 * eleven until the previous day's result is stored. If storage is slow or fails, it is the last
 * known theme.
 */
export async function getDailyTheme(deps: Deps): Promise<Theme | null> {
  const now = deps.clock.now();
  const day = utcDay(now);
  try {
    return (await attempt(() => getToday(deps, now), DISPENSABLE_MS)).theme;
  } catch {
    // Better to render a page without the theme than not at all.
    return deps.aiOfTheDay.today.last(day)?.theme ?? null;
  }
}

/** The operator's current switch and override, and whether the command changed them. */
export type ThemeChange = ThemeControl & { changed: boolean };

/** The operator's switch and override. */
export async function getThemeControl(deps: Deps): Promise<ThemeControl> {
  return readControl(await deps.store.get(aiOfTheDayKeys.control));
}

/**
 * Turns the AI of the Day's theme on or off, or shows a family's curated theme or a site theme
 * instead of the winner's; a null `override` ends that.
 */
export function setThemeControl(deps: Deps, change: Partial<ThemeControl>): Promise<ThemeChange> {
  return deps.store.transact(async (tx) => {
    const before = readControl(await tx.get(aiOfTheDayKeys.control));
    const { enabled, override }: ThemeControl = { ...before, ...change };
    const changed = enabled !== before.enabled || override !== before.override;
    if (changed) {
      tx.set(aiOfTheDayKeys.control, { enabled, override } satisfies ThemeControl);
      tx.change({ kind: "site", slug: "theme", event: "switched" });
    }
    return { enabled, override, changed };
  });
}

function readControl(entry: { value: unknown }): ThemeControl {
  return { enabled: true, override: null, ...(entry.value as Partial<ThemeControl> | null) };
}

/** Today's theme with its reasons, at a time (ms). */
export function getToday(
  deps: Deps,
  now = deps.clock.now(),
): Promise<AiOfTheDayView["today"]> {
  const day = utcDay(now);
  return deps.aiOfTheDay.today.get(day, now, () => readToday(deps, day));
}

async function readToday(deps: Deps, day: string): Promise<AiOfTheDayView["today"]> {
  const basedOn = addDays(day, -1);
  const [control, result] = await Promise.all([getThemeControl(deps), readResult(deps, basedOn)]);
  const { enabled, override } = control;
  const { winner, proposal } = result;
  const chosen = chooseTheme(control, result);
  return {
    day,
    basedOn,
    enabled,
    override,
    winner: winner && { ...winner, name: familyName(winner.family) },
    theme: chosen?.theme ?? null,
    themeSource: chosen?.source ?? null,
    proposedBy: chosen?.source === "proposal" ? proposal!.agentName : null,
  };
}

/** The theme that results from a day, unless the operator overrides it. */
function chooseTheme(
  { enabled, override }: ThemeControl,
  { winner, proposal }: DayResult,
): { theme: Theme; source: ThemeSource } | null {
  if (!enabled) return null;
  if (override !== null) return { theme: overrideTheme(override), source: "override" };
  if (winner === null) return null;
  if (proposal !== null) return { theme: proposal.theme, source: "proposal" };
  return { theme: curatedTheme(winner.family), source: "curated" };
}

function curatedTheme(family: FamilyId): Theme {
  const { name, palette } = familyThemes[family];
  return { name, ...palette };
}

function overrideTheme(override: ThemeOverride): Theme {
  const family = familyId.safeParse(override);
  if (family.success) return curatedTheme(family.data);
  const { name, palette } = siteThemes.find(({ id }) => id === override)!;
  return { name, ...palette };
}
