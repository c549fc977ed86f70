import { nameOfKind } from "../lib/catalog/skill_kinds.ts";
import type { PublicSkill } from "../lib/skills/schema.ts";
import { shortAddress } from "../lib/text/addresses.ts";
import { formatCount } from "../lib/text/count.ts";
import { labelOf } from "../lib/text/slug.ts";
import { displayHost } from "../lib/text/web_url.ts";
import { paths, withQuery } from "../lib/urls.ts";
import { Fact } from "./Fact.tsx";
import { Tags } from "./Tags.tsx";
import { Time } from "./Time.tsx";
import { ToolLinks } from "./ToolMark.tsx";
import { VerifiedFact } from "./VerifiedFact.tsx";

/** The facts of a skill's record as a list of terms. */
export function SkillDetails({ skill }: { skill: PublicSkill }) {
  const { category, author, license, sourceUrl, submittedBy } = skill;
  return (
    <dl class="facts">
      <Fact term="Kind">
        <a href={withQuery(paths.skills, { kind: skill.kind })}>{nameOfKind(skill.kind)}</a>
      </Fact>
      {category && (
        <Fact term="Category">
          <a href={withQuery(paths.skills, { category })}>{labelOf(category)}</a>
        </Fact>
      )}
      {skill.tags.length > 0 && (
        <Fact term="Tags">
          <Tags tags={skill.tags} path={paths.skills} />
        </Fact>
      )}
      {skill.worksWith.length > 0 && (
        <Fact term="Works with">
          <ToolLinks
            slugs={skill.worksWith}
            pathOf={(worksWith) => withQuery(paths.skills, { worksWith })}
          />
        </Fact>
      )}
      {author && <Fact term="Author" dir="auto">{author}</Fact>}
      <Fact term="License">
        {license === null
          ? "Not stated"
          : <a href={`https://spdx.org/licenses/${license}.html`} rel="noopener">{license}</a>}
      </Fact>
      {skill.origin === "third-party" && (
        <Fact term="Origin">Third-party: not written by the submitter</Fact>
      )}
      {sourceUrl && (
        <Fact term="Source">
          <a href={sourceUrl} rel="nofollow ugc noopener">{shortAddress(sourceUrl)}</a>
        </Fact>
      )}
      {submittedBy && <Fact term="Submitted by" dir="auto">{submittedBy}</Fact>}
      {skill.signedBy && <Fact term="Signed by">{displayHost(skill.signedBy)}</Fact>}
      <VerifiedFact verified={skill.verified} />
      <Fact term="Copies">{formatCount(skill.copies)}</Fact>
      <Fact term="Shared">
        <Time iso={skill.createdAt} />
      </Fact>
      {skill.updatedAt !== skill.createdAt && (
        <Fact term="Updated">
          <Time iso={skill.updatedAt} />
        </Fact>
      )}
    </dl>
  );
}
