import { formatCount } from "../text/count.ts";

/** The deepest nesting and the most keys that a JSON body may have. */
const MAX_DEPTH = 16;
const MAX_KEYS = 200;

/**
 * The most values in a JSON body, counted before parsing: V8 compares each short string with all
 * others of its hash, and anyone can find many integers with the same one.
 */
const MAX_VALUES = 2_000;

/** Describes the problem of a JSON text with too many values, or null. One pass, for any text. */
export function jsonSizeProblem(text: string): string | null {
  let values = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) isInString = !isInString;
    else if (isInString) i += unit === 0x5c ? 1 : 0;
    // A comma or an opening bracket.
    else if (unit === 0x2c || unit === 0x5b || unit === 0x7b) values++;
  }
  return values > MAX_VALUES ? `Must not have more than ${formatCount(MAX_VALUES)} values` : null;
}

/** Describes how a parsed JSON value is too deep or too wide, or null. Walks without recursion. */
export function jsonShapeProblem(value: object): string | null {
  let keys = 0;
  let level = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `Must not nest deeper than ${MAX_DEPTH} levels`;
    const next: object[] = [];
    for (const node of level) {
      if (!Array.isArray(node)) keys += Object.keys(node).length;
      if (keys > MAX_KEYS) return `Must not have more than ${MAX_KEYS} keys`;
      for (const child of Object.values(node)) {
        if (typeof child === "object" && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return null;
}

/** The maximum number of duplicate keys to report. */
const MAX_TOLD = 50;

/**
 * The dotted names of duplicate keys in a valid JSON text (`JSON.parse` would silently keep the
 * last one). Very deep ones are named by their outermost levels. It takes one pass at any depth,
 * and decodes escapes before comparing keys.
 */
export function findDuplicateKeys(text: string): string[] {
  const duplicates: string[] = [];
  /** The open objects and arrays, each with the key or index of the value being read. */
  const stack: { keys: Set<string> | null; at: string | number }[] = [];
  let expectsKey = false;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i];
    const top = stack[stack.length - 1];
    if (letter === '"') {
      let end = i + 1;
      while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
      if (expectsKey && top?.keys) {
        const key: string = JSON.parse(text.slice(i, end + 1));
        if (top.keys.has(key) && duplicates.length < MAX_TOLD) {
          const around = stack.slice(0, -1).slice(0, MAX_DEPTH - 1).map(({ at }) => at);
          // A key can be half a character, which strict JSON does not allow.
          duplicates.push([...around, key].join(".").toWellFormed());
        }
        top.keys.add(key);
        top.at = key;
        expectsKey = false;
      }
      i = end;
    } else if (letter === "{" || letter === "[") {
      stack.push({ keys: letter === "{" ? new Set() : null, at: 0 });
      expectsKey = letter === "{";
    } else if (letter === "}" || letter === "]") {
      stack.pop();
      expectsKey = false;
    } else if (letter === "," && top?.keys) {
      expectsKey = true;
    } else if (letter === "," && top) {
      top.at = Number(top.at) + 1;
    }
  }
  return [...new Set(duplicates)];
}
