/** Asks once for all vote buttons of a page which of them the caller pressed before. */
type Watcher = { kind: string; slug: string; show: (voted: boolean) => void };

const waiting: Watcher[] = [];

/** Calls `show(true)` when the caller has voted for the item. Returns a function that stops it. */
export function watchVote(
  item: { kind: string; slug: string; statesUrl: string },
  show: (voted: boolean) => void,
): () => void {
  const watcher = { kind: item.kind, slug: item.slug, show };
  if (waiting.push(watcher) === 1) queueMicrotask(() => setTimeout(() => ask(item.statesUrl)));
  return () => {
    watcher.show = () => {};
  };
}

async function ask(url: string): Promise<void> {
  const asked = waiting.splice(0);
  const query = new URLSearchParams();
  for (const { kind, slug } of asked) query.append(kind, slug);
  const response = await fetch(`${url}?${query}`).catch(() => null);
  if (!response?.ok) return;
  const { voted } = await response.json() as { voted: Record<string, string[]> };
  for (const { kind, slug, show } of asked) {
    if (voted[kind]?.includes(slug)) show(true);
  }
}
