import { page } from "fresh";
import { Enhance } from "@/components/Enhance.tsx";
import { Inline } from "@/components/Inline.tsx";
import { InstallCommands } from "@/components/InstallCommands.tsx";
import { OwnerLinks } from "@/components/OwnerLinks.tsx";
import { Page } from "@/components/Page.tsx";
import { SavedNotice } from "@/components/SavedNotice.tsx";
import { SkillContent } from "@/components/SkillContent.tsx";
import { SkillDetails } from "@/components/SkillDetails.tsx";
import { SkillFactsLine, SkillFactsPanel } from "@/components/SkillFactsPanel.tsx";
import { SkillBrief } from "@/components/SkillRow.tsx";
import { SkillVersions } from "@/components/SkillVersions.tsx";
import { Snippet } from "@/components/Snippet.tsx";
import { Tile } from "@/components/Tile.tsx";
import { Time } from "@/components/Time.tsx";
import { Vote } from "@/components/Vote.tsx";
import { define } from "@/lib/app/define.ts";
import { accentOfKind, nameOfKind } from "@/lib/catalog/skill_kinds.ts";
import { cached, wantsMarkdown } from "@/lib/http/respond.ts";
import { skillAnswer } from "@/lib/skills/answers.ts";
import { getSkill } from "@/lib/skills/service.ts";
import { addedInWords, recentAdditions } from "@/lib/skills/versions.ts";
import { paths } from "@/lib/urls.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const slug = ctx.params.slug!;
    if (wantsMarkdown(ctx.req, "text/html")) {
      return cached(ctx, await skillAnswer(deps, { slug, format: "md" }));
    }
    const skill = await getSkill(deps, slug);
    const also = deps.skills.alike(skill.slug);
    const added = recentAdditions(skill.history, deps.clock.now());
    return page({ skill, also, added });
  },
});

export default define.page<typeof handler>(function SkillPage({ data, state }) {
  const { skill, also, added } = data;
  const { slug, title, install } = skill;
  const path = paths.skill(slug);
  return (
    <Page
      deps={state.deps}
      title={title}
      description={skill.summary}
      path={path}
      json={paths.apiSkill(slug)}
      image={paths.imageOf(path)}
      jsonLd={{
        "@context": "https://schema.org",
        "@type": "CreativeWork",
        "name": title,
        "description": skill.summary,
        "url": skill.page,
        // schema.org wants a URL; SPDX has a page for each id.
        "license": skill.license === null
          ? undefined
          : `https://spdx.org/licenses/${skill.license}.html`,
        "dateCreated": skill.createdAt,
        "dateModified": skill.updatedAt,
      }}
    >
      <SavedNotice>Saved.</SavedNotice>
      <article>
        <header class="listing-head">
          <Tile name={title} accent={accentOfKind(skill.kind)} size="large" />
          <div class="listing-title">
            <h1 dir="auto">{title}</h1>
            <p class="lead" dir="auto">{skill.summary}</p>
            <p class="labels">
              <span class="label">{nameOfKind(skill.kind)}</span>{" "}
              {skill.origin === "third-party" && <span class="label">Third-party</span>}
            </p>
            {added && (
              <p class="notice">
                An edit on <Time iso={added.at} /> added {addedInWords(added)}.{" "}
                <a href={paths.skillVersion(slug, added.sha256)}>See what changed</a>
              </p>
            )}
          </div>
          <div class="listing-actions" id="vote">
            <Vote {...skill} kind="skill" name={skill.title} voted={state.voted} />
            <form method="post" action={paths.skillCopy(slug)}>
              <button type="submit" class="button primary">Download {install.fileName}</button>
            </form>
          </div>
        </header>
        <div class="columns">
          <div>
            <section aria-labelledby="install">
              <h2 id="install">Install</h2>
              <p>
                <Inline text={`${withCode(install.hint)}.`} />
              </p>
              <SkillFactsLine facts={skill.facts} />
              <InstallCommands install={install} />
              {skill.installHint && (
                <>
                  <h3>Note from the submitter</h3>
                  <p class="prose-text" dir="auto">{withoutGaps(skill.installHint)}</p>
                </>
              )}
            </section>
            <section aria-labelledby="content">
              <div class="section-head">
                <h2 id="content">Content</h2>
                <Enhance />
                <button
                  type="button"
                  class="copy"
                  aria-label="Copy: Content"
                  data-copy={paths.skillCopy(slug)}
                  hidden
                >
                  Copy
                </button>
                <p>
                  <a href={paths.apiSkillRaw(slug)}>Raw</a> ·{" "}
                  <a href={paths.markdown(path)}>Markdown</a> ·{" "}
                  <a href={paths.apiSkill(slug)}>JSON</a>
                </p>
              </div>
              <SkillContent skill={skill} />
            </section>
          </div>
          <aside class="side" aria-label="Facts">
            <section aria-labelledby="details">
              <h2 id="details">Details</h2>
              <SkillDetails skill={skill} />
              <p class="dim">
                <a href={paths.reportOf(path)}>Report this skill</a>
              </p>
            </section>
          </aside>
          <div class="below">
            <SkillFactsPanel facts={skill.facts} />
            <SkillVersions skill={skill} />
            {also.length > 0 && (
              <section aria-labelledby="also" class="panel">
                <h2 id="also">See also</h2>
                <ul class="plain briefs shelf">
                  {also.map((other) => <SkillBrief key={other.slug} skill={other} />)}
                </ul>
              </section>
            )}
            <div class="panels">
              <section class="panel" aria-labelledby="share">
                <h2 id="share">Share</h2>
                <Snippet label="Link" text={skill.page} />
              </section>
              <OwnerLinks
                noun="skill"
                links={{
                  "Claim it": skill.sourceUrl && paths.claimOf(path),
                  "Edit": paths.editOf(path),
                }}
              />
            </div>
          </div>
        </div>
      </article>
    </Page>
  );
});

/** A sentence as Markdown, with its file names as code. */
function withCode(text: string): string {
  return text.split(" ").map((word) => word.includes(".") ? `\`${word}\`` : word).join(" ");
}

/** A text with runs of empty lines reduced to one: a thousand would leave the page blank. */
function withoutGaps(text: string): string {
  return text.replace(/\n(?:[^\S\n]*\n){2,}/g, "\n\n");
}
