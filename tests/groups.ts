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
/** Kept out of the repository. */
const GROUPS = "tests/artefacts/groups";

const files = readdirSync("tests", { recursive: true }).map((path) => `tests/${path}`)
  .filter((path) => /(^|[/._])test\.m?[jt]sx?$/.test(path)).sort();
const isAlone = (file: string) => ALONE.includes(dirname(file));
const shared = files.filter((file) => !isAlone(file));
await Deno.mkdir(GROUPS, { recursive: true });
const groups = Object.entries(Object.groupBy(shared, dirname)).map(([folder, files]) => {
  const group = `${GROUPS}/${folder.replaceAll("/", "_")}.ts`;
  Deno.writeTextFileSync(group, files!.map((file) => `import "@/${file}";\n`).join(""));
  return group;
});
// deno-lint-ignore no-console -- its output is what runs
console.log([...files.filter(isAlone), ...groups].join(" "));
