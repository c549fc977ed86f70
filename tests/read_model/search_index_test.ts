import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { delay } from "@/lib/clock.ts";
import type { SearchDocument } from "@/lib/read_model/search_document.ts";
import { SearchIndex } from "@/lib/read_model/search_index.ts";
import { queryWords } from "@/lib/read_model/search_query.ts";
import { editDistance, editsForgiven, Vocabulary } from "@/lib/read_model/vocabulary.ts";
import { assertQuick } from "../support/quick.ts";

const EMPTY: SearchDocument = { name: "", labels: "", tagline: "", description: "" };

function indexOf(documents: Partial<SearchDocument>[]) {
  const index = new SearchIndex((id) => ({ ...EMPTY, ...documents[id] }));
  documents.forEach((_, id) => index.add(id));
  return index;
}

function idsOf(index: SearchIndex, q: string): number[] {
  return [...index.query(q).ids];
}

const DOCUMENTS = [
  { name: "Kubernetes dashboard", tagline: "See your cluster" },
  { name: "Café Crème", tagline: "Find coffee", labels: "maps mobile-app" },
  { name: "日本語辞書", tagline: "A dictionary" },
  { name: "قاموس عربي", tagline: "Arabic words" },
  { name: "NOT AND OR", tagline: "NEAR misses", description: "name: value" },
  { name: "C++ tools", tagline: "100% native" },
  { name: "Großmünster Đà Nẵng", tagline: "Straße" },
  { name: "IŞIK", tagline: "İzmir sanat" },
  { name: "𝓕𝓪𝓷𝓬𝔂 ｆｕｌｌ ﬁnder", tagline: "ｶﾞｲﾄﾞ m²" },
  { name: "مُحَمَّد", tagline: "שָׁלוֹם" },
  { name: "IPv6 atlas 20261123", tagline: "Made with python3" },
  {
    name: "ひらがな カタカナ ภาษาไทย ພາສາລາວ ក្រុងនគរ ဘာသာစကား",
    tagline: "Øl, łza, vitæ, œuvre",
  },
  { name: "Inkwell", tagline: "ada.github.io/inkwell" },
];

