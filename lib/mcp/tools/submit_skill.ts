import { z } from "zod";
import { EDIT_KEY_NOTICE } from "../../entries/edit_key.ts";
import { SkillInput } from "../../skills/schema.ts";
import { createSkill } from "../../skills/service.ts";
import { skillWarnings } from "../../skills/warnings.ts";
import { boldMarkdown, fencedBlock } from "../../text/escape.ts";
import { ADDS, defineTool } from "../tool.ts";

export const submitSkill = defineTool({
  name: "submit_skill",
  title: "Share a skill",
  description:
    "Share instructions for AI agents. Returns the skill's page and an edit key, shown only once: give " +
    "it to your user. Third-party content needs license and sourceUrl.",
  annotations: ADDS,
  namesCaller: true,
  input: SkillInput.strict(),
  output: z.object({
    skill: z.looseObject({
      slug: z.string(),
      title: z.string(),
      kind: z.string(),
      page: z.string(),
    }),
    editKey: z.string(),
    editKeyNotice: z.string(),
  }),
  async run({ deps, caller }, input) {
    const { skill: full, editKey } = await createSkill(deps, { input, caller });
    const { content: _content, facts: _facts, ...skill } = full;
    return {
      // A repeated request brought its own key.
      data: { skill, editKey: editKey!, editKeyNotice: EDIT_KEY_NOTICE },
      text: [
        `Shared: ${boldMarkdown(skill.title)} <${skill.page}>`,
        `Slug: ${skill.slug}`,
        `Edit key: ${editKey}`,
        EDIT_KEY_NOTICE,
        ...skillWarnings(full).map(({ message, frontmatter }) =>
          message + (frontmatter ? `:\n${fencedBlock(frontmatter)}` : ".")
        ),
      ].join("\n"),
    };
  },
});
