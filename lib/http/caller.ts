import type { AiUserAgent } from "../catalog/ai_operators.ts";
import { type FieldProblem, rejectProblems } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { userText } from "../text/clean.ts";
import { decodeHeaderText } from "../text/header.ts";
import { clientAddress } from "./address.ts";
import type { Identity } from "./identity.ts";
import { recognize } from "./user_agent.ts";

/** How a visitor is classified. */
export type VisitorClass = "ai_agent" | "crawler" | "person";

const agentNameRule = userText({ max: LIMITS.agentNameMax });

/** The parts of a request that a signature covers. */
export interface SentRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Headers;
}

/** Tells who signed a request. */
export interface RequestVerifier {
  /**
   * The signer's host; null if the request is unsigned or the signature is invalid. Never throws.
   */
  signerOf(request: SentRequest): Promise<string | null>;
}

/** A request and its signature check, which runs only once. */
interface Signing {
  target: Pick<SentRequest, "method" | "path">;
  signer?: Promise<string | null>;
}

/**
 * The sender of a request. Everything is computed on first use, so a plain read hashes nothing. The
 * address itself is private to this object.
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
  /** Undefined until first read, like its problems. */
  #agentName: string | null | undefined;
  #problems: FieldProblem[] = [];

  constructor(options: {
    peer: string;
    headers: Headers;
    identity: Identity;
    trustedProxies: number;
    /**
     * Set for MCP calls, which count as an AI agent's. The agent's name comes from the call, else
     * from the header. It is never the client program's name, which agents of many users share.
     */
    mcp?: { givenName: string | null };
    /** The request; without it, nothing counts as signed. */
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

  /** The same caller through MCP, named `givenName` or else by the header. */
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

  /** The host that signed the request, or null. It does not affect the caller's identity. */
  signedBy(verifier: RequestVerifier): Promise<string | null> {
    const signing = this.#signing;
    if (signing === undefined) return Promise.resolve(null);
    return signing.signer ??= verifier.signerOf({ ...signing.target, headers: this.#headers });
  }

  /** The pseudonym of the caller's network. */
  get network(): string {
    return this.#network ??= this.#identity.network(this.#address);
  }

  /** The pseudonym of the surrounding IPv6 /48; null for IPv4. */
  get widerNetwork(): string | null {
    return this.#identity.widerNetwork(this.#address);
  }

  /** The pseudonym of the surrounding IPv4 /24; null for IPv6. */
  get subnet(): string | null {
    return this.#identity.subnet(this.#address);
  }

  /** The address holder, for caps: the IPv6 /48, or the network of an IPv4 address. */
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
   * The cleaned `X-Agent-Name` (or the name given through MCP), or null. Throws `invalid_input`
   * naming the header if the name breaks a rule.
   */
  get agentName(): string | null {
    rejectProblems(this.problems);
    return this.#agentName!;
  }

  /** Problems with `X-Agent-Name`, to report together with those of the body. */
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

  /** Whether `X-Agent-Name` is given. An invalid name counts, a blank one does not. */
  get #isNamed(): boolean {
    // Not `has`: for that, Deno copies all request headers.
    if (!this.#headers.get("x-agent-name")) return false;
    return this.problems.length > 0 || this.agentName !== null;
  }

  /** The AI operator with this known user agent, or null. */
  get operator(): AiUserAgent | null {
    return recognize(this.userAgent).aiAgent;
  }

  /** Whether this is an AI agent, another program, or a person's browser. */
  get visitorClass(): VisitorClass {
    if (this.isMcp || this.#isNamed || this.operator !== null) return "ai_agent";
    return recognize(this.userAgent).isBrowser ? "person" : "crawler";
  }

  /**
   * Whether this is a known crawler, including those that feed AI. Clients that give an agent name
   * or fetch for a user, and bare HTTP clients, are not crawlers.
   */
  get isCrawler(): boolean {
    if (this.isMcp || this.#isNamed) return false;
    return this.operator?.isCrawler ?? recognize(this.userAgent).isCrawler;
  }
}
