import { sha256 } from "./digest.ts";

/**
 * The form in which names are compared: NFKC, case folded, runs of whitespace as one space. It goes
 * through upper case, so that "ß" equals "SS" and a final sigma equals the others.
 */
export function foldName(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC")
    .replace(/\s+/g, " ").trim();
}

/** The key part that stands for a name in KV: 132 bits of the SHA-256 over its folded form. */
export function nameKey(name: string): string {
  return sha256(foldName(name)).slice(0, 22);
}
