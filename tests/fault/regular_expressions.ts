import { type Node, parse } from "acorn";
import * as esbuild from "esbuild";

const root = new URL("../../", import.meta.url);
const FOLDERS = ["lib", "routes", "components", "islands"];

/** A regular expression in the program, and its location. */
interface FoundExpression {
  file: string;
  expression: RegExp;
}

/**
 * Every regular expression in the program: literals, read from the sources, and those that modules
 * create when loaded, captured via their constructor.
 */
export async function collectExpressions(): Promise<FoundExpression[]> {
  const found = new Map<string, FoundExpression>();
  const add = (file: string, source: string, flags: string) => {
    const key = `/${source}/${flags}`;
    if (!found.has(key)) found.set(key, { file, expression: new RegExp(source, flags) });
  };
  const made: [string, string][] = [];
  const files: string[] = [];
  for (const folder of FOLDERS) {
    for await (const file of sources(new URL(`${folder}/`, root))) files.push(file);
  }
  for (const file of files) {
    for (const { pattern, flags } of await literalsOf(file)) add(file, pattern, flags);
  }
  const real = globalThis.RegExp;
  globalThis.RegExp = new Proxy(real, {
    construct(target, [source, flags = ""], newTarget) {
      if (typeof source === "string") made.push([source, flags]);
      return Reflect.construct(target, [source, flags], newTarget);
    },
  });
  try {
    for (const file of files) {
      if (file.startsWith("lib/") && (await text(file)).includes("new RegExp(")) {
        // A separate copy of the module: the first may already be loaded.
        await import(`${new URL(file, root).href}?expressions`);
      }
    }
  } finally {
    globalThis.RegExp = real;
  }
  for (const [source, flags] of made) add("new RegExp", source, flags);
  await esbuild.stop();
  return [...found.values()];
}

async function* sources(folder: URL): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* sources(new URL(`${name}/`, folder));
    else if (/\.tsx?$/.test(name)) yield new URL(name, folder).href.slice(root.href.length);
  }
}

function text(file: string): Promise<string> {
  return Deno.readTextFile(new URL(file, root));
}

async function literalsOf(file: string): Promise<{ pattern: string; flags: string }[]> {
  const { code } = await esbuild.transform(await text(file), {
    loader: file.endsWith("x") ? "tsx" : "ts",
    jsx: "automatic",
    target: "esnext",
  });
  const literals: { pattern: string; flags: string }[] = [];
  visit(parse(code, { ecmaVersion: "latest", sourceType: "module" }), (node) => {
    if (node.type === "Literal" && "regex" in node) {
      literals.push(node.regex as { pattern: string; flags: string });
    }
  });
  return literals;
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (typeof node !== "object" || node === null) return;
  if ("type" in node) see(node as Node);
  for (const part of Object.values(node)) visit(part, see);
}
