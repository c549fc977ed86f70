import { useEffect, useRef, useState } from "preact/hooks";
import { formatCount, plural } from "../lib/text/count.ts";

/** The props of a vote button. `voted` is null on pages that are the same for everyone. */
export interface VoteButtonProps {
  kind: "listing" | "skill";
  slug: string;
  /** The name of the item, for screen readers. */
  name: string;
  votes: number;
  voted: boolean | null;
  /** Where the form posts without script. */
  action: string;
  /** Address of the vote in the API. */
  api: string;
  /** Address that tells which of several items the caller voted for. */
  statesUrl: string;
}

/** An upvote: a form that posts, and with script a button that answers at once. */
export default function VoteButton(props: VoteButtonProps) {
  const { name, action } = props;
  const [votes, setVotes] = useState(props.votes);
  const [voted, setVoted] = useState(props.voted ?? false);
  const [message, setMessage] = useState("");
  const pending = useRef(false);

  useEffect(() => {
    if (props.voted === null) return watchVote(props, setVoted);
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
      const body = await response.json();
      if (!response.ok) throw new Error(body.error?.message);
      setVotes(body.votes);
      setVoted(body.voted);
      setMessage(body.voted ? `You upvoted ${name}` : `Your vote for ${name} is removed`);
    } catch (error) {
      setVotes(before.votes);
      setVoted(before.voted);
      const reason = error instanceof TypeError ? "no connection" : (error as Error).message;
      setMessage(`Not counted: ${reason || "try again"}`);
    } finally {
      pending.current = false;
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

/** A button that does not know yet whether the caller has voted. */
type Watcher = { kind: string; slug: string; show: (voted: boolean) => void };

const waiting: Watcher[] = [];

/**
 * Calls `show(true)` if the caller has voted for the item. All buttons of a page ask in one
 * request. Returns a function that stops it.
 */
function watchVote(
  item: { kind: string; slug: string; statesUrl: string },
  show: (voted: boolean) => void,
): () => void {
  const watcher = { kind: item.kind, slug: item.slug, show };
  if (waiting.push(watcher) === 1) setTimeout(() => ask(item.statesUrl));
  return () => {
    watcher.show = () => {};
  };
}

async function ask(url: string): Promise<void> {
  const asked = waiting.splice(0);
  const query = new URLSearchParams();
  for (const { kind, slug } of asked) query.append(kind, slug);
  const response = await fetch(`${url}?${query}`).catch(() => null);
  if (!response?.ok) return;
  const { voted } = await response.json() as { voted: Record<string, string[]> };
  for (const { kind, slug, show } of asked) {
    if (voted[kind]?.includes(slug)) show(true);
  }
}
