/**
 * Writes modules that import the test files, and prints those modules for `deno test` to run, so
 * that many files share a worker. Loading and compiling the service takes a worker a few seconds
 * of processor time, more than most files take after that.
 */
import { readdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * How many workers share the files directly in a folder. The first two start browsers and
 * processes, take long, and start first, so that none of them runs last by itself. The last builds
 * a site of its own, and a worker can have only one build.
 */
const FOLDERS: Record<string, number> = { "tests/fault": 2, "tests/e2e": 2, "tests/fresh": 1 };
/** How many workers share the files of all other folders. */
const OTHERS = 5;
/** Kept out of the repository. */
const GROUPS = "tests/artifacts/groups";

const files = readdirSync("tests", { recursive: true }).map((path) => `tests/${path}`)
  .filter((path) => /(^|[/._])test\.m?[jt]sx?$/.test(path)).sort();
const groups = Object.groupBy(
  files,
  (file) => Object.hasOwn(FOLDERS, dirname(file)) ? dirname(file) : "others",
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
  ...Object.entries(FOLDERS).flatMap(([folder, workers]) =>
    deal(folder.replace("/", "_"), groups[folder]!, workers)
  ),
  ...deal("others", groups.others!, OTHERS),
];
// deno-lint-ignore no-console -- its output is what runs
console.log(modules.join(" "));
