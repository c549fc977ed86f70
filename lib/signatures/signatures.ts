import { verifySignature, webcrypto } from "http-message-sig";
import { isInnerList, parseDictionary, parseItem } from "structured-headers";
import { type Clock, DAY_MS } from "../clock.ts";
import type { Fetcher } from "../fetching/fetcher.ts";
import { attempt } from "../kv/attempt.ts";
import type { Store } from "../kv/store.ts";
import { sha256 } from "../text/digest.ts";
import type { Urls } from "../urls.ts";
import { KeyDirectories } from "./directories.ts";
import { signatureKeys } from "./keys.ts";

/** The tag of these signatures. */
const TAG = "web-bot-auth";
const AGENT = "signature-agent";
/** How far (s) a signer's clock may be off, and how old a signature may be. */
const SKEW_S = 60;
const AGE_S = DAY_MS / 1_000;
/** How long (ms) a request waits for its signature to be verified. */
const PATIENCE_MS = 3_000;

/** The parts of a request that a signature covers. */
interface SentRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Headers;
}

/**
 * Verifies who signed a request: Web Bot Auth (draft-ietf-webbotauth-httpsig-protocol) with HTTP
 * Message Signatures (RFC 9421), using Ed25519. A signature counts only once.
 */
export class Signatures {
  readonly #clock: Clock;
  readonly #store: Store;
  readonly #urls: Urls;
  /** Null if other hosts can't be read. Then no request counts as signed. */
  readonly #directories: KeyDirectories | null;

  constructor(
    deps: { clock: Clock; store: Store; urls: Urls; fetcher: Pick<Fetcher, "get"> | null },
  ) {
    const { clock, store, urls, fetcher } = deps;
    this.#clock = clock;
    this.#store = store;
    this.#urls = urls;
    this.#directories = fetcher && new KeyDirectories({ clock, fetcher });
  }

  /** The host that signed a request; null if unsigned or invalid. Never throws. */
  async signerOf(request: SentRequest): Promise<string | null> {
    const { headers } = request;
    if (this.#directories === null || !headers.get(AGENT) || !headers.get("signature")) return null;
    const directories = this.#directories;
    try {
      return await attempt(() => this.#verify(directories, request), PATIENCE_MS);
    } catch {
      return null;
    }
  }

  async #verify(directories: KeyDirectories, request: SentRequest): Promise<string | null> {
    const { method, path, headers } = request;
    const now = Math.floor(this.#clock.now() / 1_000);
    let origin = "";
    const { signature, parameters } = await verifySignature({
      kind: "request",
      method,
      // The public URL, even if a proxy uses another one.
      targetUri: this.#urls.base + path,
      fields: [...headers].filter(([, value]) => /^[\t -~]*$/.test(value))
        .map(([name, value]) => ({ name, value })),
    }, {
      label: labelOf(headers.get("signature-input") ?? ""),
      policy: {
        algorithms: ["ed25519"],
        requiredComponents: ["@authority"],
        requiredParameters: ["created", "expires", "keyid", "tag"],
        now,
        maxAge: AGE_S,
        clockSkew: SKEW_S,
      },
      async resolveVerifier({ components, parameters }) {
        const signed = components.find(({ name }) => name === AGENT);
        if (signed === undefined) throw new Error("Signature-Agent is not signed");
        origin = agentOf(headers.get(AGENT)!, signed.parameters.key as string | undefined);
        const key = await directories.find(origin, parameters.keyid!);
        if (key === undefined) throw new Error("The key is unknown");
        return webcrypto.verifier(key);
      },
    });
    const expires = Math.min(parameters.expires!, parameters.created! + AGE_S);
    const isNew = await this.#note(signature, expires - now);
    return isNew ? new URL(origin).hostname : null;
  }

  /** Remembers a signature until it expires (in s). Returns false if it was seen before. */
  #note(signature: Uint8Array, seconds: number): Promise<boolean> {
    const expireIn = (Math.max(0, seconds) + 2 * SKEW_S) * 1_000;
    const key = signatureKeys.seen(sha256(String(signature)));
    return this.#store.transact(async (tx) => {
      if ((await tx.get(key)).value !== null) return false;
      tx.set(key, true, { expireIn });
      return true;
    });
  }
}

/** The label of the signature with this tag. Throws if there is none. */
function labelOf(input: string): string {
  for (const [label, member] of parseDictionary(input)) {
    if (isInnerList(member) && member[1].get("tag") === TAG) return label;
  }
  throw new Error(`No signature has the tag ${TAG}`);
}

/**
 * The origin in `Signature-Agent`: a string, or the member `key` of a dictionary. Throws if
 * invalid.
 */
function agentOf(header: string, key: string | undefined): string {
  const value = key === undefined ? parseItem(header)[0] : parseDictionary(header).get(key)?.[0];
  const url = URL.parse(String(value));
  if (url === null || url.protocol !== "https:" || url.pathname !== "/" || url.port !== "") {
    throw new Error("Signature-Agent must be the https address of a host");
  }
  return url.origin;
}
