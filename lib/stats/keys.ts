/**
 * Keys of traffic counters. Only daily sums are stored, nothing about single visits.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["traffic", UTC day, surface, visitor class] | u64: requests answered | `Traffic.flush` |
 * | ["ai_visits", UTC day, name of the user agent] | u64: the same, from known AI user agents | `Traffic.flush` |
 */
export const statsKeys = {
  traffic: (day: string, surface: string, visitorClass: string) => [
    "traffic",
    day,
    surface,
    visitorClass,
  ],
  trafficOfDay: (day: string) => ["traffic", day],
  allTraffic: ["traffic"],
  aiVisits: (day: string, name: string) => ["ai_visits", day, name],
  aiVisitsOfDay: (day: string) => ["ai_visits", day],
  allAiVisits: ["ai_visits"],
} as const;
