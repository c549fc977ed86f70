import type { Store } from "../kv/store.ts";

/** What this process shows of one kind of entries. */
interface Counted {
  countsOf(slug: string): { votes: number };
}

/** Dependencies of votes. */
export interface Deps {
  store: Store;
  catalogue: Counted;
  skills: Counted;
}
