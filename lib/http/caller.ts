import type { AiUserAgent } from "../catalog/ai_operators.ts";
import { type FieldProblem, rejectProblems } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { userText } from "../text/clean.ts";
import { decodeHeaderText } from "../text/header.ts";
import { clientAddress } from "./address.ts";
import type { Identity } from "./identity.ts";
import { recognize } from "./user_agent.ts";

/** What a visitor counts as. */
export type VisitorClass = "ai_agent" | "crawler" | "person";

const agentNameRule = userText({ max: LIMITS.agentNameMax });

/** A request as far as a signature covers it. */
export interface SentRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Headers;
}

/** Tells who signed a request. */
export interface RequestVerifier {
  /** The host of the signer; null if nobody signed it, or not as it must be. Never throws. */
  signerOf(request: SentRequest): Promise<string | null>;
}

/** What was found out of the signature of a request, once for all that is done by it. */
interface Signing {
  target: Pick<SentRequest, "method" | "path">;
  signer?: Promise<string | null>;
}

/**
 * Who sends a request. Everything is worked out when it is first asked for, so that a plain read
 * hashes nothing. The address itself is private to this object.
 */
export class Caller {
  /** Whether the request came through the MCP server. */
  readonly isMcp: boolean;
  readonly #peer: string;
  readonly #headers: Headers;
  readonly #identity: Identity;
  readonly #trustedProxies: number;
  readonly #signing: Signing | undefined;
  #clientAddress: string | undefined;
  #network: string | undefined;
  /** Undefined until it is asked for, as is what is wrong with it. */
  #agentName: string | null | undefined;
  #problems: FieldProblem[] = [];

  constructor(options: {
    peer: string;
    headers: Headers;
    identity: Identity;
    trustedProxies: number;
    /**
     * Given for calls through MCP, which count as an AI agent's. The agent's name is the one that
     * the call gives, else the header's. It is never the client program's: that is the same for
     * agents of many users.
     */
    mcp?: { givenName: string | null };
    /** What was asked for; without it, nothing is signed. */
    signing?: Signing;
  }) {
    this.#peer = options.peer;
    this.#headers = options.headers;
    this.#identity = options.identity;
    this.#trustedProxies = options.trustedProxies;
    this.#signing = options.signing;
    this.isMcp = options.mcp !== undefined;
    this.#agentName = options.mcp?.givenName ?? undefined;
  }

  /** The same caller through MCP. Its name is `givenName`, else the header's. */
  throughMcp(givenName: string | null): Caller {
    return new Caller({
      peer: this.#peer,
      headers: this.#headers,
      identity: this.#identity,
      trustedProxies: this.#trustedProxies,
      mcp: { givenName },
      signing: this.#signing,
    });
  }

  /** The host that signed the request, or null. It is not part of who the caller counts as. */
  signedBy(verifier: RequestVerifier): Promise<string | null> {
    const signing = this.#signing;
    if (signing === undefined) return Promise.resolve(null);
    return signing.signer ??= verifier.signerOf({ ...signing.target, headers: this.#headers });
  }

  /** The pseudonym of the caller's network. */
  get network(): string {
    return this.#network ??= this.#identity.network(this.#address);
  }

  /** The pseudonym of the IPv6 /48 around it; null for IPv4. */
  get widerNetwork(): string | null {
    return this.#identity.widerNetwork(this.#address);
  }

  /** The pseudonym of the /24 around an IPv4 address; null for IPv6. */
  get subnet(): string | null {
    return this.#identity.subnet(this.#address);
  }

  /** Who has the addresses, for caps: the IPv6 /48, or the network of an IPv4 address. */
  get holder(): string {
    return this.widerNetwork ?? this.network;
  }

  get #address(): string {
    return this.#clientAddress ??= clientAddress(
      this.#peer,
      this.#headers.get("x-forwarded-for"),
      this.#trustedProxies,
    );
  }

  /** The pseudonym of network and user agent: one voter. */
  get voter(): string {
    return this.#identity.voter(this.network, this.userAgent);
  }

  /** The `User-Agent` header, or "". */
  get userAgent(): string {
    return this.#headers.get("user-agent") ?? "";
  }

  /**
   * The cleaned `X-Agent-Name` (or what MCP gives in its place), or null. Throws `invalid_input`
   * naming the header when the name breaks its rule.
   */
  get agentName(): string | null {
    rejectProblems(this.problems);
    return this.#agentName!;
  }

  /** What is wrong with `X-Agent-Name`, to be reported together with the problems of a body. */
  get problems(): FieldProblem[] {
    if (this.#agentName === undefined) this.#readAgentName();
    return this.#problems;
  }

  #readAgentName(): void {
    const raw = this.#headers.get("x-agent-name");
    const parsed = raw ? agentNameRule.safeParse(decodeHeaderText(raw)) : null;
    this.#agentName = parsed?.data || null;
    this.#problems = (parsed?.error?.issues ?? [])
      .map(({ message }) => ({ field: "X-Agent-Name", message }));
  }

  /** Whether `X-Agent-Name` is given. A name that breaks its rule counts, a blank one does not. */
  get #isNamed(): boolean {
    // Not `has`: for that, Deno copies all headers of the request.
    if (!this.#headers.get("x-agent-name")) return false;
    return this.problems.length > 0 || this.agentName !== null;
  }

  /** The AI operator whose known user agent this is, or null. */
  get operator(): AiUserAgent | null {
    return recognize(this.userAgent).aiAgent;
  }

  /** Whether this is an AI agent, another program, or a person's browser. */
  get visitorClass(): VisitorClass {
    if (this.isMcp || this.#isNamed || this.operator !== null) return "ai_agent";
    return recognize(this.userAgent).isBrowser ? "person" : "crawler";
  }

  /**
   * Whether this is a known crawler, including those that feed AI. A client that gives an agent
   * name, fetches for a user, or is a bare HTTP client is none.
   */
  get isCrawler(): boolean {
    if (this.isMcp || this.#isNamed) return false;
    return this.operator?.isCrawler ?? recognize(this.userAgent).isCrawler;
  }
}
