import { DAY_MS, HOUR_MS, utcDay } from "../clock.ts";
import { requireLive } from "../entries/entries.ts";
import { DomainError } from "../errors.ts";
import { blockedUntil } from "../http/blocks.ts";
import type { Caller } from "../http/caller.ts";
import { isWithin } from "../http/rate_limit.ts";
import { HOLDER_DAY_CAPS, LIMITS } from "../limits.ts";
import { urlIdentity } from "../text/url_identity.ts";
import { outboundUrl, paths } from "../urls.ts";
import type { Deps } from "./deps.ts";
import { listingKeys } from "./keys.ts";
import { getListing } from "./service.ts";

/**
 * Where a visit to a listing leads. Throws `not_found`, even for a listing whose URL is itself such
 * a visit, which could loop.
 */
export async function visitTarget(deps: Deps, slug: string): Promise<string> {
  const { url } = await getListing(deps, slug);
  const visits = urlIdentity(deps.urls.to(paths.go("")));
  if (urlIdentity(url).replace(/\/+/g, "/").startsWith(`${visits}/`)) {
    throw new DomainError("not_found");
  }
  return outboundUrl(url, deps.env.siteSlug);
}

/** One address holder's counted visits to a listing within a day: when (ms), and by whom. */
type Visits = (readonly [at: number, voter: string])[];

/**
 * Counts a visit. Known crawlers and blocked networks do not count. Up to 10 visits count per
 * visitor, listing and rolling hour. Up to 100 count per network or IPv6 /48 in 24 hours, since its
 * visitors can be made up: they weigh less than one network's votes. For all listings together,
 * 1,000 visits from such a network count per clock hour per process. Returns true if it counted.
 * Throws `not_found`.
 */
export async function countVisit(
  deps: Deps,
  options: { slug: string; caller: Caller },
): Promise<boolean> {
  const { slug, caller } = options;
  if (caller.isCrawler || await blockedUntil(deps, caller) !== null) return false;
  const { holder, voter } = caller;
  // Each counted visit is a write, but a GET costs its sender nothing.
  const hour = () => Math.floor(deps.clock.now() / HOUR_MS);
  const counted = () => deps.visits.get(holder, hour()) ?? 0;
  if (counted() >= LIMITS.visitsPerNetworkHour) return false;
  const key = listingKeys.visits(slug, holder);
  const isCounted = await deps.store.transact(async (tx) => {
    const now = deps.clock.now();
    const [visits, record] = await tx.getMany<unknown>([key, listingKeys.one(slug)]);
    requireLive(record!, "listing");
    const recent = ((visits!.value ?? []) as Visits).filter(([at]) => isWithin(DAY_MS, at, now));
    const own = recent.filter(([at, by]) => by === voter && isWithin(HOUR_MS, at, now)).length;
    if (own >= LIMITS.clicksPerVisitorHour) return false;
    if (recent.length >= HOLDER_DAY_CAPS.clicks) return false;
    tx.setExpiring(key, [...recent, [now, voter]] satisfies Visits);
    tx.sum(listingKeys.clicks(slug), 1n);
    tx.sum(listingKeys.clickDay(slug, utcDay(now), caller.visitorClass), 1n);
    tx.pulse({ kind: "click", slug, delta: 1 });
    return true;
  }, { queue: `visit:${slug}:${holder}` });
  if (isCounted) deps.visits.set(holder, counted() + 1, hour());
  return isCounted;
}
