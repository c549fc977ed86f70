import { storeKeys } from "./keys.ts";
import { logIdAt } from "./log_id.ts";
import type { Change, News, Pulse, Store } from "./store.ts";

/**
 * Everything logged at or after a time (ms), by any process: first the changes, then the pulses,
 * each with its id.
 */
export async function* readLog(
  store: Store,
  from: number,
  options?: Deno.KvListOptions,
): AsyncGenerator<{ id: string; news: News }> {
  const start = logIdAt(from);
  const changes = { prefix: storeKeys.changes, start: storeKeys.change(start) };
  for await (const { value: change } of store.list<Change>(changes, options)) {
    yield { id: change.id, news: { type: "change", change, foreign: true } };
  }
  const pulses = { prefix: storeKeys.pulses, start: storeKeys.pulse(start) };
  for await (const { value } of store.list<Pulse[] | Pulse>(pulses, options)) {
    for (const pulse of [value].flat()) {
      yield { id: pulse.id, news: { type: "pulse", pulse, foreign: true } };
    }
  }
}
