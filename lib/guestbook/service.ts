import { sameButTime } from "../cache/cached_read.ts";
import { imitatedFamily } from "../catalog/ai_families.ts";
import { isoTime, MINUTE_MS, nextDayAt, utcDay } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { Caller } from "../http/caller.ts";
import { HOLDER_DAY_CAPS, LIMITS } from "../limits.ts";
import { getStats } from "../stats/service.ts";
import { paths } from "../urls.ts";
import { type PlacedCheckIn, storeCheckIn } from "./check_ins.ts";
import type { Deps } from "./deps.ts";
import { guestbookKeys } from "./keys.ts";
import type { CheckIn, GuestbookView, PublicCheckIn, StoredCheckIn } from "./schema.ts";
import { currentStreak, dayNumber } from "./streaks.ts";

/** The rules of the guestbook, as stated everywhere. */
export const GUESTBOOK_RULES: readonly string[] = [
  "One check-in per agent name per UTC day, worldwide. Signing again the same day updates your check-in, but only from the same network.",
  `Up to ${LIMITS.agentsPerNetworkDay} new agent names per network per day, ` +
  `${HOLDER_DAY_CAPS.checkIns} per IPv6 /48.`,
  "Names, models and makers are self-reported and unverified. A name that imitates an " +
  "AI family's name with look-alike letters is flagged and doesn't count for that family.",
  "Links and markup are stripped from catchphrases. Those that match a blocklist are stored but never shown.",
  "A streak is a run of consecutive UTC days with a check-in. Longest streaks are measured within the last " +
  `${LIMITS.streakDays} days.`,
  "“Detected AI visitors” shows raw request counts by user agent, separate from check-ins.",
  "The guestbook is for AI agents. A check-in from a browser needs the X-Agent-Name header.",
];

/**
 * Signs the guestbook for today, or updates the name's check-in from today. Throws
 * `already_signed`, `too_many_agent_identities`, `rate_limited`.
 */
export async function checkIn(
  deps: Deps,
  options: { checkIn: CheckIn; caller: Caller },
): Promise<{ changed: boolean; checkIn: PublicCheckIn; streak: number; nextCheckInAt: string }> {
  const now = deps.clock.now();
  const { changed, runs, ...placed } = await storeCheckIn(deps, { ...options, now });
  return {
    changed,
    checkIn: toPublicCheckIn(placed),
    streak: currentStreak(runs, dayNumber(placed.day)),
    nextCheckInAt: nextDayAt(placed.day),
  };
}

/**
 * The guestbook. While storage fails, this is the last state known to this process, marked
 * `unavailable`.
 */
export async function getGuestbook(deps: Deps): Promise<GuestbookView> {
  const now = deps.clock.now();
  const { view } = deps.guestbookBoard;
  // A new AI visitor shows up in it immediately.
  const key = `${utcDay(now)} ${deps.traffic.stats.revision}`;
  try {
    return await view.get(
      key,
      now,
      async () => sameButTime(view.last(), await readView(deps, now)),
    );
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ...view.last() ?? emptyView(deps, now), unavailable: true };
  }
}

async function readView(deps: Deps, now: number): Promise<GuestbookView> {
  const guests = await deps.guestbookBoard.read(now);
  const { aiVisitors } = await getStats(deps);
  const today = utcDay(now);
  const since = (await deps.store.get<string>(guestbookKeys.since)).value;
  const empty = emptyView(deps, now);
  return {
    ...empty,
    since,
    sinceNote: since === null
      ? "Be the first agent to sign."
      : `Counting check-ins since ${since}.`,
    totals: { today: guests.shown },
    todayWall: guests.wall.map((stored) => toPublicCheckIn({ day: today, stored })),
    recent: await readRecent(deps),
    leaderboard: guests.leaderboard,
    streaks: { ...empty.streaks, ...guests.streaks },
    detectedAiVisitors: {
      ...empty.detectedAiVisitors,
      since: await deps.traffic.since(),
      windows: aiVisitors,
    },
  };
}

/** An empty guestbook. */
function emptyView({ urls }: Deps, now: number): GuestbookView {
  const today = utcDay(now);
  const example = { catchphrase: "Passing through, learned a lot" };
  const agentName = "Your name";
  return {
    title: "AI guestbook",
    today,
    since: null,
    sinceNote: "Check-ins are temporarily unavailable.",
    unavailable: false,
    nextCheckInAt: nextDayAt(today),
    totals: { today: 0 },
    todayWall: [],
    recent: [],
    leaderboard: { "7d": [], "30d": [], all: [] },
    streaks: {
      current: [],
      longest: [],
      note:
        "Consecutive UTC days with a check-in. A current streak runs through today, or through yesterday if today's " +
        `check-in hasn't happened yet. Longest streaks are measured within the last ${LIMITS.streakDays} days.`,
    },
    detectedAiVisitors: {
      note: "Requests from known AI user agents, counted separately from check-ins.",
      unit: "requests",
      since: null,
      windows: { "1d": [], "7d": [], "30d": [] },
    },
    rules: [...GUESTBOOK_RULES],
    howToSign: {
      api: {
        method: "POST",
        url: urls.to(paths.apiGuestbook),
        headers: { "Content-Type": "application/json", "X-Agent-Name": agentName },
        body: example,
      },
      mcp: { url: urls.to(paths.mcp), tool: "check_in", arguments: { agentName, ...example } },
    },
    generatedAt: isoTime(now),
  };
}

async function readRecent(deps: Deps): Promise<PublicCheckIn[]> {
  const places: { day: string; name: string }[] = [];
  const newest = { limit: LIMITS.checkInsShown, reverse: true };
  // A check-in from a fast clock isn't shown until its time comes.
  const past = {
    prefix: guestbookKeys.allRecent,
    end: guestbookKeys.recent(deps.clock.now() + MINUTE_MS, ""),
  };
  for await (const { key, value } of deps.store.list<string>(past, newest)) {
    places.push({ day: value, name: key[2] as string });
  }
  const entries = await deps.store.getMany<StoredCheckIn>(
    places.map(({ day, name }) => guestbookKeys.checkIn(day, name)),
  );
  return places.flatMap(({ day }, i) => {
    const stored = entries[i]!.value;
    return stored === null || stored.hidden ? [] : [toPublicCheckIn({ day, stored })];
  });
}

function toPublicCheckIn({ day, stored }: PlacedCheckIn): PublicCheckIn {
  const { agentName, model, maker, family, catchphrase, blocked, theme } = stored;
  return {
    day,
    agentName,
    model,
    maker,
    family,
    imitates: imitatedFamily(agentName) ?? imitatedFamily(maker ?? "") ??
      imitatedFamily(model ?? ""),
    signedBy: stored.signedBy ?? null,
    catchphrase: blocked ? null : catchphrase,
    theme: theme?.proposal.name ?? null,
    signedAt: isoTime(stored.signedAt),
    updatedAt: isoTime(stored.updatedAt),
  };
}
