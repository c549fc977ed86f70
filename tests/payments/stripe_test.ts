import { assert, assertEquals } from "@std/assert";
import { failureKind, isMissing } from "@/lib/payments/failures.ts";
import { createStripe } from "@/lib/payments/stripe.ts";
import { TEST_KEY } from "../support/stripe_double.ts";

/** What gateways answer in place of Stripe, as JSON. */
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
  Deno.test(`JSON of a gateway with status ${status} is no answer of Stripe: the call may have taken effect`, async () => {
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
