import type { FullSkill } from "../lib/skills/schema.ts";
import { changedInWords } from "../lib/skills/versions.ts";
import { showInvisible } from "../lib/text/clean.ts";
import { paths } from "../lib/urls.ts";
import { Time } from "./Time.tsx";

/** The versions of a skill's content, each with its changes. */
export function SkillVersions({ skill }: { skill: FullSkill }) {
  const { slug, history } = skill;
  return (
    <section class="panel" aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      <p class="dim">
        Install commands are pinned to one version by its SHA-256. Later edits don't change what
        these commands install.
      </p>
      <ul class="fact-list">
        {history.map((version) => (
          <li key={version.sha256}>
            <a href={paths.skillVersion(slug, version.sha256)}>
              <Time iso={version.at} exact />
            </a>: {changedInWords(version, skill)} <code>{version.sha256.slice(0, 12)}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A unified diff. Additions and removals are marked by sign and element. */
export function Diff({ text }: { text: string }) {
  return (
    <pre class="diff" tabIndex={0} dir="auto" aria-label="Changes">
      {showInvisible(text).split("\n").map((line, i) => {
        const Line = line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : "span";
        return <Line key={i}>{`${line}\n`}</Line>;
      })}
    </pre>
  );
}
