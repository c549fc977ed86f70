import { signatureHeaders } from "web-bot-auth";
import { signerFromJWK } from "web-bot-auth/crypto";
import type { Fetcher } from "@/lib/fetching/fetcher.ts";
import { sha256 } from "@/lib/text/digest.ts";

/** The test key of RFC 9421, appendix B.1.4. */
export const TEST_JWK = {
  kty: "OKP",
  crv: "Ed25519",
  d: "n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU",
  x: "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs",
} as const;

/** A key's name: its thumbprint (RFC 7638). */
export function thumbprint({ crv, kty, x }: { crv: string; kty: string; x: string }): string {
  return sha256(JSON.stringify({ crv, kty, x }));
}

/** A fetcher for hosts that publish keys, by their directory's text. Records its requests. */
export function directoryFetcher(bodies: Record<string, string | undefined>) {
  const asked: string[] = [];
  const fetcher: Pick<Fetcher, "get"> = {
    get(url) {
      asked.push(url);
      const body = bodies[new URL(url).hostname];
      return Promise.resolve(
        body === undefined
          ? { ok: false, problem: "unreachable" }
          : { ok: true, status: 200, url, redirects: [], body },
      );
    },
  };
  return { fetcher, asked };
}

/** The directory of the test key. */
export const DIRECTORY = JSON.stringify({
  keys: [{ kty: "RSA", n: "x", e: "AQAB" }, {
    kty: TEST_JWK.kty,
    crv: TEST_JWK.crv,
    x: TEST_JWK.x,
  }],
});

/** The headers of a request signed by the npm library `web-bot-auth`. */
export async function signed(
  url: string,
  options: {
    now: number;
    agent?: string;
    method?: string;
    seconds?: number;
    headers?: HeadersInit;
  },
): Promise<Record<string, string>> {
  const { now, agent = "https://agent.example", method = "POST", seconds = 300 } = options;
  const headers = new Headers(options.headers);
  headers.set("Signature-Agent", `"${agent}"`);
  const made = await signatureHeaders(
    new Request(url, { method, headers }),
    await signerFromJWK({ ...TEST_JWK }),
    { created: new Date(now), expires: new Date(now + seconds * 1_000) },
  );
  return { ...Object.fromEntries(headers), ...made as unknown as Record<string, string> };
}
