import { cp } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What the start command needs, without anything only tests need. */
const PARTS =
  "components deno.json deno.lock dev.ts fetcher.ts islands lib main.ts routes serve.ts static"
    .split(" ");

/** Copies the site to a new temporary folder and returns its path. */
export async function copySite(prefix = "projectory"): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix });
  for (const part of PARTS) await cp(root + part, `${folder}/${part}`, { recursive: true });
  return folder;
}
