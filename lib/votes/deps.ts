import type { Store } from "../kv/store.ts";

/** What this process shows of one kind of entries. */
interface Counted {
  countsOf(slug: string): { votes: number };
}

/** What votes work with. */
export interface Deps {
  store: Store;
  catalogue: Counted;
  skills: Counted;
}
