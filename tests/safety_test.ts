import { assert, assertEquals } from "@std/assert";
const root = new URL("../", import.meta.url);

/** Every source file below the folders, with its path from the root. */
async function sources(...folders: string[]): Promise<[path: string, text: string][]> {
  const found: [string, string][] = [];
  for (const folder of folders) {
    let entries: Deno.DirEntry[] = [];
    try {
      entries = await Array.fromAsync(Deno.readDir(new URL(folder, root)));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    for (const entry of entries) {
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory) found.push(...await sources(`${path}/`));
      else if (/\.tsx?$/.test(path)) {
        found.push([path, await Deno.readTextFile(new URL(path, root))]);
      }
    }
  }
  return found;
}

/** The lines of files that match a pattern, as `path:line`. */
function hits(files: [string, string][], pattern: RegExp, except: RegExp = /$^/): string[] {
  return files.filter(([path]) => !except.test(path)).flatMap(([path, text]) =>
    text.split("\n").flatMap((line, i) =>
      pattern.test(line) && !/^\s*(\/\/|\*|\/\*)/.test(line)
        ? [`${path}:${i + 1} ${line.trim()}`]
        : []
    )
  );
}

const PRODUCT = ["lib/", "routes/", "components/", "islands/"];
const files = await sources(...PRODUCT);

Deno.test("only lib/env.ts reads the environment", () => {
  assertEquals(hits(files, /Deno\.env|process\.env/, /^lib\/(env\.ts|fresh\/)/), []);
});

