import { hash } from "node:crypto";

/** SHA-256 of text as UTF-8. */
export function sha256(text: string, encoding: "base64url" | "hex" = "base64url"): string {
  return hash("sha256", text, encoding);
}
