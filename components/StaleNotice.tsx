import { isoTime } from "../lib/clock.ts";
import { Time } from "./Time.tsx";

/** Says, above each page, that storage fails and since when (ms) pages show what was last known. */
export function StaleNotice({ since }: { since: number }) {
  return (
    <aside class="stale" aria-label="Storage">
      <p class="notice" role="status">
        Storage cannot be read right now: this is what was known at{" "}
        <Time iso={isoTime(since)} exact />. What you send may be refused; then nothing was changed.
      </p>
    </aside>
  );
}