Deno.test("KV is accessed only through the store", () => {
  assertEquals(
    hits(
      files,
      /Deno\.openKv|\bkv\.(get|set|atomic|list|delete)\(/,
      /^lib\/((kv|backup)\/|database_file\.ts)/,
    ),
    [],
  );
});

Deno.test("KV keys come only from a feature's keys.ts", () => {
  const literal = /\b(tx|store)\.(get|peek|set|delete|sum|getMany)(<[^>]*>)?\(\s*\[\s*"/;
  assertEquals(hits(files, literal, /keys\.ts$/), []);
  assertEquals(hits(files, /prefix: \[\s*"/, /keys\.ts$/), []);
});

Deno.test("the table in each keys.ts lists exactly its keys", () => {
  const heads = (pattern: RegExp, text: string) =>
    [...new Set([...text.matchAll(pattern)].map(([, head]) => head!))].sort();
  const tables = files.filter(([path]) => path.endsWith("/keys.ts"));
  assertEquals(tables.length > 10, true, `${tables.length} tables`);
  for (const [path, text] of tables) {
    const named = heads(/^ \* \| \["([^"]+)"/gm, text);
    const made = heads(/\[\s*["`]([^"`]+)["`]/g, text.replaceAll(/^ ?\*.*$/gm, ""));
    assertEquals(named, made.map((head) => head.replace("${kind}", "<kind>")), path);
  }
});

Deno.test("routes don't use KV or Stripe directly", () => {
  const routes = files.filter(([path]) => path.startsWith("routes/"));
  assertEquals(hits(routes, /from "stripe"|Deno\.Kv|\.transact\(|\bstore\.(get|list|getMany)/), []);
});

Deno.test("components and islands import only types and pure helpers from lib", () => {
  const ui = files.filter(([path]) => /^(components|islands)\//.test(path))
    // An import can take several lines.
    .map(([path, text]): typeof files[0] => [path, text.replaceAll(/\{[^}]*\} from/g, "{} from")]);
  assertEquals(hits(ui, /^import (?!type).*lib\/.*(service|store|deps|kv)\b/), []);
});

Deno.test("no user text goes into HTML unescaped", () => {
  // PageHead writes JSON-LD through jsonForScript, and SkillContent only what Preact rendered.
  const written = /^lib\/fresh\/|^components\/(PageHead|SkillContent)\.tsx$/;
  assertEquals(hits(files, /dangerouslySetInnerHTML|innerHTML/, written), []);
});

Deno.test("the server itself never fetches a user's URL", () => {
  // The fetcher's client calls its own process on this machine.
  const own = /^(islands|lib\/fresh)\/|^lib\/fetching\/fetcher\.ts$/;
  assertEquals(
    hits(files, /(await|return|=|globalThis\.) ?fetch\(/, own),
    [],
  );
});

Deno.test("secrets and hashes are compared in constant time, and keys in one place", () => {
  const compared = /(keyHash|editKey|[sS]ecret|digest)\w* (===|!==) (?!null|undefined|true|"")/;
  assertEquals(hits(files, compared), []);
  const comparing = files.filter(([, text]) => text.includes("timingSafeEqual("));
  assertEquals(comparing.map(([path]) => path), ["lib/entries/edit_key.ts"]);
});

Deno.test("KV reads are strongly consistent, and KV is never watched", () => {
  assertEquals(hits(files, /consistency:|["']eventual["']|\bkv\.watch\(/, /^lib\/fresh\//), []);
});

Deno.test("every picture on a page comes from this site", () => {
  const sources = files.filter(([path]) => path.endsWith(".tsx")).flatMap(([path, text]) =>
    [...text.matchAll(/<(?:img|source|video|audio|iframe)\b[^>]*\bsrc=([^>\s]*)/g)]
      .map(([, source]) => `${path}: ${source}`)
  );
  assertEquals(sources.filter((source) => !source.includes(": {paths.")), []);
  assert(sources.length > 0);
});

Deno.test("logging goes through lib/log.ts", () => {
  assertEquals(hits(files, /console\.\w+\(/, /^lib\/(log\.ts|fresh\/)/), []);
});

Deno.test("services and stores take the time from a clock", () => {
  const timed = files.filter(([path]) => path.startsWith("lib/"));
  assertEquals(
    hits(timed, /Date\.now\(\)|new Date\(\)/, /^lib\/(clock|log)\.ts|^lib\/fresh\//),
    [],
  );
});

Deno.test("only lib/urls.ts builds API paths", () => {
  const made = hits(
    files,
    /`[^`]*\/(api\/v1|p|go|skills|auctions)\/\$\{/,
    /^lib\/(urls\.ts|fresh\/)/,
  );
  assertEquals(made, []);
});

Deno.test("every export has a doc comment", () => {
  // These say what they are: types inferred from a schema there, handlers by their file's path, MCP
  // tools by their description, and a feature's operations and dependencies by their names.
  const told = [
    /^export type \w+ = (Omit<)?z\.(infer|input|output)</,
    /^export const (handler\b|\w+: Operations\b|\w+ = (define|vote)Tool\()/,
    /^export interface Deps\b/,
  ];
  const silent = files.flatMap(([path, text]) => {
    const lines = text.split("\n");
    return lines.flatMap((line, i) => {
      const names =
        /^export (async )?(abstract )?(function|const|class|interface|type(?! \{)|let)\b/;
      if (!names.test(line) || told.some((rule) => rule.test(line))) return [];
      let above = i - 1;
      while (/^\s*\/\/ deno-lint/.test(lines[above] ?? "")) above--;
      return /\*\/\s*$/.test(lines[above] ?? "") ? [] : [`${path}:${i + 1} ${line}`];
    });
  });
  assertEquals(silent, []);
});

Deno.test("imports are sorted: packages, then `@/`, `../` and `./`, each by path", async () => {
  const kinds = ["@/", "../", "./"];
  const rank = (from: string) => `${kinds.findIndex((kind) => from.startsWith(kind))} ${from}`;
  const unordered = [...files, ...await sources("tests/")].filter(([, text]) => {
    const ranks = [...text.matchAll(/^(?:import .*|\} )from "([^"]+)";$/gm)]
      .map(([, from]) => rank(from!));
    return ranks.some((one, i) => i > 0 && one < ranks[i - 1]!);
  });
  assertEquals(unordered.map(([path]) => path), []);
});

Deno.test("files stay short", () => {
  const long = files.filter(([, text]) => text.split("\n").length - 1 > 320).map(([path]) => path);
  assertEquals(long, [], "split by domain");
});

Deno.test("error messages start in upper case and end without a period", () => {
  const wrong = /\bmessage: (["`])([a-z][^"`]*|[^"`]*\.)\1/;
  assertEquals(hits(files, wrong, /^lib\/fresh\//), []);
});
