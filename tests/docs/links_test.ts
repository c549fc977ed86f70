import { assertEquals } from "@std/assert";

const root = new URL("../../", import.meta.url);

/** The Markdown files that people read, with their paths from the root. */
async function documents(): Promise<[path: string, text: string][]> {
  const paths = [...Deno.readDirSync(root)].map(({ name }) => name);
  for (const folder of ["docs/", "docs/decisions/"]) {
    for (const { name } of Deno.readDirSync(new URL(folder, root))) paths.push(folder + name);
  }
  const found = paths.filter((path) => path.endsWith(".md"));
  return await Promise.all(
    found.map(async (path) => [path, await Deno.readTextFile(new URL(path, root))] as const),
  ) as [string, string][];
}

function exists(url: URL): boolean {
  try {
    return Deno.statSync(url) !== null;
  } catch {
    return false;
  }
}

const files = await documents();

Deno.test("every file that a document links to exists", () => {
  const missing = files.flatMap(([path, text]) =>
    [...text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)]
      .filter(([, target]) => !exists(new URL(target!, new URL(path, root))))
      .map(([, target]) => `${path}: ${target}`)
  );
  assertEquals(missing, []);
});

Deno.test("every heading that a document links to exists", () => {
  const headings = new Map(files.map(([path, text]) => [
    new URL(path, root).href,
    new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!))),
  ]));
  const missing = files.flatMap(([path, text]) =>
    [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)#([^)\s]+)/g)]
      .filter(([, target, anchor]) => {
        const { href } = target ? new URL(target, new URL(path, root)) : new URL(path, root);
        return !headings.get(href)?.has(anchor!);
      })
      .map(([, target, anchor]) => `${path}: ${target}#${anchor}`)
  );
  assertEquals(missing, []);
});

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}

Deno.test("every path that a document names exists", () => {
  const named = /`((?:lib|routes|components|islands|static|tests|docs|deploy)\/[^\s`]*)`/g;
  const missing = files.flatMap(([path, text]) =>
    [...text.matchAll(named)]
      // Placeholders and patterns name more than one file.
      .filter(([, target]) => !/[<*…{]/.test(target!) && !exists(new URL(target!, root)))
      .map(([, target]) => `${path}: ${target}`)
  );
  assertEquals(missing, []);
});

Deno.test("the index of decisions lists each record once", () => {
  const index = files.find(([path]) => path === "docs/decisions/README.md")![1];
  const listed = [...index.matchAll(/\]\((\w+\.md)\)/g)].map(([, name]) => name!).sort();
  const records = files.map(([path]) => path)
    .filter((path) => path.startsWith("docs/decisions/") && !path.endsWith("README.md"))
    .map((path) => path.slice("docs/decisions/".length)).sort();
  assertEquals(listed, records, "name a new record in docs/decisions/README.md");
});

Deno.test("packages.md lists exactly the npm packages in deno.json", async () => {
  const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  const taken = Object.values(imports as Record<string, string>)
    .flatMap((from) => /^npm:\/?((?:@[\w-]+\/)?[\w.-]+)@/.exec(from)?.[1] ?? []);
  const [, text] = files.find(([path]) => path === "docs/decisions/packages.md")!;
  const told = text.split("\n").filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...line.split("|")[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  const named = told.filter((name) => name !== "@std/assert");
  assertEquals(named.sort(), [...new Set(taken)].sort());
});
