import { isoTime } from "../clock.ts";
import { storeKeys } from "../kv/keys.ts";
import { listIds } from "../kv/ranges.ts";
import { counterValue } from "../kv/store.ts";
import { listingKeys } from "../listings/keys.ts";
import type { StoredListing } from "../listings/schema.ts";
import { readSwitches } from "../switches.ts";
import type { Deps } from "./deps.ts";
import type { JobRun } from "./jobs.ts";
import { operatorKeys } from "./keys.ts";
import { getPaymentFigures } from "./payment_figures.ts";

/** A summary of the site for the operator. */
export async function readStatus(deps: Deps): Promise<Record<string, unknown>> {
  const { store } = deps;
  const [switches, revision, schemaVersion] = await store.getMany<unknown>([
    storeKeys.switches,
    storeKeys.revision,
    storeKeys.schemaVersion,
  ]);
  const listings = { live: 0, pending: 0, hidden: 0, withdrawn: 0 };
  for await (const { value } of store.list<StoredListing>({ prefix: listingKeys.all })) {
    listings[value.state]++;
  }
  return {
    switches: readSwitches(switches!),
    schemaVersion: schemaVersion!.value,
    revision: counterValue(revision!),
    listings,
    openReports: (await listIds(store, operatorKeys.reports)).length,
    // The servers' settings, and so their jobs, may differ from this command's.
    jobs: await Array.fromAsync(
      store.list<JobRun>({ prefix: storeKeys.jobRuns }),
      ({ key, value: { at, ok } }) => ({ name: key.at(-1), lastRunAt: isoTime(at), ok }),
    ),
    payments: await getPaymentFigures(deps),
  };
}
