/**
 * Writes for each folder of tests a module that imports them all, and prints what `deno test` runs:
 * those modules, so that a folder shares a worker. To load and compile the service takes a worker
 * more than half a second, and most files less after it.
 */
import { readdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Folders whose own files are workers each: they take long, start processes and browsers, or build an
 * app of their own each, and a worker has one build.
 */
const ALONE = ["tests/e2e", "tests/fault", "tests/fresh"];
/** Folders with fewer files than this share one worker among them. */
const SMALL = 4;
/** Kept out of the repository. */
const GROUPS = "tests/artefacts/groups";

const files = readdirSync("tests", { recursive: true }).map((path) => `tests/${path}`)
  .filter((path) => /(^|[/._])test\.m?[jt]sx?$/.test(path)).sort();
const alone = files.filter((file) => ALONE.includes(dirname(file)));
const folders = Object.entries(
  Object.groupBy(files.filter((file) => !alone.includes(file)), dirname),
);
const groups = Object.groupBy(
  folders,
  ([folder, files]) => files!.length < SMALL ? "small" : folder.replaceAll("/", "_"),
);
await Deno.mkdir(GROUPS, { recursive: true });
const modules = Object.entries(groups).map(([name, folders]) => {
  const files = folders!.flatMap(([, files]) => files!);
  const module = `${GROUPS}/${name}.ts`;
  Deno.writeTextFileSync(module, files.map((file) => `import "@/${file}";\n`).join(""));
  return module;
});
// deno-lint-ignore no-console -- its output is what runs
console.log([...alone, ...modules].join(" "));
