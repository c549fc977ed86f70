import { page } from "fresh";
import { Fragment } from "preact";
import { EmptyState } from "@/components/EmptyState.tsx";
import { Page } from "@/components/Page.tsx";
import { Time } from "@/components/Time.tsx";
import { Topic } from "@/components/Topic.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { listChanges } from "@/lib/discovery/changes.ts";
import type { PublicChange } from "@/lib/discovery/schema.ts";
import { LIMITS } from "@/lib/limits.ts";
import { listActions } from "@/lib/operator/actions.ts";
import { plural } from "@/lib/text/count.ts";
import { formatClock, formatDay } from "@/lib/text/dates.ts";
import { labelOf } from "@/lib/text/slug.ts";
import { paths } from "@/lib/urls.ts";

/** What happened to an entry, in words that follow its kind. */
const EVENTS: Readonly<Record<string, string>> = {
  created: "listed",
  "skill created": "shared",
  gem: "picked",
  unhidden: "shown again",
  withdrawn: "withdrawn by the owner",
};
/** What happened, without a kind. */
const NEWS: Readonly<Record<string, string>> = {
  gem_ended: "No longer a gem",
  link_alive: "Link works again",
  link_moved: "Link moved",
  link_gated: "Link needs a login or blocks bots",
  link_gone: "Link not found",
  link_unreachable: "Link not responding",
  link_unknown: "Link status unknown",
  verified: "Owner verified",
  verification_lapsed: "Owner no longer verified",
};

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const [{ changes }, actions] = await Promise.all([
      listChanges(deps, { limit: LIMITS.pageSizeMax }),
      listActions(deps, { limit: LIMITS.pageSizeDefault, offset: 0 }),
    ]);
    return page({ changes: changes.reverse(), actions: actions.items });
  },
});

export default define.page<typeof handler>(function Changes({ data, state }) {
  return (
    <Page
      deps={state.deps}
      title="Recent changes"
      description="Projects and skills that were listed, edited, promoted, hidden or withdrawn, newest first."
      path={paths.changes}
      json={paths.apiChanges}
      lead={
        <>
          The last {LIMITS.pageSizeMax} changes, newest first, with times in UTC. Also available
          {" "}
          <a href={paths.apiChanges}>as JSON</a>.
        </>
      }
    >
      {data.changes.length === 0
        ? (
          <EmptyState title="No changes yet">
            <p>
              <a class="button primary" href={paths.submit}>Submit the first project</a>
            </p>
          </EmptyState>
        )
        : byDay(data.changes).map(([day, changes]) => (
          <Topic key={day} id={day} title={formatDay(day)}>
            <ol class="plain log">
              {runsOf(changes).map((run) => (
                <ChangeLine key={run[0]!.id} run={run} deps={state.deps} />
              ))}
            </ol>
          </Topic>
        ))}
      <Topic id="operator" title="Operator actions">
        <p class="dim">
          What the operator hid, approved, or turned on or off, with the reason and date. This list
          never names projects or people.
        </p>
        {data.actions.length === 0 ? <p>Nothing yet.</p> : (
          <ol class="plain log dated">
            {data.actions.map(({ kind, reason, day }, i) => (
              <li key={i}>
                <Time iso={day} />{" "}
                <span>
                  {labelOf(kind.replaceAll("_", " ").replace("listing", "project"))}
                  {reason !== null && `: ${reason}`}
                </span>
              </li>
            ))}
          </ol>
        )}
      </Topic>
    </Page>
  );
});

/** The changes of each day, in order. */
function byDay(changes: readonly PublicChange[]): [day: string, changes: PublicChange[]][] {
  return [...Map.groupBy(changes, ({ at }) => at.slice(0, 10))];
}

/** Successive changes of one kind in the same minute, in order. Each entry is named once. */
function runsOf(changes: readonly PublicChange[]): PublicChange[][] {
  const runs: PublicChange[][] = [];
  let last = "";
  for (const change of changes) {
    const what = [change.kind, change.event, formatClock(change.at)].join();
    if (what !== last) runs.push([change]);
    else if (runs.at(-1)!.every(({ slug }) => slug !== change.slug)) runs.at(-1)!.push(change);
    last = what;
  }
  return runs;
}

function ChangeLine({ run, deps }: { run: PublicChange[]; deps: Deps }) {
  const { kind, event, at } = run[0]!;
  const [one, noun] = event === "gem"
    ? ["Gem", "gem"]
    : kind === "listing"
    ? ["Project", "project"]
    : ["Skill", "skill"];
  const entries = run.length === 1 ? one : plural(run.length, noun);
  const done = EVENTS[`${kind} ${event}`] ?? EVENTS[event] ?? event.replaceAll("_", " ");
  return (
    <li>
      <time dateTime={at}>{formatClock(at)}</time>{" "}
      <span>
        <span class="dim">
          {NEWS[event] ?? `${entries} ${done}`}
        </span>{" "}
        <span>
          {run.map((change, i) => (
            <Fragment key={change.id}>
              {i > 0 && ", "}
              <Entry change={change} deps={deps} />
            </Fragment>
          ))}
        </span>
      </span>
    </li>
  );
}

/** A changed entry by its current name, or by its slug if it isn't public. */
function Entry({ change: { kind, slug, url }, deps }: { change: PublicChange; deps: Deps }) {
  if (url === null) return <code>{slug}</code>;
  const [path, name] = kind === "listing"
    ? [paths.listing(slug), deps.catalogue.get(slug)?.name]
    : [paths.skill(slug), deps.skills.get(slug)?.title];
  return <a href={path} dir="auto">{name ?? slug}</a>;
}
