const ALPHABET = "abcdefghjkmnpqrstvwxyz0123456789";

/** A new id of a checkout: its prefix and 100 random bits. */
export function createCheckoutId(prefix: "ord" | "bid"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return `${prefix}_${Array.from(bytes, (byte) => ALPHABET[byte % 32]).join("")}`;
}
