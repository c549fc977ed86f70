import { displayHost } from "../lib/text/web_url.ts";

/** Marks content that came in a signed request. */
export function SignedBy({ host }: { host: string | null }) {
  return host === null ? null : <span class="label">signed by {displayHost(host)}</span>;
}
