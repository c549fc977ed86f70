/**
 * Keys of signed requests.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["seen_signatures", SHA-256 of a signature] | true, so that it counts once; expires soon after the signature, in up to a day and three minutes | `Signatures` |
 */
export const signatureKeys = {
  seen: (digest: string) => ["seen_signatures", digest],
} as const;
