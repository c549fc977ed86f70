import { page } from "fresh";
import { Fact } from "@/components/Fact.tsx";
import { InstallCommands } from "@/components/InstallCommands.tsx";
import { Page } from "@/components/Page.tsx";
import { SkillContent } from "@/components/SkillContent.tsx";
import { SkillFactsLine, SkillFactsPanel } from "@/components/SkillFactsPanel.tsx";
import { Diff, SkillVersions } from "@/components/SkillVersions.tsx";
import { Tile } from "@/components/Tile.tsx";
import { Time } from "@/components/Time.tsx";
import { define } from "@/lib/app/define.ts";
import { accentOfKind, nameOfKind } from "@/lib/catalog/skill_kinds.ts";
import { compareVersion } from "@/lib/skills/diff.ts";
import { changedInWords } from "@/lib/skills/versions.ts";
import { formatTime } from "@/lib/text/dates.ts";
import { paths } from "@/lib/urls.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { slug, sha256 } = ctx.params;
    return page(await compareVersion(ctx.state.deps, slug!, sha256));
  },
});

export default define.page<typeof handler>(function SkillVersionPage({ data, state }) {
  const { skill, version, before, diff } = data;
  const { slug, title, sha256, install } = skill;
  const isCurrent = skill.history[0]!.sha256 === sha256;
  const which = isCurrent ? "current version" : "earlier version";
  return (
    <Page
      deps={state.deps}
      title={`${title}, version of ${formatTime(version.at)}`}
      description={`What this version of the skill ${title} changed, and how to install it.`}
    >
      <header class="listing-head">
        <Tile name={title} accent={accentOfKind(skill.kind)} size="large" />
        <div class="listing-title">
          <h1>
            <span dir="auto">{title}</span>, <span class="together">{which}</span>
          </h1>
          <p class="lead">
            Saved <Time iso={version.at} />: {changedInWords(version, skill)}.
          </p>
          <p class="labels">
            <span class="label">{nameOfKind(skill.kind)}</span>{" "}
            {skill.origin === "third-party" && <span class="label">Third-party</span>}
          </p>
        </div>
        <div class="listing-actions">
          <a class="button" href={paths.skill(slug)}>
            {isCurrent ? "See the skill" : "See the current version"}
          </a>
        </div>
      </header>
      <div class="columns">
        <div>
          {before !== null && (
            <section aria-labelledby="changes">
              <h2 id="changes">What it changed</h2>
              <p class="dim">
                Compared with the version of <Time iso={before.at} exact />.
              </p>
              <Diff text={diff} />
            </section>
          )}
          <section aria-labelledby="install">
            <h2 id="install">Install this version</h2>
            <SkillFactsLine facts={skill.facts} />
            <InstallCommands install={install} />
          </section>
          <section aria-labelledby="content">
            <h2 id="content">Content</h2>
            <SkillContent skill={skill} />
          </section>
        </div>
        <aside class="side" aria-label="Facts">
          <section aria-labelledby="details">
            <h2 id="details">Details</h2>
            <dl class="facts">
              <Fact term="Saved">
                <Time iso={version.at} exact />
              </Fact>
              <Fact term="SHA-256">
                <code>{sha256}</code>
              </Fact>
              {skill.history.length > 1 && (
                <Fact term="Versions">
                  <a href="#versions">See all {skill.history.length}</a>
                </Fact>
              )}
            </dl>
          </section>
        </aside>
        <div class="below">
          <SkillFactsPanel facts={skill.facts} />
          <SkillVersions skill={skill} />
        </div>
      </div>
    </Page>
  );
});
