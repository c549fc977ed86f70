import { type Env, SettingError } from "../env.ts";
import { dataFolder, inOneLine } from "./open.ts";

/**
 * The secret behind identities: `HASH_SALT`, else a file of mode 0600 beside the embedded KV file, made at
 * the first start. It never goes into KV, so a copy of the database tells nothing about addresses. `isNew` says
 * that the file was made now.
 */
export async function loadSalt(
  env: Pick<Env, "hashSalt" | "kvPath">,
): Promise<{ salt: string; isNew: boolean }> {
  if (env.hashSalt !== undefined) return { salt: env.hashSalt, isNew: false };
  const folder = dataFolder(env);
  if (folder === undefined) return { salt: randomSalt(), isNew: false };
  const file = `${folder}/hash_salt`;
  let salt: string;
  let isNew = true;
  try {
    await Deno.writeTextFile(file, randomSalt(), { createNew: true, mode: 0o600 })
      .catch((error) => {
        if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
        isNew = false;
      });
    salt = (await Deno.readTextFile(file)).trim();
  } catch (error) {
    throw new SettingError(`Bad setting: HASH_SALT is not set, and: ${inOneLine(error)}`);
  }
  if (salt.length < 32) {
    throw new SettingError(`Bad setting: ${file} holds fewer than 32 characters`);
  }
  return { salt, isNew };
}

function randomSalt(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toHex();
}
