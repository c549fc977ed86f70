import type { ListingCatalogue } from "../lib/listings/catalogue.ts";
import { formatCount, noun } from "../lib/text/count.ts";

/** The directory in three live numbers. */
export function Numbers({ catalogue: { size, totals } }: { catalogue: ListingCatalogue }) {
  const numbers = [
    [noun(size, "project"), size],
    [noun(totals.votes, "vote"), totals.votes],
    [noun(totals.uses, "click"), totals.uses],
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
