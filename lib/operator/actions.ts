import { z } from "zod";
import { utcDay } from "../clock.ts";
import type { Core } from "../core.ts";
import { queryLimit, queryOffset } from "../http/input.ts";
import { type ListPage, nextOffset } from "../http/paging.ts";
import { createLogId, logIdAt } from "../kv/log_id.ts";
import { listValues } from "../kv/ranges.ts";
import { Store, type TransactOptions, type Tx } from "../kv/store.ts";
import type { Deps } from "./deps.ts";
import { operatorKeys } from "./keys.ts";

/** Why an operator acts on others' content. */
export const reasonClass = z.enum(["terms", "spam", "broken", "duplicate", "other"]);
export type ReasonClass = z.infer<typeof reasonClass>;

/** An operator's action in KV. It has no slug: the public log says what was done, not to whom. */
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
  kind: z.string().describe("The action, such as listing_hidden"),
  reason: reasonClass.nullable(),
  day: z.iso.date().describe("UTC"),
}).meta({ id: "OperatorAction", description: "What the operator did, why and when" });
export type PublicAction = z.infer<typeof PublicAction>;

/** The query of the public log. */
export const ActionQuery = z.object({
  limit: queryLimit,
  offset: queryOffset,
});

/**
 * A command that reverses an action, in KV. It names entries and agents, so it is not kept long.
 */
export interface StoredUndo {
  area: string;
  verb: string;
  args: Record<string, string>;
  options: Record<string, string>;
}

/** The part of an action that a command supplies for the public log. */
interface ActionNote extends Pick<StoredAction, "kind" | "reason"> {
  /** The run of commands it belongs to, and the command that reverses it. */
  undo?: { run: string; command: StoredUndo };
}

/**
 * A store that logs an operator's action in its first transaction that changes something. So a
 * command is one action, however many transactions it takes, and one that changes nothing is not
 * logged. The store below makes the commits, so only it tells its listeners about them.
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
    const result = await this.#store.transact(async (tx) => {
      const result = await body(tx);
      logs = tx.isWriting && !this.#isLogged;
      if (logs) {
        const at = this.clock.now();
        const { kind, reason, undo } = this.#note;
        const action: StoredAction = { id: createLogId(at), kind, reason, at };
        tx.set(operatorKeys.action(action.id), action);
        if (undo) {
          tx.setExpiring(operatorKeys.undo(undo.run, action.id), undo.command);
        }
      }
      return result;
    }, options);
    this.#isLogged ||= logs;
    return result;
  }
}

/** The same dependencies, with a store that logs an action along with its first change. */
export function audited(deps: Deps, note: ActionNote): Deps {
  return { ...deps, store: new AuditedStore(deps.store, note) };
}

/** The public log of operator actions, latest first. */
export async function listActions(
  core: Core,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListPage<PublicAction>> {
  const actions = await publicActions(core);
  const total = actions.length;
  const items = actions.reverse().slice(offset, offset + limit);
  return { items, total, limit, offset, nextOffset: nextOffset(total, limit, offset) };
}

/** Every action as the public log shows it, oldest first. */
export async function publicActions({ store }: Core): Promise<PublicAction[]> {
  const actions = await listValues<StoredAction>(store, operatorKeys.actions);
  return actions.map(({ kind, reason, at }) => ({ kind, reason, day: utcDay(at) }));
}

/** True if the operator has done something since a time (ms). */
export async function hasActionSince({ store }: Core, since: number): Promise<boolean> {
  const range = { prefix: operatorKeys.actions, start: operatorKeys.action(logIdAt(since)) };
  return (await Array.fromAsync(store.list(range, { limit: 1 }))).length > 0;
}
