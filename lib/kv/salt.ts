import { type Env, SettingError } from "../env.ts";
import { dataFolder, inOneLine } from "./open.ts";

/**
 * The secret behind identities: `HASH_SALT`, else a file of mode 0600 beside the embedded KV file, made at
 * the first start. It never goes into KV, so a copy of the database tells nothing about addresses.
 */
export async function loadSalt(env: Pick<Env, "hashSalt" | "kvPath">): Promise<string> {
  if (env.hashSalt !== undefined) return env.hashSalt;
  const folder = dataFolder(env);
  if (folder === undefined) return randomSalt();
  const file = `${folder}/hash_salt`;
  let salt: string;
  try {
    await Deno.writeTextFile(file, randomSalt(), { createNew: true, mode: 0o600 })
      .catch((error) => {
        if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      });
    salt = (await Deno.readTextFile(file)).trim();
  } catch (error) {
    throw new SettingError(`Bad setting: HASH_SALT is not set, and: ${inOneLine(error)}`);
  }
  if (salt.length < 32) {
    throw new SettingError(`Bad setting: ${file} holds fewer than 32 characters`);
  }
  return salt;
}

function randomSalt(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toHex();
}
