type Entry = Deno.KvEntry<unknown>;

/** One entry of the main range, with the entries of the other ranges that have its slug. */
export type Joined<Name extends string> = { main: Entry } & Record<Name, Entry[]>;

/**
 * Joins ranges of keys `[name, slug, ...]` in the order of slugs, reading each once and keeping one
 * entry of each at a time. Entries of the other ranges without one in the main range are passed over.
 */
export async function* joinBySlug<Name extends string>(
  main: AsyncIterator<Entry>,
  others: Record<Name, AsyncIterator<Entry>>,
): AsyncGenerator<Joined<Name>> {
  const names = Object.keys(others) as Name[];
  const heads = await Promise.all(names.map((name) => others[name].next()));
  for (let next = await main.next(); !next.done; next = await main.next()) {
    const slug = slugOf(next.value);
    const row = { main: next.value } as Joined<Name>;
    for (const [i, name] of names.entries()) {
      const found: Entry[] = [];
      let head = heads[i]!;
      while (!head.done && slugOf(head.value) <= slug) {
        if (slugOf(head.value) === slug) found.push(head.value);
        head = await others[name].next();
      }
      heads[i] = head;
      row[name] = found as Joined<Name>[Name];
    }
    yield row;
  }
}

function slugOf(entry: Entry): string {
  return entry.key[1] as string;
}
