import { assert, assertEquals } from "@std/assert";
import { dirname, join } from "node:path/posix";

const root = new URL("../", import.meta.url);

type Sources = readonly (readonly [path: string, text: string])[];

/** Every source file below a folder, with its path from the root. */
async function sources(folder: string): Promise<[path: string, text: string][]> {
  const found: [string, string][] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    const path = `${folder}${name}`;
    if (isDirectory) found.push(...await sources(`${path}/`));
    else if (/\.tsx?$/.test(path)) found.push([path, await Deno.readTextFile(new URL(path, root))]);
  }
  return found;
}

/** Imports and exports from a module, static or not, of values or types, on one line or several. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"((?:\.{1,2}|@)\/[^"]+)"/g;

/** The project files that each file imports. */
function importsOf(files: Sources): { from: string; to: string }[] {
  return files.flatMap(([from, text]) =>
    [...text.matchAll(IMPORT)].map(([, address]) => ({
      from,
      to: address!.startsWith("@/") ? address!.slice(2) : join(dirname(from), address!),
    }))
  );
}

/** The room of a file in lib: its folder, or the file itself if directly in lib; null elsewhere. */
function roomOf(path: string): string | null {
  const [top, name, ...rest] = path.split("/");
  return top !== "lib" ? null : rest.length > 0 ? `${name}/` : name!;
}

/** The imports between two rooms, by their names: "listings/ -> votes/". */
function tiesOf(files: Sources): Map<string, string[]> {
  const ties = new Map<string, string[]>();
  for (const { from, to } of importsOf(files)) {
    const [room, other] = [roomOf(from), roomOf(to)];
    if (room === null || other === null || room === other) continue;
    const tie = `${room} -> ${other}`;
    ties.set(tie, [...ties.get(tie) ?? [], `${from} -> ${to}`]);
  }
  return ties;
}

/** The ties that are part of a cycle, each with its files. */
function circles(ties: ReadonlyMap<string, string[]>): string[] {
  const next = Map.groupBy([...ties.keys()].map((tie) => tie.split(" -> ")), ([room]) => room!);
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const [, to] of next.get(from) ?? []) if (!seen.has(to!)) reach(to!, seen.add(to!));
    return seen;
  };
  const reached = new Map([...next.keys()].map((room) => [room, reach(room)]));
  return [...ties].filter(([tie]) => {
    const [room, other] = tie.split(" -> ") as [string, string];
    return reached.get(other)?.has(room);
  }).map(([tie, files]) => `${tie} (${files.join(", ")})`);
}

/** The groups of rooms in the diagram of `docs/architecture.md`, from top to bottom. */
async function picture(): Promise<string[][]> {
  const page = await Deno.readTextFile(new URL("docs/architecture.md", root));
  const drawn = /```mermaid\n(.*?)```/s.exec(page)![1]!;
  return [...drawn.matchAll(/^ *\w+\["(.*?)"\]/gm)]
    .map(([, label]) => label!.split("<br>")[1]!.match(/\w+(\/|\.tsx?)/g)!);
}

/** Generic rooms: each can be changed, or reused elsewhere, without any feature. */
const PLAIN = [
  "cache/",
  "fetching/",
  "http/",
  "kv/",
  "openapi/",
  "payments/",
  "read_model/",
  "search/",
];

const files = await sources("lib/");
const ties = tiesOf(files);

Deno.test("circles detects a cycle, whatever the form of import", () => {
  const ways = [
    `import { b } from "../b/b.ts";`,
    `import {\n  type B,\n  b,\n} from "../b/b.ts";`,
    `import type { B } from "../b/b.ts";`,
    `import "../b/b.ts";`,
    `export * from "../b/b.ts";`,
    `const { b } = await import("../b/b.ts");`,
    `let b: import("@/lib/b/b.ts").B;`,
    `import { b } from "@/lib/b/b.ts";`,
  ];
  for (const way of ways) {
    const planted = tiesOf([
      ["lib/a/a.ts", way],
      ["lib/b/b.ts", `import { c } from "../c.ts";`],
      ["lib/c.ts", `import { a } from "./a/a.ts";`],
      ["lib/d.ts", `import { a } from "./a/a.ts";`],
    ]);
    assertEquals(circles(planted), [
      "a/ -> b/ (lib/a/a.ts -> lib/b/b.ts)",
      "b/ -> c.ts (lib/b/b.ts -> lib/c.ts)",
      "c.ts -> a/ (lib/c.ts -> lib/a/a.ts)",
    ], way);
  }
});

