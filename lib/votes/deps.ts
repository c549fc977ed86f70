import type { Store } from "../kv/store.ts";

/** The counts that this process shows for one kind of entry. */
interface Counted {
  countsOf(slug: string): { votes: number };
}

export interface Deps {
  store: Store;
  catalogue: Counted;
  skills: Counted;
}
