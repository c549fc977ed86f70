import type { PublicSkill } from "../lib/skills/schema.ts";
import { paths, withQuery } from "../lib/urls.ts";
import { shortAddress } from "./format.ts";
import { formatCount } from "../lib/text/count.ts";
import { nameOfKind } from "./SkillRow.tsx";
import { Time } from "./Time.tsx";
import { tools } from "../lib/catalog/tools.ts";

/** The facts of a skill's record as a table of terms. */
export function SkillDetails({ skill }: { skill: PublicSkill }) {
  const { category, author, license, sourceUrl, submittedBy } = skill;
  return (
    <dl class="facts">
      <dt>Kind</dt>
      <dd>
        <a href={withQuery(paths.skills, { kind: skill.kind })}>{nameOfKind(skill.kind)}</a>
      </dd>
      {category && (
        <>
          <dt>Category</dt>
          <dd>
            <a href={withQuery(paths.skills, { category })}>{category}</a>
          </dd>
        </>
      )}
      {skill.worksWith.length > 0 && (
        <>
          <dt>Works with</dt>
          <dd>
            <ul class="cluster plain">
              {skill.worksWith.map((tool) => (
                <li key={tool}>
                  <a class="chip" href={withQuery(paths.skills, { worksWith: tool })}>
                    {tools.find(({ slug }) => slug === tool)!.name}
                  </a>
                </li>
              ))}
            </ul>
          </dd>
        </>
      )}
      {author && (
        <>
          <dt>Author</dt>
          <dd dir="auto">{author}</dd>
        </>
      )}
      <dt>License</dt>
      <dd>
        {license === null
          ? "not said"
          : <a href={`https://spdx.org/licenses/${license}.html`} rel="noopener">{license}</a>}
      </dd>
      {skill.origin === "third-party" && (
        <>
          <dt>Origin</dt>
          <dd>third-party: not written by its submitter</dd>
        </>
      )}
      {sourceUrl && (
        <>
          <dt>Source</dt>
          <dd>
            <a href={sourceUrl} rel="nofollow ugc noopener">{shortAddress(sourceUrl)}</a>
          </dd>
        </>
      )}
      {submittedBy && (
        <>
          <dt>Submitted by</dt>
          <dd dir="auto">{submittedBy}</dd>
        </>
      )}
      <dt>Copies</dt>
      <dd>{formatCount(skill.copies)}</dd>
      <dt>Shared</dt>
      <dd>
        <Time iso={skill.createdAt} />
      </dd>
      {skill.updatedAt !== skill.createdAt && (
        <>
          <dt>Updated</dt>
          <dd>
            <Time iso={skill.updatedAt} />
          </dd>
        </>
      )}
    </dl>
  );
}
