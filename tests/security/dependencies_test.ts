import { assert, assertEquals } from "@std/assert";

const root = new URL("../../", import.meta.url);
/** Licenses that let anyone use, change and sell what is made with them. */
const PERMISSIVE = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
  "Zlib",
]);
/** Other packages, each with the reason why it is allowed. */
const EXCEPTIONS: Record<string, string> = {
  "@expo-google-fonts/newsreader": "MIT AND OFL-1.1; typefaces, used unchanged",
  "@expo-google-fonts/noto-naskh-arabic": "MIT AND OFL-1.1; typefaces, used unchanged",
  "@expo-google-fonts/noto-serif": "MIT AND OFL-1.1; typefaces, used unchanged",
  "@resvg/resvg-wasm": "MPL-2.0; used unchanged, as its own file",
  "axe-core": "MPL-2.0; tests only, unchanged",
};

async function lock(): Promise<Record<string, unknown>> {
  const file = JSON.parse(await Deno.readTextFile(new URL("deno.lock", root)));
  return file.npm as Record<string, { integrity?: string }>;
}

/** The folder where Deno keeps packages, according to Deno. */
async function packagesFolder(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return `${JSON.parse(new TextDecoder().decode(stdout)).npmCache}`;
}

function packageOf(id: string): { name: string; version: string } {
  const [, name = "", version = ""] = /^(@?[^@]+)@([^_]+)/.exec(id) ?? [];
  return { name, version };
}

Deno.test("every package in the lock file has a hash and comes from npm", async () => {
  const file = JSON.parse(await Deno.readTextFile(new URL("deno.lock", root)));
  assertEquals(Object.keys(file.jsr ?? {}), []);
  assertEquals(Object.keys(file.remote ?? {}), []);
  const packages = Object.entries(await lock() as Record<string, { integrity?: string }>);
  assert(packages.length > 50);
  assertEquals(packages.filter(([, { integrity }]) => !integrity?.startsWith("sha")), []);
});

Deno.test("every import in deno.json is pinned to an exact version", async () => {
  const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  for (const [name, target] of Object.entries(imports as Record<string, string>)) {
    if (!target.startsWith("npm:")) continue;
    assert(
      /^npm:\/?(@[^/]+\/)?[^@/]+@\d+\.\d+\.\d+(-[\w.]+)?(\/.*)?$/.test(target),
      `${name}: ${target}`,
    );
  }
});

Deno.test("every installed package in the lock file has a permissive license", async () => {
  const cache = await packagesFolder();
  const hosts = (await Array.fromAsync(Deno.readDir(cache))).map(({ name }) => name);
  const problems: string[] = [];
  let read = 0;
  for (const id of Object.keys(await lock())) {
    const { name, version } = packageOf(id);
    let text: string | undefined;
    for (const host of hosts) {
      text ??= await Deno.readTextFile(`${cache}/${host}/${name}/${version}/package.json`)
        .catch(() => undefined);
    }
    // Packages for other platforms are in the lock file but not on this machine.
    if (text === undefined) continue;
    read++;
    const { license, licenses } = JSON.parse(text);
    const said = String(license?.type ?? license ?? licenses?.[0]?.type ?? "none");
    const choices = said.replace(/[()]/g, "").split(/ OR /);
    const isFine = choices.some((choice) => choice.split(" AND ").every((l) => PERMISSIVE.has(l)));
    if (!isFine && !Object.hasOwn(EXCEPTIONS, name)) problems.push(`${name}@${version}: ${said}`);
  }
  assert(read > 50, `${read} packages read`);
  assertEquals(problems, []);
});
