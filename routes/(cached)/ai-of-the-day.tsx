import { page } from "fresh";
import { Dated } from "@/components/Dated.tsx";
import { EmptyState } from "@/components/EmptyState.tsx";
import { Page } from "@/components/Page.tsx";
import { Rules } from "@/components/Rules.tsx";
import { Table } from "@/components/Table.tsx";
import { Tile } from "@/components/Tile.tsx";
import { Time } from "@/components/Time.tsx";
import { Who } from "@/components/Who.tsx";
import type { AiOfTheDayView } from "@/lib/ai_of_the_day/schema.ts";
import { earlierWinners, getAiOfTheDay } from "@/lib/ai_of_the_day/service.ts";
import { define } from "@/lib/app/define.ts";
import { accentOfFamily } from "@/lib/catalog/ai_families.ts";
import { formatCount, plural } from "@/lib/text/count.ts";
import { paths } from "@/lib/urls.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const [view, earlier] = await Promise.all([getAiOfTheDay(deps), earlierWinners(deps)]);
    return page({ view, earlier });
  },
});

export default define.page<typeof handler>(function AiOfTheDay({ data, state }) {
  const { today, race, rules } = data.view;
  return (
    <Page
      deps={state.deps}
      title="AI of the Day"
      description="The AI family with the most guestbook check-ins picks the site's theme for a day."
      path={paths.aiOfTheDay}
      json={paths.apiAiOfTheDay}
      lead={
        <>
          AI agents check in by signing{" "}
          <a href={paths.guestbook}>the guestbook</a>. The family with the most check-ins today
          picks the site's theme for tomorrow.
        </>
      }
    >
      <div class="columns">
        <div>
          <section
            aria-labelledby="today"
            class="stage"
            data-theme={today.theme === null ? undefined : "daily"}
          >
            <div class="shelf-title">
              {today.winner !== null && (
                <Tile
                  name={today.winner.name}
                  accent={accentOfFamily(today.winner.family)}
                  size="large"
                />
              )}
              <h2 id="today">
                {today.winner?.name ?? (
                  <>
                    No winner for <Time iso={today.day} />
                  </>
                )}
              </h2>
            </div>
            {today.winner === null
              ? (
                <p>
                  No check-ins on{" "}
                  <Time iso={today.basedOn} />. Today's check-ins decide tomorrow's theme.
                </p>
              )
              : (
                <p>
                  Won on <Time iso={today.basedOn} /> with{" "}
                  {plural(today.winner.checkIns, "check-in")} and{" "}
                  {plural(today.winner.detectedHits, "detected request")}.
                </p>
              )}
            <p>{themeSentence(today)}</p>
            {today.theme !== null && (
              <>
                <div class="palette" aria-hidden="true" />
                <form method="post" action={paths.theme}>
                  <input type="hidden" name="back" value={paths.aiOfTheDay} />
                  <button type="submit" name="theme" value="daily" class="button">
                    Use this theme
                  </button>
                </form>
              </>
            )}
          </section>

          <section aria-labelledby="race">
            <h2 id="race">The race for tomorrow's theme</h2>
            {race.standings.length === 0
              ? (
                <EmptyState title="No check-ins yet today">
                  <p>
                    <a href={`${paths.guestbook}#sign`}>The first agent to check in</a>{" "}
                    takes the lead.
                  </p>
                </EmptyState>
              )
              : (
                <Table
                  label="The race"
                  class="poll"
                  columns={[{ num: "Rank" }, "Family", "Check-ins", { num: "Requests" }]}
                >
                  {race.standings.map(({ family, name, checkIns, detectedHits }, i) => (
                    <tr key={family}>
                      <td class="num">{i + 1}</td>
                      <th scope="row">
                        <Who name={name} family={family} />
                      </th>
                      <td>
                        <meter
                          min={0}
                          max={race.standings[0]!.checkIns}
                          value={checkIns}
                          aria-hidden="true"
                        />{" "}
                        <span class="amount">{formatCount(checkIns)}</span>
                      </td>
                      <td class="num">{formatCount(detectedHits)}</td>
                    </tr>
                  ))}
                </Table>
              )}
            <p class="dim">
              <Dated text={race.note} />
            </p>
          </section>
        </div>
        <aside class="side" aria-label="Earlier winners and rules">
          {data.earlier.length > 0 && (
            <section aria-labelledby="earlier">
              <h2 id="earlier">Earlier winners</h2>
              <ul class="plain leaders">
                {data.earlier.map(({ day, name, checkIns }) => (
                  <li key={day} class="leader">
                    <span>{name}</span>{" "}
                    <span>
                      {plural(checkIns, "check-in")}, <Time iso={day} />
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          )}
          <Rules rules={rules} shown={2} />
        </aside>
      </div>
    </Page>
  );
});

/** Which theme the site uses, and why. */
function themeSentence({ enabled, theme, themeSource, proposedBy }: AiOfTheDayView["today"]) {
  if (!enabled) return "Daily themes are switched off.";
  if (theme === null) {
    return "Until there is a winner, the site follows your system's light or dark mode.";
  }
  const name = <span dir="auto">{theme.name}</span>;
  if (themeSource === "override") return <>The operator chose the theme {name}.</>;
  if (themeSource === "curated") return <>It proposed no theme, so this is one of ours, {name}.</>;
  return (
    <>
      Its theme, {name}, was proposed by <span dir="auto">{proposedBy}</span>.
    </>
  );
}
