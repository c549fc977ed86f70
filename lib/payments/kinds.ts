/**
 * What payments must know of each kind of checkout. The features that sell something describe it,
 * and `lib/app/deps.ts` lists them all, so payments import no feature.
 */
import type Stripe from "stripe";
import type { Tx } from "../kv/store.ts";
import type { Deps, StripeDeps } from "./deps.ts";
import type { Cause } from "./objects.ts";
import type { Performer } from "./performers.ts";
import type { Checkout } from "./schema.ts";

/** A Checkout session that is complete, and matches its checkout. */
export interface CompleteSession<C extends Checkout> {
  checkout: C;
  session: Stripe.Checkout.Session;
  cause: Cause;
}

/** Something that the reconciliation does besides what it does for every kind. */
export interface ReconcilePart {
  name: string;
  /** It runs in the first complete run of each such time (ms). */
  every: number;
  /** Looks at what has happened since a time (ms). */
  run(deps: StripeDeps, since: number): Promise<void>;
}

/** A kind of checkout, such as the bids of an auction. */
export interface PaymentKind<C extends Checkout = Checkout> {
  /** Its name in records, and in the metadata of Stripe's objects. */
  kind: C["kind"];
  /** The field of the metadata that has the checkout's id. */
  idField: string;
  /** How long its links live (ms). */
  linkMs: number;
  /** The metadata of a checkout, after its kind and slug. */
  metadata(checkout: C): Record<string, string>;
  /** Its part of the parameters of a session, made from the record alone. */
  session(
    checkout: C,
    options: { to: (path: string) => string; metadata: Record<string, string> },
  ): Stripe.Checkout.SessionCreateParams;
  /** Keys that are true while the checkout can be paid, besides that of every open checkout. */
  openKeys?(checkout: C): Deno.KvKey[];
  /** Whether paying would be in vain. Links that are open then are expired. */
  isVain(kv: Pick<Tx, "get">, checkout: C): Promise<boolean>;
  /** Applies a session that was paid, or under which money is held or on its way. */
  applySession(deps: StripeDeps, complete: CompleteSession<C>): Promise<void>;
  /** Applies the state of another object of Stripe by its id, if that is of this kind. */
  applies: {
    intent?(deps: StripeDeps, id: string, cause: Cause): Promise<void>;
    invoice?(deps: StripeDeps, id: string, cause: Cause): Promise<void>;
    subscription?(deps: StripeDeps, id: string, cause: Cause): Promise<void>;
  };
  /** Performs its tasks of the outbox. The job runs what is due in this order. */
  performers: Readonly<Record<string, Performer>>;
  /** While there is a key under this prefix, Stripe can have news. */
  awaited: Deno.KvKey;
  /** Does what is due by the clock. Returns when (ms) more will be; Infinity if nothing waits. */
  settle?(deps: Deps): Promise<number>;
  reconciles: readonly ReconcilePart[];
}

/** The kind of a checkout. */
export function kindOf(
  { paymentKinds }: Pick<Deps, "paymentKinds">,
  { id, kind }: Pick<Checkout, "id" | "kind">,
): PaymentKind {
  const found = paymentKinds.find((one) => one.kind === kind);
  if (found === undefined) throw new Error(`Checkout ${id} is of no known kind: ${kind}`);
  return found;
}

/** The metadata that links a session, its payment intent or its subscription to a checkout. */
export function metadataOf(
  deps: Pick<Deps, "paymentKinds">,
  checkout: Checkout,
): Record<string, string> {
  const { kind, slug } = checkout;
  return { kind, slug, ...kindOf(deps, checkout).metadata(checkout) };
}

/** Whether an object's metadata is exactly what we gave it. */
export function hasMetadataOf(
  deps: Deps,
  checkout: Checkout,
  metadata: Stripe.Metadata | null,
): boolean {
  return Object.entries(metadataOf(deps, checkout))
    .every(([key, value]) => metadata?.[key] === value);
}

/**
 * The id of the checkout that an object of Stripe belongs to, or null if the object is not ours.
 */
export function checkoutIdOf(
  { paymentKinds }: Deps,
  metadata: Stripe.Metadata | null | undefined,
): string | null {
  const ids = paymentKinds.map(({ idField }) => metadata?.[idField]);
  return ids.find((id) => id !== undefined) ?? null;
}
