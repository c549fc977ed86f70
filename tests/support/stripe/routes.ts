import { find } from "./billing.ts";
import type { Ledger } from "./ledger.ts";
import type { CancellationReason } from "./objects.ts";
import {
  ApiError,
  checkShape,
  ParameterError,
  type Params,
  type Shape,
  wholeNumber,
} from "./wire.ts";

/** How long Stripe lists an event. */
const EVENTS_SECONDS = 30 * 86_400;
/** The maximum number of event types in a list request. */
const EVENT_TYPES_MAX = 20;

interface ListFilter {
  objects: Iterable<{ id: string; created: number }>;
  filters?: Record<string, string>;
}

/** Executes one request of the API. */
export function route(ledger: Ledger, method: string, path: string, params: Params): object {
  const [resource, id, action] = path.replace(
    /^\/v1\/(checkout\/sessions|billing_portal\/sessions|\w+)/,
    (_, name: string) => name.replace("/", "."),
  ).split("/") as [string, string?, string?];
  switch (`${method} ${resource}${id === undefined ? "" : "/:id"}${action ? `/${action}` : ""}`) {
    case "POST checkout.sessions":
      return ledger.createSession(params);
    case "GET checkout.sessions":
      return list(params, {
        objects: ledger.sessions.values(),
        filters: {
          payment_intent: "payment_intent",
          status: "status",
          subscription: "subscription",
          customer: "customer",
        },
      });
    case "GET checkout.sessions/:id":
      allow(params, { expand: ["leaf"] });
      return find(ledger.sessions, id!, "checkout.session");
    case "POST checkout.sessions/:id/expire":
      allow(params, { expand: ["leaf"] });
      return ledger.expireSession(id!);
    case "GET payment_intents":
      return list(params, {
        objects: ledger.intents.values(),
        filters: { customer: "customer" },
      });
    case "GET payment_intents/:id":
      allow(params, { expand: ["leaf"] });
      return expandIntent(ledger, find(ledger.intents, id!, "payment_intent"), params);
    case "POST payment_intents/:id/cancel":
      allow(params, { cancellation_reason: "leaf", expand: ["leaf"] });
      return expandIntent(
        ledger,
        ledger.cancelIntent(id!, (params.cancellation_reason as CancellationReason) ?? null),
        params,
      );
    case "POST payment_intents/:id/capture":
      allow(params, { amount_to_capture: "leaf", expand: ["leaf"], metadata: "map" });
      return expandIntent(
        ledger,
        ledger.captureIntent(
          id!,
          params.amount_to_capture === undefined
            ? null
            : wholeNumber(params.amount_to_capture, "amount_to_capture", 1),
        ),
        params,
      );
    case "GET subscriptions":
      return list(params, {
        objects: ledger.subscriptions.values(),
        filters: { status: "status", customer: "customer" },
      });
    case "GET subscriptions/:id":
      allow(params, { expand: ["leaf"] });
      return find(ledger.subscriptions, id!, "subscription");
    case "DELETE subscriptions/:id":
      allow(params, { invoice_now: "leaf", prorate: "leaf", expand: ["leaf"] });
      return ledger.cancelSubscription(id!);
    case "GET invoices":
      return list(params, {
        objects: ledger.invoices.values(),
        filters: {
          status: "status",
          customer: "customer",
          subscription: "parent.subscription_details.subscription",
        },
      });
    case "GET invoices/:id":
      allow(params, { expand: ["leaf"] });
      return find(ledger.invoices, id!, "invoice");
    case "GET customers/:id":
      return find(ledger.customers, id!, "customer");
    case "GET events":
      return list(params, {
        objects: ledger.events.filter(({ created }) => created > ledger.now - EVENTS_SECONDS),
        filters: { type: "type" },
      });
    case "GET events/:id":
      return find(new Map(ledger.events.map((event) => [event.id, event])), id!, "event");
    case "POST billing_portal.sessions": {
      allow(params, {
        customer: "leaf",
        return_url: "leaf",
        configuration: "leaf",
        locale: "leaf",
      });
      if (params.customer === undefined) {
        throw new ParameterError(
          "Missing required param: customer.",
          "customer",
          "parameter_missing",
        );
      }
      const customer = ledger.customers.get(params.customer as string);
      // A missing object is a 400 if a parameter names it, and a 404 if the URL does.
      if (customer === undefined) {
        const what = `No such customer: '${params.customer}'`;
        throw new ParameterError(what, "customer", "resource_missing");
      }
      const portal = ledger.id("bps");
      return {
        id: portal,
        object: "billing_portal.session",
        created: ledger.now,
        customer: customer.id,
        livemode: ledger.livemode,
        return_url: params.return_url ?? null,
        url: `https://billing.stripe.com/p/session/${portal}`,
      };
    }
  }
  throw new ApiError(
    404,
    "invalid_request_error",
    `Unrecognized request URL (${method}: ${path})`,
  );
}

function expandIntent(ledger: Ledger, intent: object, params: Params): object {
  if (!(params.expand as string[] | undefined)?.includes("latest_charge")) return intent;
  const charge = ledger.charges.get((intent as { latest_charge: string }).latest_charge);
  return { ...intent, latest_charge: charge ?? null };
}

function list(params: Params, { objects, filters = {} }: ListFilter): object {
  const shape: Shape = { limit: "leaf", starting_after: "leaf", expand: ["leaf"] };
  if ("type" in filters) shape.types = ["leaf"];
  if (typeof params.created === "string") shape.created = "leaf";
  else shape.created = { gt: "leaf", gte: "leaf", lt: "leaf", lte: "leaf" };
  for (const name of Object.keys(filters)) shape[name] = "leaf";
  checkShape(params, shape);
  const limit = params.limit === undefined ? 10 : wholeNumber(params.limit, "limit", 1, 100);
  const types = params.types as string[] | undefined;
  if (types && (types.length > EVENT_TYPES_MAX || params.type !== undefined)) {
    throw new ParameterError("Up to 20 types, or one type", "types");
  }
  const range = (params.created ?? {}) as Record<string, string>;
  const all = [...objects].reverse();
  const after = params.starting_after as string | undefined;
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) {
    throw new ParameterError(`No such object: '${after}'`, "starting_after", "resource_missing");
  }
  const matches = all.slice(start).filter((object) => {
    const { created } = object;
    if (range.gte !== undefined && created < Number(range.gte)) return false;
    if (range.gt !== undefined && created <= Number(range.gt)) return false;
    if (range.lt !== undefined && created >= Number(range.lt)) return false;
    if (range.lte !== undefined && created > Number(range.lte)) return false;
    if (types && !types.includes((object as unknown as { type: string }).type)) return false;
    return Object.entries(filters).every(([name, path]) => {
      const wanted = params[name];
      if (wanted === undefined || (name === "status" && wanted === "all")) return true;
      let value: unknown = object;
      for (const key of path.split(".")) value = (value as Record<string, unknown> | null)?.[key];
      return value === wanted;
    });
  });
  return {
    object: "list",
    url: "/v1",
    has_more: matches.length > limit,
    data: matches.slice(0, limit),
  };
}

function allow(params: Params, shape: Shape): void {
  checkShape(params, shape);
}