const FOUND: [q: string, ids: number[], reason: string][] = [
  ["kubernetes", [0], "whole word"],
  ["kube", [0], "prefix"],
  ["KUBE dash", [0], "each word as a prefix, in any case"],
  ["ku dash kube kubernetes d", [0], "words that others begin with"],
  ["ku kuberntees kube", [0], "words that a mistyped one begins with"],
  ["kube ᦰ", [0], "a letter that FTS5 does not read"],
  ["cafe kuberntees", [], "a mistyped word and one that stands elsewhere"],
  ["kubernets", [0], "one letter missing"],
  ["kuberntees", [0], "two neighbours swapped"],
  ["clutser", [0], "a swap in a shorter word"],
  ["dashboard coffee", [], "each word must match"],
  ["cafe creme", [1], "diacritics are folded"],
  ["Café Crème", [1], "diacritics"],
  ["cafée crémee", [1], "diacritics and typos"],
  ["GROSSMÜNSTER STRASSE", [6], "SS is what ß is in upper case"],
  ["Großmünster", [6], "ß"],
  ["da nang", [6], "letters with a stroke are folded"],
  ["ol lza vitae oeuvre", [11], "letters that Unicode does not decompose"],
  ["ışık", [7], "a dotless i is what I is in lower case"],
  ["isik izmir", [7], "i with and without its dot"],
  ["𝓕𝓪𝓷𝓬𝔂 ｆｕｌｌ ﬁnder", [8], "compatible letters as they are written"],
  ["fancy full finder", [8], "compatible letters as they are read"],
  ["ガイド m2", [8], "half width, and a raised digit"],
  ["محمد שלום", [9], "vowel signs are left out as a rule"],
  ["mobile-app", [1], "a dash separates words"],
  ["語辞", [2], "inside a text without spaces"],
  ["らが", [11], "inside Hiragana"],
  ["タカ", [11], "inside Katakana"],
  ["ไทย", [11], "inside Thai"],
  ["ລາວ", [11], "inside Lao"],
  ["នគរ", [11], "inside Khmer"],
  ["ကား", [11], "inside Burmese"],
  ["日語", [], "characters that do not stand together"],
  ["عربي", [3], "right to left"],
  ["AND", [4], "an operator is a word"],
  ["NOT OR", [4], "operators are words"],
  ["NEAR(misses value, 2)", [], "no NEAR group: 2 is a word that nothing has"],
  ["name:value", [4], "a column filter is two words"],
  ['"kube', [0], "an open quotation mark"],
  ["kube*", [0], "a star"],
  ["^kube", [0], "a caret"],
  ["c++", [5], "a language by the sign in its name"],
  ["cpp", [5], "a language by the word that stands for its sign"],
  ["C++ tool", [5], "a language among other words"],
  ["http://www.ada.github.io", [12], "an address, however it starts"],
  ["https://ada.github.io", [12], "an address with the other scheme"],
  ["c+", [0, 1, 5], "other punctuation is dropped, c is a prefix"],
  ["f#", [], "a language that nothing names"],
  ["100%", [5], "digits"],
  ["ipv4", [], "another number is no typing mistake"],
  ["20261124", [], "nor is it among more digits"],
  ["atlsa ipv6", [10], "a typo beside a number"],
  ["pyhton3", [10], "a typo in a word with a number"],
  ["atlas7", [10], "a number too many"],
  ["!!! ... ???", [], "only punctuation"],
  ["🚀🔥", [], "only emoji"],
  [".*(a+)+$[x]{2}", [], "regular-expression metacharacters around words that nothing has"],
  ["\u0301\u0301", [], "only combining marks"],
  ["' OR 1=1 --", [], "not SQL"],
];

Deno.test("a search that finds nothing has the documents nearest to it: those with the rarest of its words first", () => {
  const index = indexOf([
    { name: "Minutes", tagline: "A free tool for meeting notes" },
    { name: "Notes", tagline: "Free paper for notes" },
    ...Array.from(
      { length: 10 },
      (_, n) => ({ name: `Free game ${n}`, tagline: "With a free tool" }),
    ),
  ]);
  const q = "a free meeting notes tool that records";
  assertEquals(idsOf(index, q), []);
  assertEquals(index.nearest(q, 5), [0, 1]);
  assertEquals(index.nearest(q, 1), [0]);
  assertEquals(index.nearest("meetin nots", 5), [0, 1], "a beginning, and a typo");
  for (const none of ["", "?!", "a free tool", "zzzzzz yyyyyy", '"OR" AND (']) {
    assertEquals(index.nearest(none, 5), [], none);
  }
  index.close();
});

for (const [q, ids, reason] of FOUND) {
  Deno.test(`query ${JSON.stringify(q)} finds [${ids}]: ${reason}`, () => {
    const index = indexOf(DOCUMENTS);
    assertEquals(idsOf(index, q), ids);
    index.close();
  });
}

Deno.test("query never throws, whatever the text", () => {
  const index = indexOf(DOCUMENTS);
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 100, size: "max" }),
    fc.array(
      fc.constantFrom(
        '"',
        "*",
        "(",
        ")",
        ":",
        "^",
        "-",
        "+",
        " ",
        "NEAR",
        "AND",
        "a",
        "\0",
        "\ud800",
      ),
      { maxLength: 50, size: "max" },
    ).map((parts) => parts.join("")),
  );
  fc.assert(fc.property(hostile, (q) => void index.query(q, { best: true })), { numRuns: 2000 });
  index.close();
});

