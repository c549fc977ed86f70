import { useEffect, useRef, useState } from "preact/hooks";
import { formatCount, plural } from "../lib/text/count.ts";

/** The props of a vote button. `voted` is null on pages that are the same for everyone. */
export interface VoteButtonProps {
  kind: "listing" | "skill";
  slug: string;
  /** The item's name, for screen readers. */
  name: string;
  votes: number;
  voted: boolean | null;
  /** Where the form posts without a script. */
  action: string;
  /** The URL of the vote in the API. */
  api: string;
  /** The URL that says which of several items the caller voted for. */
  statesUrl: string;
}

/** An upvote: a form that posts, or with a script a button that responds instantly. */
export default function VoteButton(props: VoteButtonProps) {
  const { name, action } = props;
  const [votes, setVotes] = useState(props.votes);
  const [voted, setVoted] = useState(props.voted ?? false);
  const [message, setMessage] = useState("");
  const pending = useRef(false);

  useEffect(() => {
    if (props.voted !== null) return;
    watchVote(props, (state) => {
      // The response to a click will say more.
      if (pending.current) return;
      setVoted(state.voted);
      setVotes(state.votes);
    });
  }, []);

  async function toggle(event: Event) {
    event.preventDefault();
    if (pending.current) return;
    pending.current = true;
    const wanted = !voted;
    const before = { votes, voted };
    setVoted(wanted);
    setVotes(votes + (wanted ? 1 : -1));
    setMessage("");
    try {
      const response = await fetch(props.api, { method: wanted ? "POST" : "DELETE" });
      // A proxy sends its own page while the server is down.
      const body = await response.json().catch(() => null);
      if (!response.ok || body === null) throw new Error(body?.error?.message);
      setVotes(body.votes);
      setVoted(body.voted);
      setMessage(body.voted ? `You upvoted ${name}` : `You took back your vote for ${name}`);
    } catch (error) {
      setVotes(before.votes);
      setVoted(before.voted);
      const reason = error instanceof TypeError ? "no connection" : (error as Error).message;
      setMessage(`Not counted: ${reason || "try again"}`);
    } finally {
      pending.current = false;
      clicks++;
    }
  }

  const failed = message.startsWith("Not");
  return (
    <form method="post" action={action} class="vote" onSubmit={toggle}>
      {voted && <input type="hidden" name="remove" value="1" />}
      <button
        type="submit"
        aria-pressed={voted ? "true" : "false"}
        aria-label={`Upvote ${name}, ${plural(votes, "vote")}`}
      >
        <span aria-hidden="true">▲</span>
        <span class="count">{formatCount(votes)}</span>
      </button>
      <span role="status" class={failed ? "said" : "said quiet"}>{message}</span>
    </form>
  );
}

/** An item's votes, and whether the caller has voted for it. */
type VoteState = { votes: number; voted: boolean };

/** A button that doesn't know yet if the caller has voted. */
type Watcher = Pick<VoteButtonProps, "kind" | "slug"> & { show: (state: VoteState) => void };

/** How many clicks were answered: states requested before an answer may be out of date. */
let clicks = 0;
const watchers: Watcher[] = [];
const waiting: Watcher[] = [];

/**
 * Calls `show` with the item's state. All buttons on a page share one request. They ask again when
 * the browser restores the page, such as after going back from an item the visitor voted for.
 */
function watchVote(
  { kind, slug, statesUrl }: Pick<VoteButtonProps, "kind" | "slug" | "statesUrl">,
  show: Watcher["show"],
): void {
  const watcher = { kind, slug, show };
  if (watchers.length === 0) {
    addEventListener("pageshow", ({ persisted }) => persisted && ask(statesUrl, watchers));
  }
  watchers.push(watcher);
  if (waiting.push(watcher) === 1) setTimeout(() => ask(statesUrl, waiting.splice(0)));
}

async function ask(url: string, asking: Watcher[]): Promise<void> {
  const before = clicks;
  const query = new URLSearchParams();
  for (const { kind, slug } of asking) query.append(kind, slug);
  type Answer = Record<Watcher["kind"], Record<string, Partial<VoteState>>>;
  // If the visitor leaves the page before it is read, there may be a status but no body.
  const answer = await fetch(`${url}?${query}`)
    .then((response) => response.ok ? response.json() as Promise<Answer> : null)
    .catch(() => null);
  if (clicks !== before) return ask(url, asking);
  for (const { kind, slug, show } of asking) {
    const { votes, voted } = answer?.[kind]?.[slug] ?? {};
    // The count is missing if the item has been hidden since.
    if (votes !== undefined && voted !== undefined) show({ votes, voted });
  }
}
