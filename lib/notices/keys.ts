/**
 * Keys of notices to the owners of listings.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["notices", slug, id, channel] | `Notice` that has not been accepted yet; expires; each try restarts its lifetime | `notify`, `deliverNotices` |
 * | ["notice_counts", slug, UTC day] | how many events the owner was told about that day; expires | `notify` |
 * | ["notice_opt_outs", pseudonym of an email address] | when (ms) it was unsubscribed | the unsubscribe page and links |
 * | ["notices_due"] | time (ms) before which `deliverNotices` has nothing to do; 0 once there is something new | `notify`, promotions, `deliverNotices` |
 */
export const noticeKeys = {
  all: ["notices"],
  ofListing: (slug: string) => ["notices", slug],
  one: (slug: string, id: string, channel: string) => ["notices", slug, id, channel],
  count: (slug: string, day: string) => ["notice_counts", slug, day],
  optOut: (address: string) => ["notice_opt_outs", address],
  due: ["notices_due"],
} as const;
