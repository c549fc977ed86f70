import { assertEquals } from "@std/assert";

const tests = new URL("../", import.meta.url);
/** The invariants of the service, numbered as in the reliability requirements. */
const INVARIANTS = 35;

async function* names(folder: URL): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory) yield* names(new URL(`${entry.name}/`, folder));
    else if (/_test\.tsx?$/.test(entry.name) && entry.name !== "invariants_test.ts") {
      const text = await Deno.readTextFile(new URL(entry.name, folder));
      // Names stand after Deno.test( or t.step(, perhaps on the next line.
      for (const [, name] of text.matchAll(/(?:Deno\.test|\.step)\(\s*(["`][^\n]*)/g)) yield name!;
    }
  }
}

Deno.test("each of the 35 invariants is named by a test", async () => {
  const named = new Set<number>();
  for await (const name of names(tests)) {
    for (const [, list] of name.matchAll(/invariants? ([0-9]+(?:(?:, | and | to )[0-9]+)*)/g)) {
      for (const part of list!.split(/, | and /)) {
        const [first, last = first] = part.split(" to ").map(Number);
        for (let n = first!; n <= last!; n++) named.add(n);
      }
    }
  }
  const missing = Array.from({ length: INVARIANTS }, (_, i) => i + 1).filter((n) => !named.has(n));
  assertEquals(missing, []);
});
