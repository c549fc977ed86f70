import { type Env, SettingError } from "../env.ts";
import { dataFolder, inOneLine } from "./open.ts";

/**
 * The secret behind identities: `HASH_SALT`, or else a file of mode 0600 beside the embedded KV
 * file, which is made at the first start. It never goes into KV, so that a copy of the database
 * tells nothing about addresses. `isNew` says whether the file was made just now. Throws
 * `SettingError`.
 */
export async function loadSalt(
  env: Pick<Env, "hashSalt" | "kvPath">,
): Promise<{ salt: string; isNew: boolean }> {
  if (env.hashSalt !== undefined) return { salt: env.hashSalt, isNew: false };
  const folder = dataFolder(env);
  if (folder === undefined) return { salt: randomSalt(), isNew: false };
  const file = `${folder}/hash_salt`;
  let salt: string;
  let isNew = false;
  try {
    const known = await readFile(file);
    isNew = known === null && await makeFile(file);
    salt = (known ?? await Deno.readTextFile(file)).trim();
  } catch (error) {
    throw new SettingError(`Bad setting: HASH_SALT is not set, and: ${inOneLine(error)}`);
  }
  if (salt.length < 32) {
    throw new SettingError(
      `Bad setting: ${file} holds fewer than 32 characters; put the salt of your backup there, or delete it ` +
        `for a new one, with which every voter is new`,
    );
  }
  return { salt, isNew };
}

async function readFile(file: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/**
 * Makes the file; returns false if another process was first. The file gets its name only when it
 * is complete and on the disk, so that a start that is cut off, or a full disk, leaves no broken
 * file that the next start would have to refuse.
 */
async function makeFile(file: string): Promise<boolean> {
  const partial = `${file}.${crypto.randomUUID()}`;
  try {
    using target = await Deno.open(partial, { write: true, createNew: true, mode: 0o600 });
    await target.write(new TextEncoder().encode(randomSalt()));
    await target.sync();
    await Deno.link(partial, file);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  } finally {
    await Deno.remove(partial).catch(() => {});
  }
}

function randomSalt(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toHex();
}
