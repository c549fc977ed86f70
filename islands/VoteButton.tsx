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
    if (props.voted === null) {
      return watchVote(props, (votes) => {
        setVoted(true);
        setVotes(votes);
      });
    }
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
      // A proxy answers a page of its own while the server is away.
      const body = await response.json().catch(() => null);
      if (!response.ok || body === null) throw new Error(body?.error?.message);
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

/** A button that does not know by itself whether the caller has voted; `show` is told the count if so. */
type Watcher = { kind: string; slug: string; show: (votes: number) => void };

const watchers = new Set<Watcher>();
const waiting: Watcher[] = [];

/**
 * Calls `show` with the votes of the item if the caller's is among them. All buttons of a page ask
 * in one request, and ask again when the browser shows the page as it was left: the way back from
 * an item that was voted for leads there. Returns a function that stops it.
 */
function watchVote(
  { kind, slug, statesUrl }: { kind: string; slug: string; statesUrl: string },
  show: (votes: number) => void,
): () => void {
  const watcher = { kind, slug, show };
  if (watchers.size === 0) {
    addEventListener("pageshow", ({ persisted }) => persisted && ask(statesUrl, [...watchers]));
  }
  watchers.add(watcher);
  if (waiting.push(watcher) === 1) setTimeout(() => ask(statesUrl, waiting.splice(0)));
  return () => watchers.delete(watcher);
}

async function ask(url: string, asking: Watcher[]): Promise<void> {
  const query = new URLSearchParams();
  for (const { kind, slug } of asking) query.append(kind, slug);
  type Answer = { voted: Record<string, Record<string, number>> };
  // A page that is left meanwhile may have the status and not the body.
  const answer = await fetch(`${url}?${query}`)
    .then((response) => response.ok ? response.json() as Promise<Answer> : null)
    .catch(() => null);
  for (const watcher of asking) {
    const votes = answer?.voted[watcher.kind]?.[watcher.slug];
    // Every object has something under "constructor", which may be a slug.
    if (typeof votes === "number" && watchers.has(watcher)) watcher.show(votes);
  }
}
