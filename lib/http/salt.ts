import { randomBytes } from "node:crypto";
import { type Env, SettingError } from "../env.ts";
import { inOneLine } from "../errors.ts";
import { storeKeys } from "../kv/keys.ts";
import { dataFolder } from "../kv/open.ts";
import type { Store } from "../kv/store.ts";
import { sha256 } from "../text/digest.ts";

/**
 * The secret behind identities: `HASH_SALT`, or else a file of mode 0600 beside the embedded KV
 * file, which is made at the first start. It never goes into KV, so that a copy of the database
 * tells nothing about addresses. Throws `SettingError`.
 */
export async function loadSalt(env: Pick<Env, "hashSalt" | "kvPath">): Promise<string> {
  if (env.hashSalt !== undefined) return env.hashSalt;
  const folder = dataFolder(env);
  if (folder === undefined) return makeSalt();
  const file = `${folder}/hash_salt`;
  let salt: string;
  try {
    if (!await exists(file)) await makeFile(file);
    salt = (await Deno.readTextFile(file)).trim();
  } catch (error) {
    throw new SettingError(`Bad setting: HASH_SALT is not set, and: ${inOneLine(error)}`);
  }
  if (salt.length < 32) {
    throw new SettingError(
      `Bad setting: ${file} holds fewer than 32 characters; put the salt of your backup there, or delete it ` +
        `for a new one, with which every voter is new`,
    );
  }
  return salt;
}

/**
 * Notes a digest of the salt in KV; says whether it is another salt than that of the last start.
 */
export function isOtherSalt(store: Store, salt: string): Promise<boolean> {
  const digest = sha256(`salt\n${salt}`);
  return store.transact(async (tx) => {
    const { value } = await tx.get<string>(storeKeys.saltDigest);
    if (value !== digest) tx.set(storeKeys.saltDigest, digest);
    return value !== null && value !== digest;
  });
}

async function exists(file: string): Promise<boolean> {
  try {
    await Deno.stat(file);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * Makes the file, unless another process is first. It gets its name only when it is complete and on
 * the disk, so that a start that is cut off, or a full disk, leaves no broken file that the next
 * start would have to refuse.
 */
async function makeFile(file: string): Promise<void> {
  const partial = `${file}.${crypto.randomUUID()}`;
  try {
    using target = await Deno.open(partial, { write: true, createNew: true, mode: 0o600 });
    await target.write(new TextEncoder().encode(makeSalt()));
    await target.sync();
    await Deno.link(partial, file);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  } finally {
    await Deno.remove(partial).catch(() => {});
  }
}

function makeSalt(): string {
  return randomBytes(32).toString("hex");
}
