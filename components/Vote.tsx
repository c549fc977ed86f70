import VoteButton, { type VoteButtonProps } from "../islands/VoteButton.tsx";
import { paths } from "../lib/urls.ts";
import { Enhance } from "./Enhance.tsx";

/**
 * The vote button of a listing or skill; `voted` is null on pages that are the same for everyone.
 */
export function Vote(
  { kind, slug, name, votes, voted = null }:
    & Pick<VoteButtonProps, "kind" | "slug" | "name" | "votes">
    & { voted?: boolean | null },
) {
  const api = kind === "listing" ? paths.apiListing : paths.apiSkill;
  return (
    <>
      <Enhance />
      <VoteButton
        kind={kind}
        slug={slug}
        name={name}
        votes={votes}
        voted={voted}
        action={paths.voteOf(paths[kind](slug))}
        api={paths.voteOf(api(slug))}
        statesUrl={paths.votes}
      />
    </>
  );
}
