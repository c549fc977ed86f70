/** A plausible bug, and the tests that must catch it. */
interface Mutation {
  /** What is wrong, in a few words. */
  what: string;
  file: string;
  /** Code that occurs once in the file, and its replacement. */
  find: string;
  replace: string;
  /** Test files, at least one of which must fail. */
  tests: string[];
}

const store = "lib/kv/store.ts";
const commit = "lib/kv/commit.ts";
const votes = "lib/votes/service.ts";
const listings = "lib/listings/service.ts";
const storeTests = [
  "tests/fault/consistency/store_faults_test.ts",
  "tests/fault/kv_connect_test.ts",
  "tests/kv/",
];
const raceTests = ["tests/fault/consistency/races_test.ts", "tests/listings/"];
const moneyTests = [
  "tests/payments/",
  "tests/auctions/",
  "tests/promotions/",
  "tests/fault/money_lives_test.ts",
];

/** The planted bugs of the mutation run: dropped checks, swapped orders, skipped de-duplication. */
export const mutations: readonly Mutation[] = [
  {
    what: "a commit with an unknown outcome counts as failed without a check",
    file: commit,
    find: 'if (unknown && await this.#settle(sealed) === "landed") return "earlier";',
    replace: "",
    tests: storeTests,
  },
  {
    what: "a commit with an unknown outcome isn't voided",
    file: commit,
    find: 'if ((await this.options.asker.ask(() => operation.commit())).ok) return "void";',
    replace: "void operation;",
    tests: storeTests,
  },
  {
    what: "an unknown outcome is forgotten once a retry is refused",
    file: commit,
    find: "const state = unknown ? await this.#settle(sealed) : await this.#state(sealed.marker);",
    replace: 'const state: MarkerState = "void";',
    tests: storeTests,
  },
  {
    what: "a failed commit isn't retried",
    file: commit,
    find: "if (!isLocked(error)) unknown = true;",
    replace: "throw unavailable(error);",
    tests: storeTests,
  },
  {
    what: "transactions don't check what they read",
    file: "lib/kv/tx.ts",
    find: "    if (use.versionstamp === undefined) use.versionstamp = versionstamp;\n",
    replace: "    void [use, versionstamp];\n",
    tests: [...storeTests, ...raceTests],
  },
  {
    what: "a queue runs all its transactions at once",
    file: store,
    find: "before === undefined ? run() : before.then(run, run)",
    replace: "run()",
    tests: storeTests,
  },
  {
    what: "only a group's last addition to a counter counts",
    file: "lib/kv/group_commit.ts",
    find: "other === undefined ? use : { ...other, sum: other.sum + use.sum }",
    replace: "use",
    tests: storeTests,
  },
  {
    what: "a group checks a key once, even if its members read different versions",
    file: "lib/kv/group_commit.ts",
    find: " || a.versionstamp !== b.versionstamp) return false;",
    replace: ") return false;",
    tests: storeTests,
  },
  {
    what: "the log is read for other processes' entries during this process's own commits",
    file: "lib/kv/group_commit.ts",
    find: "      this.#reads.push(resolve);\n",
    replace: "      resolve();\n",
    tests: storeTests,
  },
  {
    what: "a commit that is no longer waited for counts as finished",
    file: "lib/kv/group_commit.ts",
    find: "  underWay.add(commit);\n",
    replace: "",
    tests: storeTests,
  },
  {
    what: "a commit that lands while its marker is read counts as void",
    file: commit,
    find: "if (isOver && tries >= VOID_TRIES)",
    replace: "if (underWay.size === 0 && tries >= VOID_TRIES)",
    tests: storeTests,
  },
  {
    what: "a repeated vote counts again",
    file: votes,
    find: "if ((vote!.value !== null) === voted) return false;",
    replace: "",
    tests: raceTests,
  },
  {
    what: "removing a vote adds one",
    file: votes,
    find: 'const way = voted ? "up" : "down";',
    replace: 'const way = "up";',
    tests: raceTests,
  },
  {
    what: "a vote action that changes nothing is free",
    file: votes,
    find: "spendWindow(tx, window!, { bucket, now });",
    replace: "if ((vote!.value !== null) !== voted) " +
      "spendWindow(tx, window!, { bucket, now });",
    tests: raceTests,
  },
  {
    what: "a network has any number of voters",
    file: votes,
    find: 'if (ofNetwork >= LIMITS.votersPerNetworkDay) return "network";',
    replace: "",
    tests: raceTests,
  },
  {
    what: "a rate limit allows one request too many",
    file: "lib/http/rate_limit.ts",
    find: "if (recent.length >= limit) throw rateLimited(",
    replace: "if (recent.length > limit) throw rateLimited(",
    tests: raceTests,
  },
  {
    what: "a rate limit's window never expires",
    file: "lib/http/rate_limit.ts",
    find: "const recent = (window ?? []).filter((at) => isWithin(HOUR_MS, at, now));",
    replace: "const recent = window ?? [];",
    tests: raceTests,
  },
  {
    what: "an edit keeps the old URL",
    file: listings,
    find: "      await releaseUrl(tx, before);\n",
    replace: "",
    tests: raceTests,
  },
  {
    what: "a submission doesn't check whether its URL is taken",
    file: "lib/entries/submission.ts",
    find: "requireFree(kind, held!);\n    const slug",
    replace: "const slug",
    tests: raceTests,
  },
  {
    what: "hiding a listing doesn't cancel its renewals",
    file: "lib/operator/listings.ts",
    find: "await cancelRenewals(tx, slug);",
    replace: "",
    tests: ["tests/operator/", "tests/payments/"],
  },
  {
    what: "any edit key works",
    file: "lib/entries/edit_key.ts",
    find: 'if (isRight && value.state !== "hidden") return;',
    replace: 'if (value.state !== "hidden") return;',
    tests: ["tests/entries/"],
  },
  {
    what: "the leftmost forwarded address is trusted",
    file: "lib/http/address.ts",
    find: "hops[hops.length - trustedProxies]",
    replace: "hops[0]",
    tests: ["tests/security/headers_test.ts", "tests/http/"],
  },
  {
    what: "pages on sibling domains can write",
    file: "lib/http/origin.ts",
    find: 'site !== "same-origin" &&',
    replace: 'site !== "same-origin" && site !== "same-site" &&',
    tests: ["tests/security/cross_site_test.ts"],
  },
  {
    what: "HEAD counts as a visit",
    file: "routes/go/[slug].ts",
    find: 'if (method !== "HEAD" && !isPrefetch && !isEmbedded) {',
    replace: "if (!isPrefetch && !isEmbedded) {",
    tests: ["tests/listings/visits_test.ts"],
  },
  {
    what: "a replaced ballot keeps its old vote",
    file: "lib/poll/ballots.ts",
    find: 'if (earlier !== null) tx.sum(tally(earlier, "down"), 1n);',
    replace: "",
    tests: ["tests/poll/"],
  },
  {
    what: "a network has any number of agent identities",
    file: "lib/http/day_caps.ts",
    find: "if (known.length >= LIMITS.agentsPerNetworkDay) {",
    replace: "if (known.length < 0) {",
    tests: ["tests/poll/", "tests/guestbook/"],
  },
  {
    what: "any network can sign again with the same name",
    file: "lib/guestbook/check_ins.ts",
    find:
      'if (earlier !== null && earlier.network !== signer) throw new DomainError("already_signed");',
    replace: "",
    tests: ["tests/guestbook/"],
  },
  {
    what: "ties go to the alphabetically last family",
    file: "lib/ai_of_the_day/race.ts",
    find: "(a.family < b.family ? -1 : 1)",
    replace: "(a.family < b.family ? 1 : -1)",
    tests: ["tests/ai_of_the_day/"],
  },
  {
    what: "hidden check-ins count in the race",
    file: "lib/ai_of_the_day/race.ts",
    find: "if (!hidden) counts.set",
    replace: "if (hidden || !hidden) counts.set",
    tests: ["tests/ai_of_the_day/"],
  },
  {
    what: "a payment reported twice is granted twice",
    file: "lib/promotions/grants.ts",
    find: "if (granted!.value !== null) return false;",
    replace: "",
    tests: moneyTests,
  },
  {
    what: "a payment of the wrong amount is accepted",
    file: "lib/payments/events.ts",
    find: "session.amount_total === checkout.totalCents &&",
    replace: "",
    tests: moneyTests,
  },
  {
    what: "a bid below the minimum takes the lead",
    file: "lib/auctions/bids.ts",
    find: "bid.amountCents >= minimumOf(auction) && isLive",
    replace: "isLive",
    tests: moneyTests,
  },
  {
    what: "a bid after the close takes the lead",
    file: "lib/auctions/bids.ts",
    find: 'const leads = status === "open" && ',
    replace: "const leads = ",
    tests: moneyTests,
  },
  {
    what: "the 5% increment is rounded down",
    file: "lib/auctions/calendar.ts",
    find: "Math.ceil((highCents * 5) / 100)",
    replace: "Math.floor((highCents * 5) / 100)",
    tests: moneyTests,
  },
  {
    what: "late bids extend the close without limit",
    file: "lib/auctions/calendar.ts",
    find: "return Math.min(closesAt + SOFT_CLOSE_MS, Math.max(closesAt, dates.latestCloseAt));",
    replace: "return closesAt + SOFT_CLOSE_MS;",
    tests: moneyTests,
  },
  {
    what: "an invoice grants an order that doesn't renew",
    file: "lib/promotions/renewals.ts",
    find: "order.autoRenew && hasMetadataOf(deps, order, subscription.metadata);",
    replace: "hasMetadataOf(deps, order, subscription.metadata);",
    tests: ["tests/payments/webhook_test.ts"],
  },
  {
    what: "an event is handled twice",
    file: "lib/payments/events.ts",
    find: "if ((await deps.store.get(paymentKeys.event(id))).value !== null) return;",
    replace: "",
    tests: ["tests/payments/webhook_test.ts"],
  },
  {
    what: "a webhook dated in the future is accepted",
    file: "lib/payments/webhook.ts",
    find: "const isTimely = signedAt <= now + TOLERANCE_SECONDS * 1000;",
    replace: "const isTimely = signedAt >= 0;",
    tests: moneyTests,
  },
  {
    what: "a losing bid's hold isn't released",
    file: "lib/auctions/bids.ts",
    find:
      '    writeCheckout<BidCheckout>(tx, { ...held, state: "lapsed" });\n    return { operations: [await queueOperation(',
    replace:
      '    writeCheckout<BidCheckout>(tx, { ...held, state: "lapsed" });\n    if (held.id !== "") return {};\n' +
      "    return { operations: [await queueOperation(",
    tests: moneyTests,
  },
  {
    what: "a request whose idempotency key is in use at Stripe isn't retried",
    file: "lib/payments/open_checkout.ts",
    find: "if (isConcurrent(error) && pause !== undefined) {",
    replace: "if (isConcurrent(error) && pause === undefined) {",
    tests: ["tests/payments/promote_test.ts"],
  },
  {
    what: "an operation on another account's object is retried forever",
    file: "lib/payments/operation_runner.ts",
    find: "deps.clock.now() - entry.value.createdAt > MISSING_MS;",
    replace: "deps.clock.now() - entry.value.createdAt > Infinity;",
    tests: ["tests/payments/operations_test.ts"],
  },
  {
    what: "the payment job isn't told about a new operation",
    file: "lib/payments/operations.ts",
    find: "  noteDue(tx);\n  return id;",
    replace: "  return id;",
    tests: ["tests/payments/jobs_test.ts"],
  },
  {
    what: "a run overlooks operations queued while it ran",
    file: "lib/job_due.ts",
    find: "if (versionstamp === known.versionstamp) tx.set",
    replace: "if (versionstamp !== undefined) tx.set",
    tests: ["tests/payments/jobs_test.ts"],
  },
  {
    what: "a second session is opened without looking for the first",
    file: "lib/payments/open_checkout.ts",
    find: "if (isUnsure(value)) {",
    replace: "if (isUnsure(value) && value.attempt > 9) {",
    tests: ["tests/payments/promote_test.ts", "tests/fault/crash_points_test.ts"],
  },
  {
    what: "an event's mode isn't checked",
    file: "lib/payments/webhook.ts",
    find: "if (event.livemode !== isLiveKey(deps.env.stripeSecretKey)) {",
    replace: "if (event.livemode === null) {",
    tests: ["tests/payments/webhook_test.ts"],
  },
  {
    what: "an address holder has no daily cap",
    file: "lib/http/day_caps.ts",
    find: "if (count >= HOLDER_DAY_CAPS[cap]) throw holderCapReached(cap, caller, now);",
    replace: "",
    tests: ["tests/http/day_caps_test.ts"],
  },
  {
    what: "voters in a /48 aren't counted together",
    file: votes,
    find: 'return voters.length >= HOLDER_DAY_CAPS.voters ? "holder" : null;',
    replace: "return null;",
    tests: ["tests/listings/vote_test.ts"],
  },
  {
    what: "removing a held vote subtracts one",
    file: votes,
    find: "if (voted || !isHeld(vote!.value as number)) countVote",
    replace: "countVote",
    tests: ["tests/operator/votes_test.ts"],
  },
  {
    what: "a vote that another process held or released in the meantime is moved again",
    file: "lib/votes/held.ts",
    find: "if (value === null || !isMeant(value)) continue;",
    replace: "if (value === null) continue;",
    tests: ["tests/votes/held_test.ts"],
  },
];