Deno.test("query follows changes and removals", () => {
  const documents: Partial<SearchDocument>[] = [{ name: "first" }, { name: "second" }];
  const index = indexOf(documents);
  assertEquals(idsOf(index, "first"), [0]);
  documents[0] = { name: "renamed" };
  index.add(0);
  assertEquals(idsOf(index, "first"), []);
  assertEquals(idsOf(index, "renamed"), [0]);
  index.remove(0);
  assertEquals(idsOf(index, "renamed"), []);
  index.add(0);
  index.remove(0);
  assertEquals(idsOf(index, "renamed"), [], "an id removed before it was indexed");
  index.close();
});

Deno.test("query with best puts a match in the name before one in the description", () => {
  const index = indexOf([
    { name: "Other", description: "a terminal for everyone, among many other words of no use" },
    { name: "Terminal" },
    { name: "Other", tagline: "Your terminal" },
  ]);
  assertEquals([...index.query("terminal", { best: true }).best!], [1, 2, 0]);
  index.close();
});

Deno.test("indexPending leaves room for other work, and the vocabulary follows", async () => {
  const documents = Array.from({ length: 3000 }, (_, i) => ({ name: `document word${i}` }));
  const index = indexOf(documents);
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await index.indexPending(1);
  clearInterval(timer);
  assertEquals(turns > 3, true);
  assertEquals(index.pending, 0);
  assertEquals(index.query("documnet").ids.length, 3000);
  index.close();
});

Deno.test("indexPending is one work, however many wait for it", async () => {
  const index = indexOf(Array.from({ length: 20 }, (_, i) => ({ name: `word${i}` })));
  const first = index.indexPending(0);
  assertStrictEquals(index.indexPending(), first);
  await first;
  assertEquals(index.pending, 0);
  index.close();
});

Deno.test("a mistyped word that was asked for while the vocabulary was read finds what is there now", async () => {
  const documents = Array.from({ length: 2_100 }, (_, i) => ({ name: `word${i}` }));
  const index = indexOf(documents);
  await index.indexPending();
  documents.push({ name: "terraform" });
  index.add(2_100);
  // The vocabulary of before is in use until the new one is read.
  assertEquals(idsOf(index, "terrafrom"), []);
  for (let tries = 0; tries < 1_000 && idsOf(index, "terrafrom").length === 0; tries++) {
    await delay(5);
  }
  assertEquals(idsOf(index, "terrafrom"), [2_100]);
  index.close();
});

/** An index of 20,000 words, of which the vocabulary was read once. */
async function largeIndex() {
  const readings = { count: 0 };
  const documentOf = (id: number) => ({ ...EMPTY, name: `word${id}` });
  const index = new SearchIndex(documentOf, () => readings.count++);
  for (let id = 0; id < 20_000; id++) index.add(id);
  await index.indexPending();
  assertEquals(readings.count, 1);
  return { index, readings };
}

Deno.test("the vocabulary is not read again after each change that a mistyped word follows", async () => {
  // It rests for 20 times as long as it took to read. A machine that halts for longer gets more tries.
  for (let tries = 1;; tries++) {
    const { index, readings } = await largeIndex();
    for (let id = 20_000; id < 20_008; id++) {
      index.add(id);
      index.query("wrod");
      await delay(10);
    }
    const { count } = readings;
    while (readings.count === 1) await delay(20);
    index.close();
    if (count === 1) break;
    assert(tries < 5, `read ${count} times`);
  }
});

Deno.test("texts are indexed without a wait for the vocabulary's rest, which ends with the index", async () => {
  const { index, readings } = await largeIndex();
  index.add(20_000);
  await index.indexPending();
  assertEquals([index.pending, readings.count], [0, 1]);
  index.close();
});

