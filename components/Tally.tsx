import { plural } from "../lib/text/count.ts";

/** How many entries a list has and, where something narrows it, the way to all. */
export function Tally(
  { total, noun, narrowedBy, all }: {
    total: number;
    noun: string;
    /** What the list was asked for beside its order and part. */
    narrowedBy: Readonly<Record<string, unknown>>;
    /** Path of the list of all. */
    all: string;
  },
) {
  const isNarrowed = Object.values(narrowedBy).some((value) => value !== undefined);
  return (
    <div class="section-head">
      <h2 class="tally">{plural(total, noun)}</h2>
      {isNarrowed && total > 0 && (
        <p>
          <a href={all} aria-current="false">Show all {noun}s</a>
        </p>
      )}
    </div>
  );
}
