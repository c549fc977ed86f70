/** One click stops all emails to an address (RFC 8058), and another resumes them. */
import type { Core } from "../core.ts";
import { DomainError } from "../errors.ts";
import type { Identity } from "../http/identity.ts";
import { emailForm } from "../text/addresses.ts";
import { paths, withQuery } from "../urls.ts";
import { noticeKeys } from "./keys.ts";

/** The length of the pseudonym in a token; the rest proves that we made the token. */
const PSEUDONYM_LENGTH = 43;

function pseudonymOf(identity: Identity, address: string): string {
  return identity.secret(`email\n${emailForm(address)}`);
}

function tokenOf(identity: Identity, pseudonym: string): string {
  return pseudonym + identity.secret(`unsubscribe\n${pseudonym}`).slice(0, 22);
}

/** The page for unsubscribing an address. Its path does not contain the address. */
export function unsubscribePath(identity: Identity, address: string): string {
  return withQuery(paths.unsubscribe, {
    token: tokenOf(identity, pseudonymOf(identity, address)),
  });
}

/** Whether an address has unsubscribed. */
export async function isOptedOut({ store, identity }: Core, address: string): Promise<boolean> {
  return (await store.get(noticeKeys.optOut(pseudonymOf(identity, address)))).value !== null;
}

/** The pseudonym in a token that we made. Throws `not_found` for any other. */
function readToken(identity: Identity, token: string): string {
  const pseudonym = token.slice(0, PSEUDONYM_LENGTH);
  // The first part is a secret too, so the time that a comparison takes helps nobody.
  if (tokenOf(identity, pseudonym) !== token) throw new DomainError("not_found");
  return pseudonym;
}

/**
 * Whether a token's address is unsubscribed. Throws `not_found` for a token that we did not make.
 */
export async function readOptOut({ store, identity }: Core, token: string): Promise<boolean> {
  const key = noticeKeys.optOut(readToken(identity, token));
  return (await store.get(key)).value !== null;
}

/**
 * Stops all emails to a token's address, or resumes them; repeating it changes nothing. Throws
 * `not_found` for a token that we did not make.
 */
export async function setOptOut({ store, identity, clock }: Core, token: string, isOut: boolean) {
  const key = noticeKeys.optOut(readToken(identity, token));
  await store.transact(async (tx) => {
    const { value } = await tx.get<number>(key);
    if ((value !== null) === isOut) return;
    if (isOut) tx.set(key, clock.now());
    else tx.delete(key);
  });
}
