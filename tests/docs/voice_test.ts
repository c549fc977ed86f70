import { assert, assertEquals } from "@std/assert";

/** Patterns that docs/voice.md tells writers to avoid. */
const AVOID =
  /\bwhoever\b|\b(stand|stands|standing) in\b|\bof which\b|\b(is|are) answered with\b|\d}? %|\balso when\b|colour|\blabelled\b|shown this once|in earnest/i;
const FOLDERS = ["routes", "components", "islands", "lib", "static", "docs", "deploy"];
/** These contain such patterns for a reason: as examples, or as words that people search for. */
const EXCEPT = new Set(["docs/voice.md", "lib/catalog/synonyms.ts"]);
const DOCUMENTS = ["README.md", "CONTRIBUTING.md", "SECURITY.md"];

async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* filesIn(path);
    else yield path;
  }
}

async function textPaths(): Promise<string[]> {
  const paths = [...DOCUMENTS];
  for (const folder of FOLDERS) paths.push(...await Array.fromAsync(filesIn(folder)));
  return paths.filter((path) => /\.(tsx?|js|css|md)$|^deploy\//.test(path) && !EXCEPT.has(path));
}

Deno.test("pages, texts, comments and documents avoid the patterns that docs/voice.md lists", async () => {
  const paths = await textPaths();
  assert(paths.length > 500, "the files are found");
  const found: string[] = [];
  for (const path of paths) {
    // A phrase can span a line break.
    const text = (await Deno.readTextFile(path)).replace(/\n[ \t*/#]*/g, " ");
    for (const { 0: words, index } of text.matchAll(new RegExp(AVOID, "gi"))) {
      found.push(`${path}: ${words}: ${text.slice(Math.max(0, index - 30), index + 40)}`);
    }
  }
  assertEquals(found, []);
});

Deno.test("the search for patterns finds the first eight examples in docs/voice.md", async () => {
  const voice = await Deno.readTextFile("docs/voice.md");
  const avoided = voice.split("## Patterns to avoid")[1]!.split("\n").filter((line) =>
    /^\| (?!Instead|---)/.test(line)
  ).map((line) => line.split(" | ")[0]!);
  for (const line of avoided.slice(0, 8)) assert(AVOID.test(line), line);
});
