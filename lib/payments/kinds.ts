/**
 * What payments must know about each kind of checkout. Features that sell something define it, and
 * `lib/app/deps.ts` lists them all, so payments import no feature.
 */
import type Stripe from "stripe";
import type { Tx } from "../kv/store.ts";
import type { Deps, StripeDeps } from "./deps.ts";
import type { Cause } from "./objects.ts";
import type { Performer } from "./performers.ts";
import type { Checkout } from "./schema.ts";

/** A complete Checkout session that matches its checkout. */
export interface CompleteSession<C extends Checkout> {
  checkout: C;
  session: Stripe.Checkout.Session;
  cause: Cause;
}

/** Something that reconciliation does in addition to its work for every kind. */
interface ReconcilePart {
  name: string;
  /** The interval (ms). It runs in the first complete run of each interval. */
  every: number;
  /** Checks everything since a time (ms). */
  run(deps: StripeDeps, since: number): Promise<void>;
}

/** A kind of checkout, such as the bids of an auction. */
export interface PaymentKind<C extends Checkout = Checkout> {
  /** Its name in records and in the metadata of Stripe objects. */
  kind: C["kind"];
  /** The metadata field with the checkout's id. */
  idField: string;
  /** How long its links live (ms). */
  linkMs: number;
  /** The metadata of a checkout, after its kind and slug. */
  metadata(checkout: C): Record<string, string>;
  /** Its part of the session parameters, made from the record alone. */
  session(
    checkout: C,
    options: { to: (path: string) => string; metadata: Record<string, string> },
  ): Stripe.Checkout.SessionCreateParams;
  /** Whether a payment would be useless. Open links are then expired. */
  isUseless(kv: Pick<Tx, "get">, checkout: C): Promise<boolean>;
  /** Applies a session that was paid, or whose money is held or on its way. */
  applyComplete(deps: StripeDeps, complete: CompleteSession<C>): Promise<void>;
  /** Applies the state of another Stripe object by its id, if it belongs to this kind. */
  applies: {
    intent?(deps: StripeDeps, id: string, cause: Cause): Promise<void>;
    invoice?(deps: StripeDeps, id: string, cause: Cause): Promise<void>;
    subscription?(deps: StripeDeps, id: string, cause: Cause): Promise<void>;
  };
  /** Performs its outbox tasks. The job runs due tasks in this order. */
  performers: Readonly<Record<string, Performer>>;
  /** While any key has this prefix, Stripe may have news. */
  awaited: Deno.KvKey;
  /** Does what is due by the clock. Returns the next due time (ms); Infinity if nothing waits. */
  settle?(deps: Deps): Promise<number>;
  reconciles: readonly ReconcilePart[];
}

/** The kind of a checkout. */
export function kindOf(
  { paymentKinds }: Pick<Deps, "paymentKinds">,
  { id, kind }: Pick<Checkout, "id" | "kind">,
): PaymentKind {
  const found = paymentKinds.find((one) => one.kind === kind);
  if (found === undefined) throw new Error(`Checkout ${id} has an unknown kind: ${kind}`);
  return found;
}

/** The metadata that links a session, payment intent or subscription to a checkout. */
export function metadataOf(
  deps: Pick<Deps, "paymentKinds">,
  checkout: Checkout,
): Record<string, string> {
  const { kind, slug } = checkout;
  return { kind, slug, ...kindOf(deps, checkout).metadata(checkout) };
}

/** Whether an object's metadata is exactly what we set. */
export function hasMetadataOf(
  deps: Deps,
  checkout: Checkout,
  metadata: Stripe.Metadata | null,
): boolean {
  return Object.entries(metadataOf(deps, checkout))
    .every(([key, value]) => metadata?.[key] === value);
}

/** The id of the checkout that a Stripe object belongs to, or null if the object is not ours. */
export function checkoutIdOf(
  { paymentKinds }: Deps,
  metadata: Stripe.Metadata | null | undefined,
): string | null {
  const ids = paymentKinds.map(({ idField }) => metadata?.[idField]);
  return ids.find((id) => id !== undefined) ?? null;
}
