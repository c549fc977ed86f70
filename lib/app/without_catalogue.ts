/** Addresses of the API whose reads need no more than some entries of KV. */
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

/** Other addresses that do, for reads and forms alike. */
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
 * Whether a request is answered while the catalogues are still being read after a start: writes of
 * the API, records, and what shows nothing of them. All others wait. What is missing here fails as
 * one that waited in vain; it never shows a part of the directory as all of it.
 */
export function needsNoCatalogue(method: string, pathname: string): boolean {
  const isRead = method === "GET" || method === "HEAD" || method === "OPTIONS";
  if (ANY.test(pathname)) return true;
  return isRead ? READS.test(pathname) : pathname.startsWith("/api/v1/");
}
