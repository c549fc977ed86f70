/**
 * Field limits of the contract, in characters (code points) or items. Read by schemas, forms,
 * /meta, OpenAPI and MCP.
 */
export const LIMITS = {
  nameMax: 60,
  taglineMax: 120,
  descriptionMax: 2000,
  tagsMax: 6,
  tagMax: 24,
  builtWithMax: 6,
  urlMax: 500,
  contactEmailMax: 254,
  skillTitleMax: 80,
  skillSummaryMax: 200,
  skillContentMin: 20,
  skillContentMax: 20_000,
  /** Kept versions of a skill, including the latest. */
  skillVersions: 20,
  /** Earlier versions kept because they were installed in the last 90 days. */
  skillVersionsInstalled: 20,
  installHintMax: 500,
  authorMax: 60,
  licenseMax: 60,
  pageSizeDefault: 30,
  pageSizeMax: 100,
  queryMax: 100,
  helpQueryMax: 200,
  helpPageMax: 100,
  trendingDefault: 10,
  trendingMax: 25,
  agentNameMax: 60,
  idempotencyKeyMax: 255,
  slugMax: 60,
  /** Distinct voters from one network per entry per UTC day. */
  votersPerNetworkDay: 25,
  reportNoteMax: 500,
  gemNoteMax: 200,
  clicksPerVisitorHour: 10,
  /**
   * Visits counted from one network or IPv6 /48 to all listings together, per process: the limit
   * for a crowd behind one address.
   */
  visitsPerNetworkHour: 1_000,
  reasonMax: 140,
  writeInMax: 30,
  /** Distinct write-in names in the poll, ever. */
  writeInNames: 200,
  pollPageMax: 250,
  /** Agent names per network per UTC day: in the poll, and new ones in the guestbook. */
  agentsPerNetworkDay: 25,
  catchphraseMax: 140,
  modelMax: 60,
  makerMax: 40,
  themeNameMax: 30,
  /** How many entries unpaginated lists show. */
  wallShown: 200,
  checkInsShown: 50,
  rankedShown: 50,
  agentsShown: 25,
  reasonsShown: 50,
  winnersShown: 20,
  /** How many days back the longest streak is measured. */
  streakDays: 400,
} as const;

/**
 * Limits per network per rolling hour. Each is counted in the same transaction as what it limits.
 */
export const RATE_LIMITS = {
  submissions: 5,
  skillSubmissions: 5,
  votes: 120,
  promoteCheckouts: 20,
  bids: 20,
  pollVotes: 30,
  guestbook: 60,
  skillVotes: 120,
  skillCopies: 120,
  portal: 10,
  badKeys: 20,
  edits: 60,
  ownershipChecks: 20,
  reports: 10,
} as const;

/** The name of a rate limit. */
export type RateBucket = keyof typeof RATE_LIMITS;

/** A description of what each rate limit counts. */
export const RATE_LIMIT_NAMES: Readonly<Record<RateBucket, string>> = Object.freeze({
  submissions: "project submissions",
  skillSubmissions: "skill submissions",
  votes: "project votes",
  promoteCheckouts: "promotion checkout links",
  bids: "bid links",
  pollVotes: "poll votes",
  guestbook: "guestbook check-ins",
  skillVotes: "skill votes",
  skillCopies: "skill installs and copies",
  portal: "billing portal links",
  badKeys: "wrong edit keys",
  edits: "edits",
  ownershipChecks: "ownership checks",
  reports: "reports",
});

/**
 * Caps per address holder per UTC day, on top of the limits per network. A holder is an IPv4
 * address, or an IPv6 /48 with its 65,536 networks. They are high enough for a university behind
 * one address; submissions are as many as one network can make in a day.
 */
export const HOLDER_DAY_CAPS = {
  /** Per entry, including copies of one skill. */
  voters: 100,
  /** Per listing, in any 24 hours. All 100 weigh as much as 10 votes; one network has up to 25. */
  clicks: 100,
  ballots: 100,
  writeIns: 10,
  checkIns: 100,
  submissions: 24 * RATE_LIMITS.submissions,
  skillSubmissions: 24 * RATE_LIMITS.skillSubmissions,
} as const;

/** The name of a daily cap per holder. */
export type HolderDayCap = keyof typeof HOLDER_DAY_CAPS;

/** A description of what each of these caps counts. */
export const HOLDER_DAY_CAP_NAMES: Readonly<Record<HolderDayCap, string>> = Object.freeze({
  voters: "voters for one entry",
  clicks: "clicks on one project",
  ballots: "poll ballots",
  writeIns: "new write-in names",
  checkIns: "new guestbook names",
  submissions: RATE_LIMIT_NAMES.submissions,
  skillSubmissions: RATE_LIMIT_NAMES.skillSubmissions,
});

/** Byte caps of request bodies (counted on the stream, before parsing). */
export const BODY_LIMITS = {
  json: 64 * 1024,
  skill: 256 * 1024,
  mcp: 512 * 1024,
  webhook: 512 * 1024,
  form: 256 * 1024,
} as const;
