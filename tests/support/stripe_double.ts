/**
 * A stateful double of the part of Stripe's API that this service uses: as strict as Stripe about
 * parameters, states and idempotency keys, on a clock set by the test. It responds over HTTP
 * (`serve`, selected by STRIPE_API_URL) or in process (`fetch`), and fails on demand.
 */
import { createHmac } from "node:crypto";
import { Ledger } from "./stripe/ledger.ts";
import type { StripeEvent } from "./stripe/objects.ts";
import { route } from "./stripe/routes.ts";
import { ApiError, decodeForm, ParameterError } from "./stripe/wire.ts";

export const API_VERSION = "2026-10-28.endive";
export const TEST_KEY = "sk_test_double";
export const TEST_SECRET = "whsec_double";

/**
 * What goes wrong with a request. `after` in a name: the API did its work, and the response is lost
 * or bad.
 */
export type Fault =
  | "lost_before"
  | "lost_after"
  | "hang_before"
  | "hang_after"
  | "http_500"
  | "http_500_after"
  | "http_402"
  | "http_424"
  | "http_429"
  | "gateway_before"
  | "gateway_after"
  | "malformed_after"
  | "no_url";

interface PlannedFault {
  /** Matches `POST /v1/checkout/sessions` and the like; every request if absent. */
  match?: RegExp;
  fault: Fault;
}

interface SavedAnswer {
  request: string;
  status: number;
  body: unknown;
  at: number;
}

const DAY_SECONDS = 86_400;

/** A response by something between us and Stripe. */
const GATEWAY_BODY = { message: "Service Unavailable" };

export class StripeDouble extends Ledger {
  /** Requests as received, `METHOD path`. */
  readonly requests: string[] = [];
  /** Ids of events that a handler acknowledged. */
  readonly delivered = new Set<string>();
  readonly faults: PlannedFault[] = [];
  readonly #saved = new Map<string, SavedAnswer>();
  /** Idempotency keys of requests in progress. */
  readonly #underWay = new Set<string>();
  /** How long a request takes; no time unless a test says otherwise. */
  latency: () => Promise<void> = () => Promise.resolve();

  constructor(nowMs: () => number) {
    super(nowMs, API_VERSION);
  }

  /** Makes the next matching request fail like this. */
  fail(fault: Fault, match?: RegExp): void {
    this.faults.push({ fault, match });
  }

