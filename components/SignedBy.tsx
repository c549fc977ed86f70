import { displayHost } from "../lib/text/web_url.ts";

/** Marks what came by a request that a host has signed. */
export function SignedBy({ host }: { host: string | null }) {
  return host === null ? null : <span class="label">signed by {displayHost(host)}</span>;
}
