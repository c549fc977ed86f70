import { accentOfKind, nameOfKind } from "../lib/catalog/skill_kinds.ts";
import type { PublicSkill } from "../lib/skills/schema.ts";
import { plural } from "../lib/text/count.ts";
import { labelOf } from "../lib/text/slug.ts";
import { paths, rowIds, withQuery } from "../lib/urls.ts";
import { Tile } from "./Tile.tsx";
import { Age } from "./Time.tsx";
import { ToolNames } from "./ToolMark.tsx";
import { Vote } from "./Vote.tsx";

/** One entry in a list of skills at `now` (ms): tile, title, summary, facts and the vote button. */
function SkillRow({ skill, now }: { skill: PublicSkill; now: number }) {
  const { category, license } = skill;
  return (
    <li class="row" id={rowIds.skill(skill.slug)}>
      <Tile name={skill.title} accent={accentOfKind(skill.kind)} />
      <div>
        <h3 class="row-name">
          <a href={paths.skill(skill.slug)} dir="auto">{skill.title}</a>
        </h3>
        <p class="row-tagline" dir="auto">{skill.summary}</p>
        <p class="row-facts">
          <span>{nameOfKind(skill.kind)}</span>{" "}
          {category && (
            <a href={withQuery(paths.skills, { category })} aria-current="false">
              {labelOf(category)}
            </a>
          )} {license && <span class="extra">{license}</span>}{" "}
          {skill.origin === "third-party" && <span class="extra">third-party</span>}{" "}
          <span class="extra">
            <Age iso={skill.createdAt} now={now} />
          </span>{" "}
          {skill.copies > 0 && <span class="extra">{plural(skill.copies, "copy", "copies")}</span>}
          {" "}
          <ToolNames slugs={skill.worksWith} relation="Works" />
        </p>
      </div>
      <Vote {...skill} kind="skill" name={skill.title} />
    </li>
  );
}

/** A short entry for a list of other skills: tile, title, kind and summary. */
export function SkillBrief({ skill }: { skill: PublicSkill }) {
  return (
    <li class="brief">
      <Tile name={skill.title} accent={accentOfKind(skill.kind)} size="small" />
      <div>
        <a href={paths.skill(skill.slug)} dir="auto" aria-current="false">{skill.title}</a>{" "}
        <span class="label">{nameOfKind(skill.kind)}</span>
        <p dir="auto">{skill.summary}</p>
      </div>
    </li>
  );
}

/**
 * A numbered list of skills at `now` (ms). `start` is the first number; `whole` doesn't shorten
 * summaries.
 */
export function SkillList(
  { skills, start = 1, label, whole, now }: {
    skills: readonly PublicSkill[];
    start?: number;
    label: string;
    whole?: boolean;
    now: number;
  },
) {
  return (
    <ol class={whole ? "rows numbered whole" : "rows numbered"} start={start} aria-label={label}>
      {skills.map((skill) => <SkillRow key={skill.slug} skill={skill} now={now} />)}
    </ol>
  );
}
