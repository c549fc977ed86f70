type Entry = Deno.KvEntry<unknown>;

/** Entries of one range in the order of keys, in batches. */
export type Batches = AsyncIterable<Entry[]>;

/** One entry of the main range, with the entries of the other ranges that have the same slug. */
export type Joined<Name extends string> = { main: Entry } & Record<Name, Entry[]>;

/**
 * Joins ranges of keys `[name, slug, ...]` by slug. Each range is read once, in order, and only one
 * batch of each is in memory at a time. Entries of the other ranges whose slug is not in the main
 * range are skipped.
 */
export async function joinBySlug<Name extends string>(
  main: Batches,
  others: Record<Name, Batches>,
  each: (row: Joined<Name>) => void,
): Promise<void> {
  const names = Object.keys(others) as Name[];
  const cursors = names.map((name) => new Cursor(others[name]));
  for await (const batch of main) {
    for (const entry of batch) {
      const slug = slugOf(entry);
      const row = { main: entry } as Joined<Name>;
      for (const [i, name] of names.entries()) {
        const cursor = cursors[i]!;
        const found: Entry[] = [];
        for (;;) {
          if (cursor.head === undefined && !(await cursor.refill())) break;
          const head = slugOf(cursor.head!);
          if (head > slug) break;
          if (head === slug) found.push(cursor.head!);
          cursor.advance();
        }
        row[name] = found as Joined<Name>[Name];
      }
      each(row);
    }
  }
}

/** A position in a range. */
class Cursor {
  readonly #batches: AsyncIterator<Entry[]>;
  #batch: Entry[] = [];
  #at = 0;
  #ended = false;

  constructor(batches: Batches) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** The entry at this position; undefined at the end of the batch. */
  get head(): Entry | undefined {
    return this.#batch[this.#at];
  }

  advance(): void {
    this.#at++;
  }

  /** Reads the next batch; false at the end of the range. */
  async refill(): Promise<boolean> {
    if (this.#ended) return false;
    const { done, value } = await this.#batches.next();
    this.#ended = done ?? false;
    if (this.#ended) return false;
    this.#batch = value;
    this.#at = 0;
    return true;
  }
}

function slugOf(entry: Entry): string {
  return entry.key[1] as string;
}
