import { randomBytes } from "node:crypto";
import { type Env, SettingError } from "../env.ts";
import { inOneLine } from "../errors.ts";
import { storeKeys } from "../kv/keys.ts";
import { dataFolder } from "../kv/open.ts";
import type { Store } from "../kv/store.ts";
import { sha256 } from "../text/digest.ts";

/**
 * The secret behind identities: `HASH_SALT`, or a file of mode 0600 next to the embedded KV file,
 * created if missing and `mayMake` is set. It is never stored in KV, so a database copy reveals
 * nothing about addresses. Throws `SettingError`.
 */
export async function loadSalt(
  env: Pick<Env, "hashSalt" | "kvPath">,
  { mayMake }: { mayMake: boolean },
): Promise<string> {
  if (env.hashSalt !== undefined) return env.hashSalt;
  const folder = dataFolder(env);
  if (folder === undefined) return makeSalt();
  const file = `${folder}/hash_salt`;
  let salt: string;
  try {
    const bytes = await Deno.readFile(file).catch(async (error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      if (!mayMake) throw otherSalt(`${file} is missing`);
      await makeFile(file);
      return await Deno.readFile(file);
    });
    // Drops a byte order mark, which some editors add.
    salt = new TextDecoder("utf-8", { fatal: true }).decode(bytes).trim();
  } catch (error) {
    if (error instanceof SettingError) throw error;
    throw new SettingError(
      `Bad setting: HASH_SALT is not set, and ${file} is unusable: ${inOneLine(error)}`,
    );
  }
  if (salt.length < 32) {
    throw new SettingError(
      `Bad setting: ${file} has fewer than 32 characters. Put the salt from your backup there, or delete ` +
        "the file and start once with --accept-new-salt, which makes every voter count as new, so everyone can vote again",
    );
  }
  return salt;
}

/**
 * Checks that the salt belongs to the database. With another salt, every voter would count as new
 * and could vote again, so it is refused unless the operator accepts it; `health` then reports
 * that. KV stores only a digest of the salt. Throws `SettingError`.
 */
export async function requireSalt(
  store: Store,
  env: Pick<Env, "hashSalt" | "kvPath">,
  { acceptNew }: { acceptNew: boolean },
): Promise<string> {
  return await store.transact(async (tx) => {
    const { value: known } = await tx.get<string>(storeKeys.saltDigest);
    const salt = await loadSalt(env, { mayMake: known === null || acceptNew });
    const digest = sha256(`salt\n${salt}`);
    if (known === digest) return salt;
    if (known !== null) {
      if (!acceptNew) throw otherSalt("the database was made with a different salt");
      tx.set(storeKeys.saltAcceptedAt, store.clock.now());
    }
    tx.set(storeKeys.saltDigest, digest);
    return salt;
  });
}

function otherSalt(why: string): SettingError {
  return new SettingError(
    `Bad setting: ${why} (HASH_SALT, or the file hash_salt next to the database). Put back the salt from ` +
      "your backup, or start once with --accept-new-salt, which makes every voter count as new, so everyone can vote again",
  );
}

/**
 * Creates the file, unless another process is first. It gets its name only once complete and on
 * disk, so an aborted start or a full disk leaves no broken file for the next start to refuse.
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
