/** Words that cannot be slugs, because they would look like a part of the site. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  "about",
  "admin",
  "api",
  "edit",
  "help",
  "new",
  "null",
  "operator",
  "projectory",
  "search",
  "submit",
  "undefined",
]);
