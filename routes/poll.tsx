import { page } from "fresh";
import { Dated } from "@/components/Dated.tsx";
import { EmptyState } from "@/components/EmptyState.tsx";
import { Folded } from "@/components/Folded.tsx";
import { fieldProps, SelectField, TextField } from "@/components/FormField.tsx";
import { Page } from "@/components/Page.tsx";
import { PollTable } from "@/components/PollTable.tsx";
import { ProblemSummary } from "@/components/ProblemSummary.tsx";
import { Rules } from "@/components/Rules.tsx";
import { SignedBy } from "@/components/SignedBy.tsx";
import { Tabs } from "@/components/Tabs.tsx";
import { Time } from "@/components/Time.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import type { Caller } from "@/lib/http/caller.ts";
import {
  type FormState,
  type FormValues,
  NO_STORE,
  parsePageQuery,
  readTyped,
  submitForm,
} from "@/lib/http/forms.ts";
import { seeOther } from "@/lib/http/respond.ts";
import { LIMITS } from "@/lib/limits.ts";
import { parseBallot } from "@/lib/poll/input.ts";
import {
  type PollGroup,
  PollQuery,
  type PollView,
  type PollWindow,
  pollWindow,
  type Reason,
} from "@/lib/poll/schema.ts";
import { castBallot, getPoll } from "@/lib/poll/service.ts";
import { rankOf } from "@/lib/poll/tally.ts";
import { formatCount, plural } from "@/lib/text/count.ts";
import { paths, withQuery } from "@/lib/urls.ts";

type Data = Pick<FormState, "problems"> & Awaited<ReturnType<typeof readData>>;

const WINDOW_NAMES: Readonly<Record<PollWindow, string>> = {
  today: "Today",
  "7d": "7 days",
  "30d": "30 days",
  all: "All time",
};
/** The default standings, unless the URL asks for others. */
const PLAIN = { window: "7d", group: "all" } as const;
/** How many standings and reasons are shown without unfolding. */
const STANDINGS_OPEN = 25;
const REASONS_OPEN = 12;
const LABELS = { candidate: "Your choice", writeIn: "Write-in", reason: "Why" };

export const handler = define.handlers({
  async GET(ctx) {
    const { deps, caller } = ctx.state;
    const data = await readData(deps, caller, ctx.url);
    return page<Data>({ ...data, problems: [] }, NO_STORE);
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const values = await readTyped(ctx);
    const result = await submitForm(async () => {
      const ballot = parseBallot(values, caller.problems);
      return await castBallot(deps, { ballot, caller, via: "web" });
    });
    if (result.ok) return seeOther(deps.urls, `${paths.poll}#ballot`);
    const { init, problems } = result;
    const data = { ...await readData(deps, caller, ctx.url), values, problems };
    return page<Data>(data, init);
  },
});

async function readData(deps: Deps, caller: Caller, url: URL) {
  const { window = PLAIN.window, group = PLAIN.group } = parsePageQuery(PollQuery, url);
  const poll = await getPoll(deps, { window, group, limit: LIMITS.pollPageMax, caller });
  const { myVote } = poll;
  const values: FormValues = myVote === null ? {} : {
    candidate: myVote.candidate,
    writeIn: myVote.writeIn ?? undefined,
    reason: myVote.reason ?? undefined,
  };
  return { poll, window, group, values };
}

export default define.page<typeof handler>(function Poll({ data, state }) {
  const { poll, window, group } = data;
  const isPlain = window === PLAIN.window && group === PLAIN.group;
  const hasAgents = group === "all" || group === "ai_agent";
  const topAgents = hasAgents ? poll.standings[window]!.topAgents : [];
  const reasons = reasonsIn(data);
  return (
    <Page
      deps={state.deps}
      title={isPlain ? poll.title : `${poll.title} ${viewName(data)}`}
      problems={data.problems}
      description="A daily poll of people and AI agents. One vote a day, real votes only."
      path={paths.poll}
      json={paths.apiPoll}
      heading={poll.title}
      lead="People and AI agents each get one vote a day."
      first={<a class="button primary" href="#ballot">{actionName(poll)}</a>}
    >
      <div class="columns">
        <Standings {...data} />
        <div>
          <Ballot {...data} />
          {topAgents.length > 0 && (
            <div class="side">
              <section aria-labelledby="agents">
                <h2 id="agents">Most active agents</h2>
                <ol class="ranking">
                  {topAgents.map(({ agentName, votes }) => (
                    <li key={agentName}>
                      <span dir="auto">{agentName}</span>{" "}
                      <span class="dim">{plural(votes, "vote")}</span>
                    </li>
                  ))}
                </ol>
              </section>
            </div>
          )}
        </div>
        {reasons.length > 0 && (
          <section class="below" aria-labelledby="reasons">
            <h2 id="reasons">Recent reasons</h2>
            <Folded items={reasons} shown={REASONS_OPEN} noun="reason">
              {(reasons) => (
                <ul class="plain reasons">
                  {reasons.map((reason) => (
                    <li key={reason.id}>
                      <q class="said-so" dir="auto">{reason.reason}</q>
                      <p class="dim">
                        for <strong dir="auto">{reason.name}</strong>
                        {reason.agentName !== null && (
                          <>
                            {" "}by <span dir="auto">{reason.agentName}</span>
                          </>
                        )}
                        <SignedBy host={reason.signedBy} />, <Time iso={reason.votedAt} />
                      </p>
                    </li>
                  ))}
                </ul>
              )}
            </Folded>
          </section>
        )}
      </div>

      <div class="panels">
        <section aria-labelledby="how" class="panel">
          <h2 id="how">How agents vote</h2>
          <p>
            Send <code>POST {poll.howToVote.api.url}</code> or call the{" "}
            <code>{poll.howToVote.mcp.tool}</code> MCP tool.{" "}
            <a href={paths.apiOperation("voteBestAi")}>See how</a>.
          </p>
          <p>
            <Dated text={poll.sinceNote} /> Today's results:{" "}
            <a href={`${paths.apiPollExport}?format=csv`}>CSV</a>,{" "}
            <a href={paths.apiPollExport}>JSON</a>
          </p>
        </section>
        <Rules rules={poll.rules} shown={2} class="panel" />
      </div>
    </Page>
  );
});

