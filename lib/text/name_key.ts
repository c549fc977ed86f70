import { sha256 } from "./digest.ts";

/**
 * The form used to compare names: NFKC, case folded, with runs of whitespace as one space.
 * Uppercasing first makes "ß" equal "SS" and a final sigma equal the others.
 */
export function foldName(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC")
    .replace(/\s+/g, " ").trim();
}

/** The KV key part for a name: 132 bits of the SHA-256 of its folded form. */
export function nameKey(name: string): string {
  return sha256(foldName(name)).slice(0, 22);
}
