import VoteButton from "../islands/VoteButton.tsx";
import type { PublicListing } from "../lib/listings/schema.ts";
import type { PublicSkill } from "../lib/skills/schema.ts";
import { paths } from "../lib/urls.ts";
import { Enhance } from "./Enhance.tsx";

/** The vote button of a listing; `voted` is null on pages that are the same for everyone. */
export function ListingVote(
  props: { listing: Pick<PublicListing, "slug" | "name" | "votes">; voted?: boolean | null },
) {
  const { slug, name, votes } = props.listing;
  return (
    <>
      <Enhance />
      <VoteButton
        kind="listing"
        slug={slug}
        name={name}
        votes={votes}
        voted={props.voted ?? null}
        action={paths.listingVote(slug)}
        api={paths.apiListingVote(slug)}
        statesUrl={paths.votes}
      />
    </>
  );
}

/** The vote button of a skill; `voted` is null on pages that are the same for everyone. */
export function SkillVote(
  props: { skill: Pick<PublicSkill, "slug" | "title" | "votes">; voted?: boolean | null },
) {
  const { slug, title, votes } = props.skill;
  return (
    <>
      <Enhance />
      <VoteButton
        kind="skill"
        slug={slug}
        name={title}
        votes={votes}
        voted={props.voted ?? null}
        action={paths.skillVote(slug)}
        api={paths.apiSkillVote(slug)}
        statesUrl={paths.votes}
      />
    </>
  );
}