Deno.test("editDistance agrees with its definition, and nearest finds every nearest word", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 4, maxLength: 9 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = plainDistance(a, b);
      assertEquals(editDistance(a, b, 20), distance);
      for (const most of [0, 1, 2, 3]) {
        assertEquals(Math.min(editDistance(a, b, most), most + 1), Math.min(distance, most + 1));
      }
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(word, fc.uniqueArray(word, { maxLength: 30, size: "max" }), (typed, terms) => {
      const vocabulary = new Vocabulary();
      vocabulary.add(terms.map((term) => ({ term, documents: 1 })));
      const distances = terms.map((term) => plainDistance(typed, term));
      const least = Math.min(...distances);
      const near = least > editsForgiven(typed.length)
        ? []
        : terms.filter((_, i) => distances[i] === least).sort().slice(0, 8);
      assertEquals(vocabulary.nearest(typed), near);
    }),
    { numRuns: 1000 },
  );
});

Deno.test("a word of more than 40 letters is compared with no other: each took a tenth of a millisecond", () => {
  const vocabulary = new Vocabulary();
  const words = [40, 41, 98].map((letters) => "ab".repeat(49).slice(0, letters));
  vocabulary.add(words.map((term) => ({ term, documents: 1 })));
  const found = words.map((word) => vocabulary.nearest(`${word.slice(0, -1)}c`).length);
  assertEquals(found, [1, 0, 0]);
});

/** Optimal string alignment, straight from the recurrence. */
function plainDistance(a: string, b: string): number {
  const known = new Map<number, number>();
  function between(i: number, j: number): number {
    if (i === 0 || j === 0) return i + j;
    const key = i * 100 + j;
    if (known.has(key)) return known.get(key)!;
    const last = a[i - 1] === b[j - 1] ? 0 : 1;
    let best = Math.min(between(i - 1, j) + 1, between(i, j - 1) + 1, between(i - 1, j - 1) + last);
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
      best = Math.min(best, between(i - 2, j - 2) + 1);
    }
    known.set(key, best);
    return best;
  }
  return between(a.length, b.length);
}

for (
  const [characters, texts] of [["的", 360], ["的一", 1_000], [
    "的一是不了人我在有",
    1_000,
  ]] as const
) {
  Deno.test(`texts of ${characters}, again and again, do not make a search for it slow`, () => {
    const description = characters.repeat(1_990 / characters.length);
    const index = indexOf([...Array.from({ length: texts }, () => ({ description })), {
      name: "目录",
    }]);
    assertEquals(idsOf(index, "目录"), [texts]);
    let length = 9;
    // No query is asked twice: its matches would be at hand.
    const search = () => {
      index.query(characters.repeat(20).slice(0, --length), { best: true });
      return index.query(characters.repeat(20).slice(0, length)).ids.length;
    };
    assertEquals(assertQuick(100, "a search", search), texts);
    index.close();
  });
}

Deno.test("signs that stand for sentences make neither a text nor a search for it slow", () => {
  // U+FDFA is 18 letters, four words.
  const description = "\ufdfa".repeat(2_000);
  const index = indexOf(Array.from({ length: 100 }, () => ({ description })));
  let count = 0;
  assertQuick(200, "indexing", () => {
    for (let id = 0; id < 100; id++) index.add(id);
    count = index.query("صلى").ids.length;
  });
  assertEquals(count, 100);
  index.close();
});

Deno.test("a word that another one of the query begins with changes no order and takes no time", () => {
  let seed = 1;
  const word = () => `beginning${(seed = (seed * 48_271) % 2_147_483_647).toString(36)}`;
  const index = indexOf(Array.from({ length: 100 }, (_, id) => ({
    description: Array.from({ length: 100 + id }, word).join(" "),
  })));
  const best = (q: string) => [...index.query(q, { best: true }).best!];
  const beginnings = Array.from("beginning", (_, i) => "beginning".slice(0, i + 1)).join(" ");
  const order = best("beginning");
  const nested = assertQuick(50, "a query of nine beginnings", () => {
    index.add(0);
    return best(beginnings);
  });
  assertEquals(nested, order);
  index.close();
});

