import { assert, assertEquals } from "@std/assert";
import { failureFields, failureKind, isMissing } from "@/lib/payments/failures.ts";
import { createStripe } from "@/lib/payments/stripe.ts";
import { TEST_KEY } from "../support/stripe_double.ts";

/** JSON that gateways return instead of Stripe. */
const FOREIGN = [
  `{"message": "Service Unavailable"}`,
  `{"error": null}`,
  `{"object": "status", "error": "unavailable"}`,
  `{"error": "unavailable"}`,
  `{"error": {"code": 503, "status": "UNAVAILABLE"}}`,
  "{}",
  "[]",
  "null",
  "0",
  `"unavailable"`,
];

for (const status of [200, 404, 503]) {
  Deno.test(`a gateway's JSON with status ${status} isn't Stripe's: the call may have taken effect`, async () => {
    for (const body of FOREIGN) {
      const stripe = createStripe({
        secretKey: TEST_KEY,
        fetch: () => Promise.resolve(new Response(body, { status })),
      });
      const error = await stripe.subscriptions.cancel("sub_1").then(() => null, (e) => e);
      assert(error !== null, body);
      assertEquals([failureKind(error), isMissing(error)], ["unknown", false], body);
    }
  });
}

Deno.test("the log of a Stripe error has its codes, never its message", async () => {
  const message = "No such customer: jo@example.com";
  const type = "invalid_request_error";
  const stripe = createStripe({
    secretKey: TEST_KEY,
    fetch: () =>
      Promise.resolve(
        Response.json({ error: { type, code: "resource_missing", message } }, { status: 404 }),
      ),
  });
  const error = await stripe.customers.retrieve("cus_1").then(() => null, (e) => e);
  assertEquals(error?.message, message);
  assertEquals(failureFields(error), {
    error: "StripeInvalidRequestError 404 resource_missing",
  });
  const other = new TypeError("Ours to mend");
  assertEquals(failureFields(other).message, "Ours to mend");
});

Deno.test("the client waits ten seconds for Stripe, and doesn't retry by itself", () => {
  const stripe = createStripe({ secretKey: TEST_KEY });
  assertEquals([stripe.getApiField("timeout"), stripe.getMaxNetworkRetries()], [10_000, 0]);
});
