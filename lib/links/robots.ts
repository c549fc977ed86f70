/**
 * What a robots.txt (RFC 9309) lets a crawler read. It comes from strangers, so nothing is kept of
 * it but the best rule, and time grows no faster than its length.
 */

/** The longest rule that matches, so far. */
interface Best {
  length: number;
  allows: boolean;
}

/**
 * Whether a robots.txt lets a crawler with a name (in lower case) read a path with its query. A group
 * for that name counts instead of those for all. The longest rule decides; of two, the one that
 * allows.
 */
export function isAllowed(
  robots: string,
  { name, path }: { name: string; path: string },
): boolean {
  const own: Best = { length: 0, allows: true };
  const common: Best = { length: 0, allows: true };
  let hasOwn = false;
  /** Whom the current group is for, and whether more names may follow. */
  let group: Set<Best> = new Set();
  let isNaming = false;
  const target = escaped(path);
  for (const line of robots.split(/\r\n?|\n/)) {
    const [field, value] = read(line);
    if (field === "user-agent") {
      if (!isNaming) group = new Set();
      isNaming = true;
      const product = value.toLowerCase().replace(/\/.*/, "").trim();
      hasOwn ||= product === name;
      if (product === name) group.add(own);
      else if (product === "*") group.add(common);
    } else if (field === "allow" || field === "disallow") {
      isNaming = false;
      if (value === "" || group.size === 0) continue;
      const pattern = escaped(value);
      if (!matches(pattern, target)) continue;
      for (const best of group) note(best, pattern.length, field === "allow");
    }
  }
  return (hasOwn ? own : common).allows;
}

/** A line's field in lower case, and its value without a comment. */
function read(line: string): [field: string, value: string] {
  const [plain = ""] = line.split("#", 1);
  const colon = plain.indexOf(":");
  return [plain.slice(0, Math.max(0, colon)).trim().toLowerCase(), plain.slice(colon + 1).trim()];
}

function note(best: Best, length: number, allows: boolean): void {
  if (length < best.length || (length === best.length && !allows)) return;
  Object.assign(best, { length, allows });
}

/** A path or pattern with its characters escaped alike, so that they can be compared. */
function escaped(path: string): string {
  return encodeURI(path).replaceAll("%25", "%").replace(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}

/** Whether a path begins like a pattern: `*` is any text, and `$` at the end is the path's end. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...others] = pattern.slice(0, isWhole ? -1 : undefined).split("*");
  if (!path.startsWith(first)) return false;
  const last = isWhole ? others.pop() : "";
  if (last === undefined) return path === first;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return path.endsWith(last) && path.length - last.length >= at;
}
