import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { pageBody } from "@/lib/discovery/page_body.ts";
import { pageEtag } from "@/lib/discovery/page_etag.ts";
import type { Records } from "@/lib/discovery/record_store.ts";
import { isBeyondLatin } from "@/lib/text/escape.ts";

const decoder = new TextDecoder();

/** Mostly ASCII, as records are, with characters of one to four bytes between. */
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 30, size: "max" }) },
  fc.array(fc.constantFrom("a", '"', "é", "ÿ", "Ā", "—", "日", "🚀", "👩‍🚀"), { maxLength: 9 })
    .map((characters) => characters.join("")),
);

function recordsOf(texts: string[], isWide: boolean): Records {
  return { texts, digests: [], length: texts.join("").length, isWide };
}

Deno.test("pageBody is the text of a page or codes its UTF-8, whatever characters it has", () => {
  fc.assert(fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
    const isWide = texts.some(isBeyondLatin);
    const body = pageBody("{[", recordsOf(texts, isWide), "]}");
    const plain = `{[${texts.join(",")}]}`;
    assertEquals(typeof body === "string", !isWide);
    assertEquals(typeof body === "string" ? body : decoder.decode(body), plain);
  }));
});

Deno.test("a wide page longer than any before is coded whole", () => {
  const texts = ["日".repeat(100_000), "a"];
  const body = pageBody("[", recordsOf(texts, true), "]");
  assertEquals(typeof body === "string" ? "" : decoder.decode(body), `[${texts.join(",")}]`);
});

Deno.test("pageEtag differs where any number does, at any place", () => {
  const fact = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constantFrom(0, 1, 2 ** 32, 2 ** 52));
  const few = fc.array(fact, { minLength: 1, maxLength: 40, size: "max" });
  // A page of 100 with explanations has 204.
  const many = fc.array(fact, { minLength: 200, maxLength: 300, size: "max" });
  const facts = fc.oneof(few, few, many);
  fc.assert(fc.property(facts, fc.nat(), fact, (facts, at, other) => {
    const changed = facts.with(at % facts.length, other);
    const isSame = facts[at % facts.length] === other;
    assertEquals(pageEtag(facts) === pageEtag(changed), isSame);
    assert(pageEtag(facts) !== pageEtag([...facts, other]));
  }));
});
