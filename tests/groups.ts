/**
 * Writes modules that import the files of tests, and prints what `deno test` runs: those modules, so
 * that many files share a worker. To load and compile the service takes a worker some seconds of
 * processor time, and most files less after it.
 */
import { readdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * How many workers share the files right in a folder. They start browsers and processes, take long,
 * and run first, so that none of them is left alone in the end.
 */
const LONG: Record<string, number> = { "tests/e2e": 3, "tests/fault": 3 };
/** How many share those of all other folders. */
const OTHERS = 10;
/** Its files build an app of their own each, and a worker has one build. */
const ALONE = "tests/fresh";
/** Kept out of the repository. */
const GROUPS = "tests/artefacts/groups";

const files = readdirSync("tests", { recursive: true }).map((path) => `tests/${path}`)
  .filter((path) => /(^|[/._])test\.m?[jt]sx?$/.test(path)).sort();
const groups = Object.groupBy(
  files,
  (file) => [ALONE, ...Object.keys(LONG)].find((folder) => folder === dirname(file)) ?? "others",
);
await Deno.mkdir(GROUPS, { recursive: true });

/** Deals files out to modules, like cards, and returns the paths of the modules. */
function deal(name: string, files: string[], workers: number): string[] {
  return Array.from({ length: workers }, (_, i) => {
    const module = `${GROUPS}/${name}_${i + 1}.ts`;
    const own = files.filter((_, at) => at % workers === i);
    Deno.writeTextFileSync(module, own.map((file) => `import "@/${file}";\n`).join(""));
    return module;
  });
}

const modules = [
  ...Object.entries(LONG).flatMap(([folder, workers]) =>
    deal(folder.replace("/", "_"), groups[folder]!, workers)
  ),
  ...deal("others", groups.others!, OTHERS),
  ...groups[ALONE]!,
];
// deno-lint-ignore no-console -- its output is what runs
console.log(modules.join(" "));
