import type { AiOfTheDayView } from "../lib/ai_of_the_day/schema.ts";
import type { Standing } from "../lib/poll/schema.ts";
import { plural } from "../lib/text/count.ts";
import { paths, withQuery } from "../lib/urls.ts";

/** What the community decided: the poll leader, and which AI family picked the site's theme. */
export function Today(
  { pollLeader, aiOfTheDay }: {
    pollLeader: Standing | null;
    aiOfTheDay: AiOfTheDayView["today"] | null;
  },
) {
  return (
    <section aria-labelledby="today">
      <h2 id="today">Community</h2>
      <ul class="plain today">
        <li>
          <span>Best AI by votes, 30 days</span>
          <span class="dots" aria-hidden="true" />{" "}
          <a href={withQuery(paths.poll, { window: "30d" })} dir="auto">
            {pollLeader?.name ?? "No votes yet"}
          </a>{" "}
          <span class="dim">
            {pollLeader === null ? "Cast the first vote" : plural(pollLeader.votes, "vote")}
          </span>
        </li>
        <li>
          <span>AI of the Day</span>
          <span class="dots" aria-hidden="true" />{" "}
          <a href={paths.aiOfTheDay}>{aiOfTheDay?.winner?.name ?? "Nobody yet"}</a>{" "}
          <span class="dim">
            {themeNote(aiOfTheDay)}
          </span>
        </li>
      </ul>
    </section>
  );
}

/** Which theme the site uses, and who chose it. */
function themeNote(today: AiOfTheDayView["today"] | null) {
  if (today?.enabled === false) return "Daily themes are off";
  if (!today?.theme) return "The AI family with the most check-ins picks tomorrow's theme";
  return (
    <>
      {today.themeSource === "override" ? "The operator picked the theme " : "Today's theme: "}
      <span dir="auto">{today.theme.name}</span>
    </>
  );
}
