/**
 * Checks the double's objects against Stripe's own types for the pinned API version: no field that
 * Stripe doesn't have, no value that it doesn't return. Where they differ, the project's type check
 * fails; nothing runs.
 */
import type Stripe from "stripe";
import type { EVENT_TYPES } from "@/lib/payments/events.ts";
import type {
  Charge,
  Customer,
  Invoice,
  PaymentIntent,
  Session,
  StripeEvent,
  Subscription,
} from "./objects.ts";

type Scalar = string | number | boolean | null | undefined;

/** The values that Stripe documents: for future compatibility, its types allow any other string. */
type Named<T> = [Literal<T>] extends [never] ? T : Literal<T> | Exclude<T, string>;
type Literal<T> = T extends string ? string extends T ? never : T : never;

/** Stripe's type with every field optional, at every depth: the double omits unused fields. */
type Partly<T> = T extends Scalar ? T
  : T extends readonly (infer Item)[] ? Partly<Named<Item>>[]
  : { [Key in keyof T]?: Partly<Named<T[Key]>> };

/** Our fields that Stripe's type doesn't have, at every depth. */
type Unknown<Ours, Theirs> = Ours extends Scalar ? never
  : Ours extends readonly (infer Item)[]
    ? Theirs extends readonly (infer Item2)[] ? Unknown<Item, Item2> : never
  : string extends keyof Ours ? never
  : {
    [Key in keyof Ours & string]: Key extends keyof Theirs
      ? Unknown<Ours[Key], Extract<Theirs[Key], object>>
      : Key;
  }[keyof Ours & string];

/** True if ours fits Stripe's, else the difference. */
type Fit<Ours, Theirs> = Ours extends Partly<Theirs>
  ? [Unknown<Ours, Theirs>] extends [never] ? true : Unknown<Ours, Theirs>
  : "a value that Stripe does not give";

type True<T extends true> = T;

export type Conform = [
  True<Fit<Session, Stripe.Checkout.Session>>,
  True<Fit<PaymentIntent, Stripe.PaymentIntent>>,
  True<Fit<Charge, Stripe.Charge>>,
  True<Fit<Subscription, Stripe.Subscription>>,
  True<Fit<Invoice, Stripe.Invoice>>,
  True<Fit<Customer, Stripe.Customer>>,
  True<Fit<Omit<StripeEvent, "data" | "type">, Stripe.EventBase>>,
  True<typeof EVENT_TYPES[number] extends Literal<Stripe.Event.Type> ? true : "an unknown event">,
];
