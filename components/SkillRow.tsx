import { nameOfKind } from "../lib/catalog/skill_kinds.ts";
import type { PublicSkill } from "../lib/skills/schema.ts";
import { plural } from "../lib/text/count.ts";
import { paths } from "../lib/urls.ts";
import { Time } from "./Time.tsx";
import { ToolMarks } from "./ToolMark.tsx";
import { SkillVote } from "./Vote.tsx";

/** One entry of a list of skills: title, summary, facts and the vote button. */
function SkillRow({ skill, dated }: { skill: PublicSkill; dated?: boolean }) {
  return (
    <li class="row">
      <span class="tint" aria-hidden="true" />
      <div>
        <h3 class="row-name">
          <a href={paths.skill(skill.slug)} dir="auto">{skill.title}</a>{" "}
          <span class="label">{nameOfKind(skill.kind)}</span>
        </h3>
        <p class="row-tagline" dir="auto">{skill.summary}</p>
        <p class="row-facts">
          <span>{plural(skill.copies, "copy", "copies")}</span>{" "}
          {skill.license && <span>{skill.license}</span>}{" "}
          {skill.origin === "third-party" && <span>third-party</span>}{" "}
          <ToolMarks slugs={skill.worksWith} relation="Works with" />{" "}
          {dated && <Time iso={skill.createdAt} />}
        </p>
      </div>
      <SkillVote skill={skill} />
    </li>
  );
}

/** A short entry for a list of other skills: title, kind and summary. */
export function SkillBrief({ skill }: { skill: PublicSkill }) {
  return (
    <li class="brief">
      <a href={paths.skill(skill.slug)} dir="auto">{skill.title}</a>{" "}
      <span class="label">{nameOfKind(skill.kind)}</span>
      <p dir="auto">{skill.summary}</p>
    </li>
  );
}

/** A numbered list of skills. `start` is the number of the first; `dated` adds the date. */
export function SkillList(
  props: { skills: readonly PublicSkill[]; start?: number; label: string; dated?: boolean },
) {
  return (
    <ol class="rows numbered" start={props.start ?? 1} aria-label={props.label}>
      {props.skills.map((skill) => <SkillRow key={skill.slug} skill={skill} dated={props.dated} />)}
    </ol>
  );
}
