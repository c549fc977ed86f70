import { isoTime } from "../lib/clock.ts";
import { Time } from "./Time.tsx";

/** Says above each page that storage is failing, and since when (ms) its data may be outdated. */
export function StaleNotice({ since }: { since: number }) {
  return (
    <aside class="stale" aria-label="Storage">
      <p class="notice" role="status">
        We can't reach our storage right now, so this page may be out of date. Last updated{" "}
        <Time iso={isoTime(since)} exact />. If something you submit is refused, nothing was
        changed.
      </p>
    </aside>
  );
}