Deno.test("texts of made-up words, all alike, make neither a change nor a mistyped query slow", async () => {
  let seed = 1;
  const word = () => {
    let letters = "";
    for (let i = 0; i < 8; i++) {
      seed = (seed * 48_271) % 2_147_483_647;
      letters += "etaoinsrhl"[seed % 10];
    }
    return letters;
  };
  const words = (count: number) => Array.from({ length: count }, word).join(" ");
  const documents = Array.from({ length: 1_000 }, () => ({ description: words(220) }));
  const index = indexOf([...documents, { name: "terraform" }]);
  await index.indexPending();
  assertQuick(100, "a mistyped word after a change", () => {
    index.add(1_000);
    index.query("zzzzqqqq");
  });
  for (let tries = 0; tries < 1_000 && idsOf(index, "terrafrom").length === 0; tries++) {
    await delay(5);
  }
  assertEquals(idsOf(index, "terrafrom"), [1_000]);
  assertQuick(100, "a query of eleven mistyped words", () => index.query(words(11)));
  index.close();
});

Deno.test("a mistyped word finds what it means as soon as all is indexed, however many words there are", async () => {
  const letters = (n: number) =>
    [...n.toString(26)].map((d) => "kqxzvwjbpgfycmuldhrsnioate"[parseInt(d, 26)]);
  const documents = Array.from({ length: 1_500 }, (_, i) => ({
    description: Array.from({ length: 8 }, (_, j) => letters(100_000 + 8 * i + j).join("")).join(
      " ",
    ),
  }));
  const index = indexOf([...documents, { name: "terraform" }]);
  await index.indexPending();
  assertEquals(idsOf(index, "terrafrom"), [1_500]);
  index.close();
});

Deno.test("an index may be closed while it indexes", async () => {
  for (const sliceMs of [0, 1_000]) {
    const index = indexOf(Array.from({ length: 10 }, () => ({ name: "terraform" })));
    const indexed = index.indexPending(sliceMs);
    index.close();
    await indexed;
  }
});

Deno.test("a text of 2,000 characters is found by words from all of it", () => {
  // One character in so many is the same, as in Chinese and in Thai prose.
  for (const [sign, often] of [["的", 25], ["า", 11]] as const) {
    const description = Array.from(
      { length: 2_000 },
      (_, i) => i % often === 0 ? sign : String.fromCharCode(0x4e00 + i),
    ).join("");
    const index = indexOf([{ description }]);
    for (const at of [0, 1_000, 1_975]) {
      assertEquals(idsOf(index, description.slice(at, at + 12)), [0], `${sign} at ${at}`);
    }
    index.close();
  }
});

Deno.test("queryWords gives words in lower case, each once, at most 16", () => {
  assertEquals(queryWords("Foo, foo BAR!"), ["foo", "bar"]);
  assertEquals(queryWords(Array.from({ length: 50 }, (_, i) => `w${i}`).join(" ")).length, 16);
});

Deno.test("queryWords gives the words that tags and addresses have for languages with a sign", () => {
  assertEquals(queryWords("C++ c# F#"), ["cpp", "csharp", "fsharp"]);
});

Deno.test("a language with a sign is not taken for another one", () => {
  const index = indexOf([{ name: "C# parser" }, { name: "F# linter" }]);
  assertEquals(idsOf(index, "f#"), [1]);
  index.remove(1);
  assertEquals(idsOf(index, "f#"), []);
  assertEquals(idsOf(index, "fsharp"), []);
  assertEquals(idsOf(index, "cshrp"), [0], "mistyped");
});

Deno.test("queryWords takes each character of a script without spaces for two words: 8 in all", () => {
  assertEquals(queryWords("的".repeat(100)), ["的".repeat(8)]);
  assertEquals(queryWords("開源 专案 the 目录" + "的".repeat(90)), [
    "開源",
    "专案",
    "the",
    "目录" + "的".repeat(2),
  ]);
  assertEquals(queryWords("claude的项目 x"), ["claude的项目", "x"]);
});
