import { z } from "zod";
import { utcDay } from "../clock.ts";
import type { Deps } from "../deps.ts";
import { type ListPage, nextOffset } from "../http/respond.ts";
import { createLogId } from "../kv/log_id.ts";
import { type Notice, Store, type TransactOptions, type Tx } from "../kv/store.ts";
import { operatorKeys } from "./keys.ts";

/** Why an operator acts on what others made. */
export const reasonClass = z.enum(["terms", "spam", "broken", "duplicate", "other"]);
export type ReasonClass = z.infer<typeof reasonClass>;

/** An action of the operator in KV. It names no slug: the public log says what was done, not to whom. */
export interface StoredAction {
  id: string;
  /** What was done, such as `listing_hidden`. */
  kind: string;
  reason: ReasonClass | null;
  /** ms since the epoch. */
  at: number;
}

/** An action as the public log shows it. */
export const PublicAction = z.object({
  kind: z.string().describe("What was done, such as listing_hidden"),
  reason: reasonClass.nullable(),
  day: z.iso.date().describe("UTC"),
}).meta({ id: "OperatorAction", description: "What the operator did, why, and on which day" });
export type PublicAction = z.infer<typeof PublicAction>;

/** What an audited command writes into the public log. */
export type ActionNote = Pick<StoredAction, "kind" | "reason">;

/**
 * A store whose first transaction that changes something logs an operator's action with it: a command is one
 * action, however many transactions it takes. One that changes nothing logs nothing.
 */
class AuditedStore extends Store {
  readonly #store: Store;
  readonly #note: ActionNote;
  #isLogged = false;

  constructor(store: Store, note: ActionNote) {
    super(store.kv, store.clock);
    this.#store = store;
    this.#note = note;
  }

  override async transact<T>(
    body: (tx: Tx) => T | Promise<T>,
    options: TransactOptions = {},
  ): Promise<T> {
    let logs = false;
    const result = await super.transact(async (tx) => {
      const result = await body(tx);
      logs = tx.isWriting && !this.#isLogged;
      if (logs) {
        const at = this.clock.now();
        const action: StoredAction = { id: createLogId(at), ...this.#note, at };
        tx.set(operatorKeys.action(action.id), action);
      }
      return result;
    }, options);
    this.#isLogged ||= logs;
    return result;
  }

  override subscribe(listener: (notice: Notice) => void): () => void {
    return this.#store.subscribe(listener);
  }

  override notify(notice: Notice): void {
    this.#store.notify(notice);
  }
}

/** The same dependencies, over a store that logs an action with each change. */
export function audited(deps: Deps, note: ActionNote): Deps {
  return { ...deps, store: new AuditedStore(deps.store, note) };
}

/** The public log of operator actions, the latest first. */
export async function listActions(
  deps: Deps,
  options: { limit: number; offset: number },
): Promise<ListPage<PublicAction>> {
  const { limit, offset } = options;
  const items: PublicAction[] = [];
  let total = 0;
  const range = { prefix: operatorKeys.actions };
  for await (const { value } of deps.store.list<StoredAction>(range, { reverse: true })) {
    if (total >= offset && items.length < limit) {
      items.push({ kind: value.kind, reason: value.reason, day: utcDay(value.at) });
    }
    total++;
  }
  return { items, total, limit, offset, nextOffset: nextOffset(total, limit, offset) };
}
