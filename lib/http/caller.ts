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

/** What identifies a caller. */
interface CallerOptions {
  peer: string;
  headers: Headers;
  identity: Identity;
  trustedProxies: number;
  /**
   * Set for MCP calls, which count as an AI agent's. The agent's name comes from the call, else from
   * the header. It is never the client program's name, which agents of many users share.
   */
  mcp?: { givenName: string | null };
  /** Reads who signed the request; without it, nothing counts as signed. */
  signer?: () => Promise<string | null>;
}

/**
 * The sender of a request. Pseudonyms are made on first use, so a plain read hashes nothing. The
 * address itself is private to this object.
 */
export class Caller {
  readonly #options: CallerOptions;
  readonly #agentName: string | null;
  /** Problems with `X-Agent-Name`, to report together with those of the body. */
  readonly problems: FieldProblem[];
  #network: string | undefined;

  constructor(options: CallerOptions) {
    this.#options = options;
    const given = options.mcp?.givenName ?? null;
    const raw = given === null ? options.headers.get("x-agent-name") : null;
    const parsed = raw ? agentNameRule.safeParse(decodeHeaderText(raw)) : null;
    this.#agentName = given ?? (parsed?.data || null);
    this.problems = (parsed?.error?.issues ?? [])
      .map(({ message }) => ({ field: "X-Agent-Name", message }));
  }

  /** The same caller through MCP, named `givenName` or else by the header. */
  throughMcp(givenName: string | null): Caller {
    return new Caller({ ...this.#options, mcp: { givenName } });
  }

  /** Whether the request came through the MCP server. */
  get isMcp(): boolean {
    return this.#options.mcp !== undefined;
  }

  /** The host that signed the request, or null. It does not affect the caller's identity. */
  signedBy(): Promise<string | null> {
    return this.#options.signer?.() ?? Promise.resolve(null);
  }

  /** The pseudonym of the caller's network. */
  get network(): string {
    return this.#network ??= this.#options.identity.network(this.#address);
  }

  /** The pseudonym of the surrounding IPv6 /48; null for IPv4. */
  get widerNetwork(): string | null {
    return this.#options.identity.widerNetwork(this.#address);
  }

  /** The pseudonym of the surrounding IPv4 /24; null for IPv6. */
  get subnet(): string | null {
    return this.#options.identity.subnet(this.#address);
  }

  /** The address holder, for caps: the IPv6 /48, or the network of an IPv4 address. */
  get holder(): string {
    return this.widerNetwork ?? this.network;
  }

  get #address(): string {
    const { peer, headers, trustedProxies } = this.#options;
    return clientAddress(peer, headers.get("x-forwarded-for"), trustedProxies);
  }

  /** The pseudonym of network and user agent: one voter. */
  get voter(): string {
    return this.#options.identity.voter(this.network, this.userAgent);
  }

  /** The `User-Agent` header, or "". */
  get userAgent(): string {
    return this.#options.headers.get("user-agent") ?? "";
  }

  /**
   * The cleaned `X-Agent-Name` (or the name given through MCP), or null. Throws `invalid_input`
   * naming the header if the name breaks a rule.
   */
  get agentName(): string | null {
    rejectProblems(this.problems);
    return this.#agentName;
  }

  /** Whether `X-Agent-Name` is given. An invalid name counts, a blank one does not. */
  get #isNamed(): boolean {
    return this.problems.length > 0 || this.#agentName !== null;
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
