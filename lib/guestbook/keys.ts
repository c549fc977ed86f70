/**
 * Keys of the guestbook. Keys contain a name as `nameKey`: a hash of its folded form.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["guestbook_check_ins", UTC day, name] | `StoredCheckIn` | `storeCheckIn`, `setCheckInHidden` |
 * | ["guestbook_agents", name] | `AgentRecord`: the days that count | the same |
 * | ["guestbook_recent", signed at (ms), name] | the UTC day; only check-ins that are shown | the same |
 * | ["guestbook_networks", UTC day, network] | names new that day, at most 25; expires | `storeCheckIn` |
 * | ["guestbook_since"] | the UTC day of the first check-in | `storeCheckIn` |
 * | ["guestbook_revision"] | u64, one more with each check-in hidden or shown again | `setCheckInHidden` |
 * | ["ai_of_the_day", UTC day] | `DayResult` of that day's check-ins | `closeDay`; deleted when one of them is hidden or arrives late |
 */
export const guestbookKeys = {
  checkIn: (day: string, name: string) => ["guestbook_check_ins", day, name],
  allCheckIns: ["guestbook_check_ins"],
  checkInsOf: (day: string) => ["guestbook_check_ins", day],
  agent: (name: string) => ["guestbook_agents", name],
  agents: ["guestbook_agents"],
  recent: (signedAt: number, name: string) => ["guestbook_recent", signedAt, name],
  allRecent: ["guestbook_recent"],
  network: (day: string, network: string) => ["guestbook_networks", day, network],
  since: ["guestbook_since"],
  revision: ["guestbook_revision"],
  results: ["ai_of_the_day"],
  result: (day: string) => ["ai_of_the_day", day],
} as const;
