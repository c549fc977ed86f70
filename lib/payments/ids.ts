const ALPHABET = "abcdefghjkmnpqrstvwxyz0123456789";
const CHECKOUT_ID = /^(ord|bid)_[a-z0-9]{20}$/;

/** Whether an id was made by `createCheckoutId`, here or by another database of this program. */
export function isCheckoutId(id: string | null): id is string {
  return id !== null && CHECKOUT_ID.test(id);
}

/** A new id of a checkout: its prefix and 100 random bits. */
export function createCheckoutId(prefix: "ord" | "bid"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return `${prefix}_${Array.from(bytes, (byte) => ALPHABET[byte % 32]).join("")}`;
}
