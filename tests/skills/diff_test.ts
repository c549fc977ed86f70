import { assert, assertEquals } from "@std/assert";
import { unifiedDiff } from "@/lib/skills/diff.ts";
import { assertQuick } from "../support/quick.ts";

const diffOf = (older: string, newer: string) =>
  unifiedDiff({ sha256: "a".repeat(64), content: older }, {
    sha256: "b".repeat(64),
    content: newer,
  });
const body = (diff: string) => diff.split("\n").slice(2).join("\n");

Deno.test("unifiedDiff shows changes with three lines of context", () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`);
  const newer = lines.with(10, "changed").join("\n");
  assertEquals(
    diffOf(lines.join("\n"), newer),
    `--- ${"a".repeat(12)}\n+++ ${"b".repeat(12)}\n@@ -8,7 +8,7 @@\n line 7\n line 8\n line 9\n` +
      "-line 10\n+changed\n line 11\n line 12\n line 13\n",
  );
});

Deno.test("unifiedDiff quickly replaces all lines if much has changed", () => {
  const many = (step: number) =>
    Array.from({ length: 10_000 }, (_, i) => String.fromCharCode(97 + i * step % 26));
  const text = (step: number) => many(step).join("\n") + "\n";
  assertQuick(300, "a diff", () => diffOf(text(1), text(7)));
  const diff = body(diffOf(text(1), text(7))).trimEnd().split("\n");
  assertEquals(diff[0], "@@ -1,10000 +1,10000 @@");
  assertEquals(diff.slice(1).map((line) => line[0]).join(""), "-".repeat(1e4) + "+".repeat(1e4));
  assert(diff.includes("+z"));
});

Deno.test("a diff that replaces all lines says whether the last ones end in a line break", () => {
  const many = (name: string) => Array.from({ length: 500 }, (_, i) => `${name} ${i}`).join("\n");
  const mark = "\\ No newline at end of file";
  for (const end of ["", "\n"]) {
    const diff = body(diffOf(many("old") + end, many("new") + end)).split("\n");
    assertEquals(diff[0], "@@ -1,500 +1,500 @@");
    const ends = diff.flatMap((text, i) => /^.(old|new) 499$/.test(text) ? diff[i + 1] : []);
    assertEquals(ends, end === "" ? [mark, mark] : ["+new 0", ""]);
  }
});
