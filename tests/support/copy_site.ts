import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What the start command needs, without anything only tests need. */
const PARTS = ["components", "islands", "lib", "routes", "static"];
const FILES = ["deno.json", "deno.lock", "dev.ts", "fetcher.ts", "main.ts", "serve.ts"];

/** Copies the site to a new temporary folder and returns its path. */
export async function copySite(prefix = "projectory"): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix });
  for (const part of PARTS) await copyFolder(root + part, `${folder}/${part}`);
  for (const file of FILES) await Deno.copyFile(root + file, `${folder}/${file}`);
  return folder;
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}
