import { assert } from "@std/assert";

const root = new URL("../../", import.meta.url);
const LENGTH = 20_000;
/** What one match may take on 20,000 characters, in ms; a quadratic one takes hundreds. */
const BUDGET_MS = 60;

/** A literal in source: after what can stand before a value, and not a comment. */
const LITERAL =
  /(?:[(,=:[!&|?{};]|return|=>)\s*\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/g;

async function* sources(folder: string): AsyncGenerator<[string, string]> {
  for await (const entry of Deno.readDir(new URL(folder, root))) {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory) yield* sources(`${path}/`);
    else if (/\.tsx?$/.test(path)) yield [path, await Deno.readTextFile(new URL(path, root))];
  }
}

async function literals(): Promise<{ path: string; regex: RegExp }[]> {
  const found: { path: string; regex: RegExp }[] = [];
  for (const folder of ["lib/", "routes/", "components/", "islands/"]) {
    for await (const [path, text] of sources(folder)) {
      for (const [, source = "", flags = ""] of text.matchAll(LITERAL)) {
        try {
          found.push({ path, regex: new RegExp(source, flags) });
        } catch {
          // A division or a path in a template, not an expression.
        }
      }
    }
  }
  return found;
}

/** Strings that make backtracking show: runs of what the expression itself names, with an end that fails. */
function attacks(regex: RegExp): string[] {
  const own = regex.source.replace(/\\[a-zA-Z]|[\\^$.*+?()[\]{}|]/g, " ").split(/\s+/)
    .filter((piece) => piece !== "").slice(0, 8);
  const units = [
    ...own,
    ...new Set(own.join("").slice(0, 30)),
    " ",
    "\t",
    "\n",
    "a",
    "aA",
    "0",
    "-",
    ".",
    "/",
    "_",
    "<",
    "<a ",
    "&",
    "[",
    "[](",
    "(",
    "`",
    "*",
    "#",
    "|",
    "\\",
    '"',
    "%",
    "%2",
    "=",
    ",",
    ";",
    ":",
    "@",
    "a.",
    "a-",
    "a ",
    "http://",
    "http://a ",
    "www.",
    "\u200b",
    "é",
    "e\u0301",
    "🦕",
    "\ud800",
  ];
  return units.flatMap((unit) => {
    const run = unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH);
    return [run, `${run}\u0000`, `x${run}!`];
  });
}

function millisecondsOf(regex: RegExp, text: string): number {
  const start = performance.now();
  if (regex.global) text.replace(regex, "");
  else regex.test(text);
  regex.lastIndex = 0;
  return performance.now() - start;
}

Deno.test("every regular expression is linear on 20,000 characters (B3)", async () => {
  const found = await literals();
  assert(found.length > 100, `${found.length} expressions found`);
  const slow: string[] = [];
  for (const { path, regex } of found) {
    for (const text of attacks(regex)) {
      if (millisecondsOf(regex, text) <= BUDGET_MS) continue;
      // Once more, and on half: a busy machine is not a slow expression.
      const whole = Math.min(millisecondsOf(regex, text), millisecondsOf(regex, text));
      const half = millisecondsOf(regex, text.slice(0, LENGTH / 2));
      if (whole > BUDGET_MS) {
        slow.push(`${path} ${regex}: ${whole} ms, half ${half} ms on ${text.slice(0, 8)}`);
        break;
      }
    }
  }
  assert(slow.length === 0, slow.join("\n"));
});

Deno.test("the audit finds quadratic expressions", () => {
  const isSlow = (regex: RegExp) =>
    attacks(regex).some((t) => millisecondsOf(regex, t) > BUDGET_MS);
  for (const regex of [/\s+$/, /\/+$/, /\s*,\s*/, /\B(?=(\d{3})+$)/g]) {
    assert(isSlow(regex), `${regex}`);
  }
});
