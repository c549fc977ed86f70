import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { LIMITS } from "@/lib/limits.ts";
import { labelOf, numberedSlug, slugBase } from "@/lib/text/slug.ts";
import { character } from "../support/unicode.ts";

const options = { reserved: new Set(["submit"]), fallback: "project" };

Deno.test("slugBase transliterates names in many scripts to [a-z0-9-]", () => {
  const table: [string, string][] = [
    ["My Project", "my-project"],
    ["  --Ünïcödé Ærø ßtraße!  ", "unicode-aero-sstrasse"],
    ["Don't panic, can’t stop, won't", "dont-panic-cant-stop-wont"],
    ["C++ & Rust", "c-rust"],
    ["ﬁne ①②", "fine-12"],
    ["Ｆｕｌｌ", "full"],
    ["İstanbul ılık", "istanbul-ilik"],
    ["日本語", "ribenyu"],
    ["Привет, мир", "privet-mir"],
    ["हिन्दी", "hindi"],
    ["فروشگاه ۲۴", "frwshgh-24"],
    ["हिन्दी २०२६", "hindi-2026"],
    ["한국 앱", "hangug-aeb"],
    ["x̂ŷ", "xy"],
    ["🚀", "project"],
    ["🚀 Launch", "launch"],
    ["日本 App", "riben-app"],
    ["a".repeat(99), "a".repeat(60)],
    [`${"a".repeat(59)} b`, "a".repeat(59)],
    ["../../etc/passwd", "etc-passwd"],
    ["Ѕtripe", "stripe"],
    ["ЅТRІРЕ", "stripe"],
    ["Ϲlaude", "claude"],
    ["Gооgle Сloud", "google-cloud"],
    ["αlpha", "alpha"],
    ["Москва App", "moskva-app"],
    ["日本App", "ribenapp"],
  ];
  for (const [name, slug] of table) assertEquals(slugBase(name, options), slug);
});

Deno.test("slugBase never returns a reserved word", () => {
  assertEquals(slugBase("Submit", options), "submit-project");
});

Deno.test("numberedSlug counts from 2 within 60 characters", () => {
  assertEquals([2, 3].map((n) => numberedSlug("a", n)), ["a-2", "a-3"]);
  assertEquals(numberedSlug("a".repeat(60), 11), `${"a".repeat(57)}-11`);
});

Deno.test("slugBase and its numbered forms match the slug pattern, and those forms are distinct", () => {
  fc.assert(fc.property(fc.string({ unit: character, maxLength: 80, size: "max" }), (name) => {
    const base = slugBase(name, options);
    const numbered = Array.from({ length: 119 }, (_, i) => numberedSlug(base, i + 2));
    // A base of 60 characters that ends in a number can be one of them; `freeSlug` then tries on.
    assertEquals(new Set(numbered).size, 119);
    for (const slug of [base, ...numbered]) {
      assertMatch(slug, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      assert(slug.length <= LIMITS.slugMax);
    }
  }));
});

Deno.test("labelOf turns a tag into words", () => {
  for (
    const [tag, label] of [["code-review", "Code review"], ["a--b-", "A b"], ["css", "Css"], [
      "-",
      "-",
    ]]
  ) assertEquals(labelOf(tag!), label);
});
