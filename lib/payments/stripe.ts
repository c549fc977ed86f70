import Stripe from "stripe";

/**
 * The API version that every request names. It is pinned because fields move between versions
 * (an invoice's subscription is under `parent` since 2025-03-31, for one).
 */
export const STRIPE_API_VERSION = "2026-10-28.endive";

/** Longest wait for an answer of Stripe, in ms. */
const TIMEOUT_MS = 10_000;

/** How to reach Stripe. */
export interface StripeSettings {
  secretKey: string;
  /** Another address of the API, for tests; api.stripe.com when absent. */
  apiUrl?: string;
  /** Answers requests in place of the network, for tests. */
  fetch?: typeof fetch;
  /** Longest wait for an answer, in ms; 10 s when absent. */
  timeoutMs?: number;
}

/**
 * Makes the client. It never retries by itself: whether a call may be repeated, and under which
 * idempotency key, is decided by the operation that it belongs to.
 */
export function createStripe(settings: StripeSettings): Stripe {
  const address = settings.apiUrl === undefined ? null : new URL(settings.apiUrl);
  return new Stripe(settings.secretKey, {
    apiVersion: STRIPE_API_VERSION,
    httpClient: strictClient(settings.fetch),
    maxNetworkRetries: 0,
    timeout: settings.timeoutMs ?? TIMEOUT_MS,
    telemetry: false,
    ...(address && {
      host: address.hostname,
      port: address.port || (address.protocol === "http:" ? "80" : "443"),
      protocol: address.protocol === "http:" ? "http" : "https",
    }),
  });
}

/**
 * A client that accepts only Stripe's own answers: one of its objects, or with a failing status one of
 * its errors. Stripe's library takes any JSON without an `error` for a success, whatever the status,
 * such as the `{"message": …}` of a gateway in between; a renewal that goes on would pass for
 * canceled. What is refused here counts as an answer that could not be read.
 */
function strictClient(fetchIt?: typeof fetch) {
  const client = Stripe.createFetchHttpClient(fetchIt);
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = async (...request) => {
    const response = await makeRequest(...request);
    const readJson = response.toJSON.bind(response);
    response.toJSON = async () => {
      const body = await readJson();
      if (!isOfStripe(body, response.getStatusCode())) throw new Error("Not an answer of Stripe");
      return body;
    };
    return response;
  };
  return client;
}

/** Whether Stripe can have answered so: its objects name their kind, its errors their type. */
function isOfStripe(body: unknown, status: number): boolean {
  const { object, error } = Object(body);
  if (status >= 400) return typeof Object(error).type === "string";
  return error === undefined && typeof object === "string";
}
