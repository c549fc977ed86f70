import { createHash } from "node:crypto";

/** SHA-256 of a text as UTF-8. (`hash` of `node:crypto`, which does the same in one call, takes Deno longer.) */
export function sha256(text: string, encoding: "base64url" | "hex" = "base64url"): string {
  return createHash("sha256").update(text).digest(encoding);
}