  /** Responds in process: pass it to `Stripe.createFetchHttpClient`. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    return await this.handle(new Request(input, init), init?.signal ?? undefined);
  };

  /** Responds over HTTP on a free loopback port. */
  serve(): { url: string; close(): Promise<void> } {
    const server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      async (req) => {
        try {
          return await this.handle(req, req.signal);
        } catch {
          // The closest to a lost connection that a server can send: a truncated body.
          return new Response(new ReadableStream({ start: (c) => c.error(new Error("lost")) }));
        }
      },
    );
    return { url: `http://127.0.0.1:${server.addr.port}`, close: () => server.shutdown() };
  }

  async handle(req: Request, signal?: AbortSignal): Promise<Response> {
    const url = new URL(req.url);
    const line = `${req.method} ${url.pathname}`;
    this.requests.push(line);
    const text = await req.text();
    const index = this.faults.findIndex((planned) => planned.match?.test(line) ?? true);
    const fault = index < 0 ? null : this.faults.splice(index, 1)[0]!.fault;
    if (fault === "lost_before") throw new TypeError("connection lost");
    if (fault === "hang_before") return await hang(signal);
    if (fault === "http_429") {
      const error = new ApiError(429, "invalid_request_error", "Too many requests", {
        code: "rate_limit",
      });
      return answer(429, error.body());
    }
    if (fault === "gateway_before") return answer(503, GATEWAY_BODY);
    const { status, body, replayed } = await this.#answerAlone(req, url, text, fault);
    if (fault === "lost_after") throw new TypeError("connection lost");
    if (fault === "hang_after") return await hang(signal);
    if (fault === "gateway_after") return answer(503, GATEWAY_BODY);
    if (fault === "malformed_after") return new Response(`{"id": "cs_te`, { status: 200 });
    return answer(status, body, replayed);
  }

  /** A request whose idempotency key is in use by another is rejected, and nothing is saved. */
  async #answerAlone(req: Request, url: URL, text: string, fault: Fault | null) {
    const header = req.headers.get("idempotency-key");
    const key = header === null || this.#saved.has(header) ? null : header;
    if (key !== null && this.#underWay.has(key)) {
      const error = new ApiError(
        409,
        "idempotency_error",
        "There is currently another in-progress request using this Idempotent Key.",
        { code: "idempotency_key_in_use" },
      );
      return { status: 409, body: error.body(), replayed: false };
    }
    if (key !== null) this.#underWay.add(key);
    try {
      await this.latency();
      this.passTime();
      return this.#answerOnce(req, url, text, fault);
    } finally {
      if (key !== null) this.#underWay.delete(key);
    }
  }

  #answerOnce(req: Request, url: URL, text: string, fault: Fault | null) {
    const key = req.method === "POST" ? req.headers.get("idempotency-key") : null;
    const request = `${req.method} ${url.pathname} ${text}`;
    const saved = key === null ? undefined : this.#saved.get(key);
    if (saved !== undefined && this.now - saved.at < DAY_SECONDS) {
      if (saved.request !== request) {
        const error = new ApiError(
          400,
          "idempotency_error",
          "Keys for idempotent requests can only be used with the same parameters they were first used with.",
        );
        return { status: 400, body: error.body(), replayed: false };
      }
      return { status: saved.status, body: saved.body, replayed: true };
    }
    const { status, body, save } = this.#execute(req, url, text, fault);
    if (key !== null && save) this.#saved.set(key, { request, status, body, at: this.now });
    return { status, body, replayed: false };
  }

  #execute(req: Request, url: URL, text: string, fault: Fault | null) {
    const internal = new ApiError(500, "api_error", "An unknown error occurred");
    try {
      this.#authorize(req);
      if (fault === "http_500") throw internal;
      if (fault === "http_402") {
        throw new ApiError(402, "card_error", "Your card was declined.", { code: "card_declined" });
      }
      if (fault === "http_424") throw new ApiError(424, "api_error", "A dependency failed");
      const params = decodeForm(req.method === "GET" ? url.search.slice(1) : text);
      const object = structuredClone(route(this, req.method, url.pathname, params));
      if (fault === "http_500_after") throw internal;
      if (fault === "no_url") (object as { url: null }).url = null;
      return { status: 200, body: object, save: true };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Stripe saves results once execution begins: parameter errors aren't saved.
      return {
        status: error.status,
        body: error.body(),
        save: !(error instanceof ParameterError) && error.status !== 401,
      };
    }
  }

  #authorize(req: Request): void {
    if (req.headers.get("authorization") !== `Bearer ${TEST_KEY}`) {
      throw new ApiError(401, "invalid_request_error", "Invalid API Key provided");
    }
    if (req.headers.get("stripe-version") !== API_VERSION) {
      throw new ParameterError("The client does not pin the API version of the double");
    }
  }

  /** The request that delivers an event, signed at `at` (ms). */
  webhook(
    event: StripeEvent,
    options: { url?: string; secret?: string; at?: number } = {},
  ): Request {
    const body = JSON.stringify(event);
    return new Request(options.url ?? "http://localhost/api/stripe/webhook", {
      method: "POST",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "stripe-signature": signature(
          body,
          options.secret ?? TEST_SECRET,
          options.at ?? this.nowMs(),
        ),
      },
      body,
    });
  }

  /** Events that no handler has acknowledged, oldest first. */
  undelivered(): StripeEvent[] {
    return this.events.filter((event) => !this.delivered.has(event.id));
  }

  /** Delivers an event; as with Stripe, it counts as delivered if the response is a 2xx. */
  async deliver(
    event: StripeEvent,
    handler: (req: Request) => Promise<Response>,
  ): Promise<Response> {
    const response = await handler(this.webhook(event));
    if (response.ok) this.delivered.add(event.id);
    return response;
  }

  /** Delivers all undelivered events and those that result, in order. */
  async deliverAll(handler: (req: Request) => Promise<Response>): Promise<void> {
    for (let round = 0; round < 20 && this.undelivered().length > 0; round++) {
      for (const event of this.undelivered()) await this.deliver(event, handler);
    }
  }
}

/** The Stripe-Signature header for a body at a time (ms). */
export function signature(body: string, secret: string, at: number): string {
  const t = Math.floor(at / 1000);
  const mac = createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
  return `t=${t},v1=${mac}`;
}

function answer(status: number, body: unknown, replayed = false): Response {
  return Response.json(body, {
    status,
    headers: { "request-id": "req_double", ...(replayed ? { "idempotent-replayed": "true" } : {}) },
  });
}

function hang(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
  });
}
