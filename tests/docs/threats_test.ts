import { assert, assertEquals } from "@std/assert";
import { readdirSync } from "node:fs";

const root = new URL("../../", import.meta.url);
const text = await Deno.readTextFile(new URL("docs/threats.md", root));

/** The cells of each row of a table, without its header. */
function rows(section: string): string[][] {
  const lines = section.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

Deno.test("docs/threats.md gives every threat and pitfall a protection and an existing test", async () => {
  const [threats, pitfalls] = text.split("\n## ").slice(1).map(rows);
  assert(threats!.length > 20 && pitfalls!.length > 15, "the tables were not read");
  const missing: string[] = [];
  for (const [what = "", holds = "", tests = ""] of [...threats!, ...pitfalls!]) {
    assert(what !== "" && holds !== "" && tests !== "", `a cell is empty: ${what}`);
    const named = [...tests.matchAll(/(?:`(tests\/[^`]+)`: )?"([^"]+)"/g)];
    assert(named.length > 0, what);
    let file: string | undefined;
    for (const [, path, name] of named) {
      file = path ?? file;
      const names = (await Deno.readTextFile(new URL(file!, root))).split("\n")
        .filter((line) => /^\s*(Deno\.test|t\.step|name:|[`"])/.test(line));
      if (!names.some((line) => line.includes(name!))) missing.push(`${file}: ${name}`);
    }
  }
  assertEquals(missing, []);
});

Deno.test("every invariant in docs/threats.md has a test with its number, and tests have no other numbers", async () => {
  const listed = [...text.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  assertEquals(listed, listed.map((_, i) => i + 1));
  const held = new Set<number>();
  const tests = new URL("tests/", root);
  for (const path of readdirSync(tests, { recursive: true }).map(String)) {
    if (!path.endsWith(".ts") || path.startsWith("artifacts/")) continue;
    const test = await Deno.readTextFile(new URL(path, tests));
    for (const [told] of test.matchAll(/\binvariants? \d+((, | and )\d+)*/g)) {
      for (const [number] of told.matchAll(/\d+/g)) held.add(Number(number));
    }
  }
  assertEquals([...held].sort((a, b) => a - b), listed);
});
