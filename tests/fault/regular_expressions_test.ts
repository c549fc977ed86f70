import { assert, assertEquals } from "@std/assert";
import { threadMs } from "../support/quick.ts";
import { rounds } from "../support/runs.ts";
import { collectExpressions } from "./regular_expressions.ts";

/** Input length; in the long form, that of the longest text that reaches the program. */
const LENGTH = rounds(5_000, 20_000);

/** A linear pass over 20,000 characters takes one or two ms, a quadratic one 100 or more. */
const SLOW_MS = rounds(4, 30);

/** Repetition; without it an expression reads at most as many characters per position as it has. */
const REPETITION = /[*+]|\{\d/;

/**
 * Each step makes an exponential or cubic expression at most about 16 times slower, so it is found
 * before it hangs.
 */
const FIRST_TIMES = [10, 14, 18, 22, 26, 60, 150, 400, 1_000];

const CHARACTERS = [
  ...["a", "A", "0", " ", "\t", "\n", "-", "_", ".", "/", "\\", "<", ">", "[", "]", "(", ")", "{"],
  ...['"', "'", "`", "&", ";", ":", "=", "*", "#", "!", "@", "|", "~", "+", ",", "é", "漢", "\0"],
  ...["😀", "\u200B", "\u0301"],
];

/** What the program's expressions look for. */
const PHRASES = [
  ...[
    "http://a",
    "https://a.b/",
    "a@b.",
    "www.a.",
    "/p/a",
    "<a ",
    "</a>",
    "[a](b)",
    "![",
    "[a=b]",
    "**a**",
  ],
  ...[
    "a-",
    "1.",
    "> ",
    "- ",
    "# ",
    "a: ",
    "```\n",
    "2026-01-01",
    "#FFFFFF",
    "&amp;",
    "a,b;q=1,",
    "()",
  ],
];

/** Follows the repeated part, so that an almost complete match backtracks. */
const ENDINGS = ["", "\u0001", "\n\u0001x", " / x"];

Deno.test("every regular expression in the code takes linear time on hostile input", async () => {
  const found = await collectExpressions();
  const repeating = found.filter(({ expression }) => REPETITION.test(expression.source));
  assert(repeating.length > 50, `${repeating.length} of ${found.length} repeat something`);
  const slow = repeating.flatMap(({ file, expression }) => {
    const attack = slowestAttack(expression);
    return attack === null ? [] : [`${file} ${expression} on ${attack}`];
  });
  assertEquals(slow, []);
});

Deno.test("slowestAttack finds quadratic and exponential expressions, but no linear ones", () => {
  for (const bad of [/\s+$/, /(https?:\/\/\S+)+$/, /^(a+)+b/, /<[^>]*>x/g]) {
    assert(slowestAttack(bad) !== null, String(bad));
  }
  for (const good of [/\s+/g, /^\s+/, /[&<>"']/g, /^[a-z]+(-[a-z]+)*$/, /^https?:\/\/[^/]/i]) {
    assertEquals(slowestAttack(good), null, String(good));
  }
});

/** The repeated part of an input that takes an expression too long, or null. */
function slowestAttack(expression: RegExp): string | null {
  for (const pump of pumpsOf(expression.source)) {
    for (const start of startsOf(expression.source)) {
      for (const ending of ENDINGS) {
        // Few repeats first: an exponential expression would never finish 20,000.
        for (const times of [...FIRST_TIMES, Math.ceil(LENGTH / pump.length)]) {
          const text = start + pump.repeat(times) + ending;
          if (isSlow(expression, text)) {
            return `${JSON.stringify(pump)} after ${JSON.stringify(start)}`;
          }
        }
      }
    }
  }
  return null;
}

/** Slow by the clock, then twice by processor time, which is slower to measure. */
function isSlow(expression: RegExp, text: string): boolean {
  const startedAt = performance.now();
  text.replace(expression, "");
  if (performance.now() - startedAt < SLOW_MS) return false;
  for (let run = 0; run < 2; run++) {
    const before = threadMs();
    text.replace(expression, "");
    if (threadMs() - before < SLOW_MS) return false;
  }
  return true;
}

/** Parts to repeat: characters, the expression's own characters and words, pairs and PHRASES. */
function pumpsOf(source: string): string[] {
  const own = [...new Set(literalText(source))];
  const words = literalWords(source);
  const pairs = own.slice(0, 8).flatMap((a) => own.slice(0, 8).map((b) => a + b));
  return [...new Set([...own, ...CHARACTERS, ...words, ...pairs, ...PHRASES])];
}

/** Prefixes that get past an anchor: nothing, and the first words of the expression. */
function startsOf(source: string): string[] {
  return ["", ...literalWords(source).slice(0, 3)];
}

function literalText(source: string): string {
  return source.replaceAll(/\\u\{?[0-9A-Fa-f]+\}?|\\[a-zA-Z](\{[^}]*\})?|\(\?[:=!<]+/g, "")
    .replaceAll(/[\\^$|?*+{}]/g, "");
}

function literalWords(source: string): string[] {
  return source.replaceAll(/\\([^a-zA-Z0-9])/g, "$1").match(/[a-zA-Z:/.<>!#\-[\](){}]{2,}/g) ?? [];
}
