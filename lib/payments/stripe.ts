import Stripe from "stripe";

/**
 * The API version that every request names. It is pinned because fields move between versions (for
 * example, since 2025-03-31 an invoice's subscription is under `parent`).
 */
export const STRIPE_API_VERSION = "2026-10-28.endive";

/** Longest wait for Stripe's response, in ms. */
const TIMEOUT_MS = 10_000;

/** How to reach Stripe. */
interface StripeSettings {
  secretKey: string;
  /** Another API address, for tests; api.stripe.com by default. */
  apiUrl?: string;
  /** Answers requests in place of the network, for tests. */
  fetch?: typeof fetch;
  /** Longest wait for an answer, in ms; 10 s by default. */
  timeoutMs?: number;
}

/**
 * Creates the client. It never retries by itself: the operation that a call belongs to decides
 * whether to repeat it, and under which idempotency key.
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
 * A client that accepts only real Stripe responses: a Stripe object, or a Stripe error with a
 * failing status. Stripe's library treats any JSON without an `error` as a success, whatever the
 * status, such as a gateway's `{"message": …}`; an ongoing renewal would then look canceled.
 * Refused responses count as unreadable.
 */
function strictClient(fetchIt?: typeof fetch) {
  const client = Stripe.createFetchHttpClient(fetchIt);
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = async (...request) => {
    const response = await makeRequest(...request);
    const readJson = response.toJSON.bind(response);
    response.toJSON = async () => {
      const body = await readJson();
      if (!isOfStripe(body, response.getStatusCode())) {
        throw new Error("Not a response from Stripe");
      }
      return body;
    };
    return response;
  };
  return client;
}

/**
 * True if this looks like a Stripe response: its objects name their kind, its errors their type.
 */
function isOfStripe(body: unknown, status: number): boolean {
  const { object, error } = Object(body);
  if (status >= 400) return typeof Object(error).type === "string";
  return error === undefined && typeof object === "string";
}
