/**
 * What a robots.txt (RFC 9309) lets a crawler read. It comes from strangers, so only its best rule
 * is kept, and reading it takes time linear in its length.
 */

/** How many characters are read. RFC 9309 wants at least 500 KiB; more would take longer. */
const READ_MAX = 500 * 1024;

/**
 * Whether a robots.txt lets a crawler with this name (in lower case) read a path with its query.
 * Groups for that name replace those for all crawlers. The longest matching rule decides. If two
 * are equally long, the one that allows wins.
 */
export function isAllowed(
  robots: string,
  { name, path }: { name: string; path: string },
): boolean {
  /** By name: twice the length of the best rule, plus 1 if it allows. `*` is for all crawlers. */
  const best = new Map([["*", 1]]);
  /** Who the current group is for, and whether more names may follow. */
  let group = new Set<string>();
  let isNaming = false;
  const target = escaped(path);
  // The cut can leave half a character, which can't be escaped.
  for (const line of robots.slice(0, READ_MAX).toWellFormed().split(/\r\n?|\n/)) {
    const [field, value] = read(line);
    if (field === "user-agent") {
      if (!isNaming) group = new Set();
      isNaming = true;
      const product = value.toLowerCase().replace(/\/.*/, "").trim();
      if (product === name) best.set(name, best.get(name) ?? 1);
      if (best.has(product)) group.add(product);
    } else if (field === "allow" || field === "disallow") {
      isNaming = false;
      if (value === "" || group.size === 0) continue;
      const pattern = escaped(value);
      if (!matches(pattern, target)) continue;
      const rank = 2 * pattern.length + Number(field === "allow");
      for (const product of group) best.set(product, Math.max(rank, best.get(product)!));
    }
  }
  return (best.get(name) ?? best.get("*")!) % 2 === 1;
}

/** A line's field in lower case, and its value without a comment. */
function read(line: string): [field: string, value: string] {
  const [plain = ""] = line.split("#", 1);
  const colon = plain.indexOf(":");
  return [plain.slice(0, Math.max(0, colon)).trim().toLowerCase(), plain.slice(colon + 1).trim()];
}

/** A path or pattern with its characters escaped in one way, so that the two can be compared. */
function escaped(path: string): string {
  const alike = path.replace(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
  return encodeURI(alike).replaceAll("%25", "%");
}

/** Whether a path begins like a pattern: `*` is any text, and `$` at the end is the path's end. */
function matches(pattern: string, path: string): boolean {
  const whole = pattern.endsWith("$") ? pattern.slice(0, -1) : `${pattern}*`;
  const [first = "", ...others] = whole.split("*");
  if (!path.startsWith(first)) return false;
  const last = others.pop();
  if (last === undefined) return path === first;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return path.endsWith(last) && path.length - last.length >= at;
}