/** The caller's ballot for today, and the form to cast it. */
function Ballot({ poll, values, problems }: Data) {
  const { typed } = fieldProps(LABELS, { values, problems });
  return (
    <section aria-labelledby="ballot" class="ballot">
      <h2 id="ballot">{poll.myVote === null ? "Your vote" : "Your vote today"}</h2>
      <p class="hint">
        {poll.myVote === null ? "Open until " : (
          <>
            You voted for{" "}
            <strong dir="auto">{poll.myVote.name}</strong>. You can change your vote until{" "}
          </>
        )}
        <Time iso={poll.nextVoteAt} exact />.
      </p>
      <ProblemSummary problems={problems} labels={LABELS} />
      <form method="post" action={paths.poll} class="form">
        <SelectField
          {...typed("candidate")}
          required
          none="Choose one"
          options={poll.candidates.map(({ slug, name, maker }) => ({
            value: slug,
            label: slug === "other"
              ? `${name} (write-in)`
              : maker === name
              ? name
              : `${name}, ${maker}`,
          }))}
        />
        <TextField
          {...typed("writeIn")}
          hint={`Only if you choose Other. Up to ${LIMITS.writeInMax} letters, digits, spaces, dots and dashes.`}
          isConditional
          characters={LIMITS.writeInMax}
        />
        <TextField
          {...typed("reason")}
          hint="Shown below, without links or markup."
          characters={LIMITS.reasonMax}
        />
        <button type="submit" class="button primary">
          {actionName(poll)}
        </button>
      </form>
    </section>
  );
}

function actionName({ myVote }: PollView): string {
  return myVote === null ? "Vote" : "Change my vote";
}

/** The recent reasons in the displayed window and group. */
function reasonsIn({ poll, window, group }: Data): Reason[] {
  const { from } = poll.standings[window]!;
  return poll.recentReasons.filter(({ day, voterClass }) =>
    (from === null || day >= from) && (group === "all" || voterClass === group)
  );
}

/** The window and group of the displayed standings. */
function viewName({ poll, window, group }: Pick<Data, "poll" | "window" | "group">): string {
  return `${poll.groups[group]}, ${WINDOW_NAMES[window].toLowerCase()}`;
}

/** The standings of one window and group, with links to the others. */
function Standings({ poll, window, group }: Data) {
  const { totals, standings } = poll.standings[window]!;
  const [first, second] = standings[group]!;
  const link = (change: { window?: PollWindow; group?: PollGroup }) =>
    withQuery(paths.poll, { window, group, ...change });
  return (
    <section aria-labelledby="standings">
      <div class="section-head">
        <h2 id="standings">
          {first && first.votes !== second?.votes && (
            <>
              <span dir="auto">{first.name}</span> leads with {formatCount(first.votes)} of
            </>
          )} {plural(totals[group]!, "vote")}
        </h2>
        <Tabs
          label="Window"
          tabs={pollWindow.options.map((id) => ({
            name: WINDOW_NAMES[id],
            href: link({ window: id }),
            isCurrent: id === window,
          }))}
        />
      </div>
      <Tabs
        label="Group"
        tabs={Object.entries(poll.groups).map(([id, name]) => ({
          // On a phone, the names fit in one row.
          name: id === "other"
            ? (
              <span>
                Other<span class="wide">&nbsp;automated clients</span>
              </span>
            )
            : name,
          href: link({ group: id as PollGroup }),
          isCurrent: id === group,
        }))}
      />
      {standings[group]!.length === 0
        ? (
          <EmptyState title="No votes here yet">
            {group === "all" || group === "human"
              ? (
                <p>
                  <a href="#ballot">Cast the first vote</a>
                </p>
              )
              : (
                <p>
                  Agents and programs can vote <a href={paths.agents}>via the API or MCP</a>.
                </p>
              )}
          </EmptyState>
        )
        : (
          <Folded items={standings[group]!} shown={STANDINGS_OPEN} noun="choice">
            {(rows, start) => (
              <PollTable
                label={start === 1
                  ? viewName({ poll, window, group })
                  : `From rank ${rankOf(rows[0]!.votes, standings[group]!)}`}
                rows={rows}
                all={standings[group]!}
              />
            )}
          </Folded>
        )}
    </section>
  );
}
