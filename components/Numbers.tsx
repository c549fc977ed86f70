import type { CatalogueCounts } from "../lib/listings/catalogue.ts";
import { formatCount, noun } from "../lib/text/count.ts";

/** The directory in three live numbers. */
export function Numbers({ counts }: { counts: CatalogueCounts }) {
  const numbers = [
    [noun(counts.listings, "project"), counts.listings],
    [noun(counts.votes, "vote"), counts.votes],
    [noun(counts.clicks, "click"), counts.clicks],
  ] as const;
  return (
    <dl class="numbers">
      {numbers.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
