/** API paths whose reads need only a few KV entries. */
const API_READS = [
  "",
  "projects/[^/]+(/.*)?",
  "skills/[^/]+(/.*)?",
  "ai-of-the-day",
  "guestbook",
  "health",
  "help",
  "meta",
  "operator-log",
  "poll(/.*)?",
  "ranking",
  "stats",
];

/** Other such paths, for both reads and forms. */
const OTHERS = [
  "/go/[^/]+",
  "/p/[^/]+/vote",
  "/skills/[^/]+/(vote|copy|SKILL\\.md|\\.well-known/.*)",
  "/openapi\\.json",
  "/robots\\.txt",
  "/site\\.webmanifest",
  "/themes?(\\.css)?",
  "/\\.well-known/(?!agent-skills/).*",
  // MCP waits for what each call needs.
  "/api/mcp(/.*)?",
  "/api/stripe/webhook",
  // Files.
  "/.*\\.(css|ico|js|map|webp|woff2)",
];

const READS = new RegExp(`^/api/v1/?(${API_READS.join("|")})/?$`);
const ANY = new RegExp(`^(${OTHERS.join("|")})$`);

/**
 * Whether a request can be answered while the catalogues are still loading after startup: API
 * writes, records, and whatever shows nothing from them. All others wait. A path missing here fails
 * when the wait times out; it never shows part of the directory as if it were all of it.
 */
export function needsNoCatalogue(method: string, pathname: string): boolean {
  const isRead = method === "GET" || method === "HEAD" || method === "OPTIONS";
  if (ANY.test(pathname)) return true;
  return isRead ? READS.test(pathname) : pathname.startsWith("/api/v1/");
}