Deno.test("the folders of lib have no circular imports", () => {
  assertEquals(circles(ties), []);
});

Deno.test("the architecture diagram shows every folder, and imports only point down", async () => {
  const groups = await picture();
  const level = new Map(groups.flatMap((rooms, i) => rooms.map((room) => [room, i])));
  const rooms = new Set(files.map(([path]) => roomOf(path)!));
  assertEquals([...rooms].filter((room) => !level.has(room)), [], "missing from the diagram");
  const upward = [...ties].filter(([tie]) => {
    const [room, other] = tie.split(" -> ") as [string, string];
    return level.get(other)! < level.get(room)!;
  });
  assertEquals(upward, []);
});

Deno.test("generic folders import no features", async () => {
  const groups = await picture();
  const ground = groups.findIndex((rooms) => rooms.includes("http/"));
  const features = new Set(groups.slice(0, ground).flat());
  const known = [...ties].filter(([tie]) => {
    const [room, other] = tie.split(" -> ") as [string, string];
    return PLAIN.includes(room) && features.has(other);
  });
  assertEquals(known, []);
});

Deno.test("lib imports nothing from routes, components or islands, except the error page", () => {
  const above = importsOf(files).filter(({ to }) => /^(routes|components|islands)\//.test(to))
    .map(({ from, to }) => `${from} -> ${to}`);
  assertEquals(above, ["lib/app/boundary.tsx -> components/ErrorPage.tsx"]);
  const absolute = files.flatMap(([path, text]) =>
    /(?<!resolve\()"@\/lib\//.test(text) ? [path] : []
  );
  assertEquals(absolute, [], "rooms of lib import each other by relative addresses");
});

Deno.test("few files are directly in lib", () => {
  const right = files.filter(([path]) => path.split("/").length === 2);
  assert(right.length <= 16, `${right.length} files`);
});

Deno.test("no file of lib loads itself through others", () => {
  const loads = files.flatMap(([from, text]) =>
    [...text.matchAll(LOADED)].filter(([, name]) => name!.startsWith("."))
      .map(([, name]) => `${from} -> ${join(dirname(from), name!)}`)
  );
  assertEquals(circles(new Map(loads.map((load) => [load, [load]]))), []);
});

/** All files and packages that some files load through static imports of values. */
function loadedWith(entries: readonly string[], all: ReadonlyMap<string, string>): Set<string> {
  const loaded = new Set<string>();
  const add = (path: string) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const [, name] of (all.get(path) ?? "").matchAll(LOADED)) {
      if (name!.startsWith("@/")) add(name!.slice(2));
      else add(name!.startsWith(".") ? join(dirname(path), name!) : name!);
    }
  };
  entries.forEach(add);
  return loaded;
}

const LOADED = /^(?:import|export)\b(?! type\b)(?:[^"';]*? from)? "([^"]+)";/gm;

Deno.test("startup doesn't load Stripe's client or the MCP SDK", async () => {
  const routes = await sources("routes/");
  const pages = await Promise.all([sources("components/"), sources("islands/")]);
  const main = await Deno.readTextFile(new URL("main.ts", root));
  const all = new Map([...files, ...routes, ...pages.flat(), ["main.ts", main]]);
  const loaded = loadedWith(["main.ts", ...routes.map(([path]) => path)], all);
  assert(loaded.has("zod") && loaded.has("lib/payments/failures.ts"), "the walk found too little");
  assertEquals([...loaded].filter((name) => /^(stripe$|@modelcontextprotocol)/.test(name)), []);
  const planted = loadedWith(
    ["a.ts"],
    new Map([["a.ts", `import {\n  b,\n} from "./b.ts";`], ["b.ts", `export * from "stripe";`]]),
  );
  assert(planted.has("stripe"));
});
