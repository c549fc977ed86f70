import type { ComponentChildren } from "preact";
import type { SkillFacts } from "../lib/skills/facts.ts";
import { formatCount, plural } from "../lib/text/count.ts";

const OR = new Intl.ListFormat("en", { type: "disjunction" });

/** What the rules found in a skill's content, by line: facts to weigh, without a verdict. */
export function SkillFactsPanel({ facts }: { facts: SkillFacts }) {
  const { invisible, commands, urls, secrets, permissions } = facts;
  const absent = Object.entries({
    "invisible characters": invisible,
    "possible secrets": secrets,
    "commands": commands,
    "links": urls,
    "permission requests": permissions,
  }).filter(([, { total }]) => total === 0);
  return (
    <section class="panel" aria-labelledby="facts">
      <h2 id="facts">Security check</h2>
      <p class="dim">
        Automated scan of {plural(facts.lines, "line")}{" "}
        ({plural(facts.characters, "character")}), not a human review. Read the skill before giving
        it to an agent.
      </p>
      <FactList title="Invisible characters" list={invisible} isSerious>
        {(item) => (
          <>
            {plural(item.count, "invisible character")}: {item.codePoints.join(" ")}
            {item.decoded !== null && (
              <>
                , which read <q dir="auto">{item.decoded}</q>
              </>
            )}
          </>
        )}
      </FactList>
      <FactList title="Possible secrets" list={secrets} isSerious={!areNames(secrets)}>
        {(item) => (
          <>
            {SECRETS[item.kind]}: <code dir="ltr">{item.text}</code>
          </>
        )}
      </FactList>
      <FactList title="Commands" list={commands}>
        {(item) => <code dir="ltr">{item.text}</code>}
      </FactList>
      <FactList title="Links" list={urls}>
        {(item) => (
          <>
            <strong>{item.host}</strong> <code dir="ltr">{item.url}</code>
          </>
        )}
      </FactList>
      <FactList title="Permissions requested" list={permissions}>
        {(item) => <code dir="ltr">{item.text}</code>}
      </FactList>
      {absent.length > 0 && <p>No {OR.format(absent.map(([noun]) => noun))} found.</p>}
    </section>
  );
}

/** What the check found, in one line that leads to its section: a warning if it is serious. */
export function SkillFactsLine({ facts }: { facts: SkillFacts }) {
  const kinds = [
    [facts.invisible, "invisible character", true],
    [facts.secrets, "possible secret", !areNames(facts.secrets)],
    [facts.commands, "command", false],
    [facts.urls, "link", false],
    [facts.permissions, "permission", false],
  ] as const;
  const inWords = (serious: boolean) =>
    kinds.flatMap(([{ total }, noun, isSerious]) =>
      total > 0 && isSerious === serious ? [plural(total, noun)] : []
    ).join(", ");
  const [serious, others] = [inWords(true), inWords(false)];
  const link = <a href="#facts">Security check</a>;
  if (serious === "") return <p class="dim">{link}: {others === "" ? "nothing" : others} found.</p>;
  return (
    <p class="notice warning">
      {link}: <strong>{serious}</strong>
      {others && `, ${others}`} found.
    </p>
  );
}

/** True if only names of variables were found, which is no cause for alarm. */
function areNames({ total, items }: SkillFacts["secrets"]): boolean {
  return items.length === total && items.every(({ kind }) => kind === "name");
}

const SECRETS = {
  name: "variable",
  file: "file",
  value: "looks like a credential",
} as const;

function FactList<T extends { line: number }>(props: {
  title: string;
  list: { total: number; items: T[] };
  isSerious?: boolean;
  children: (item: T) => ComponentChildren;
}) {
  const { total, items } = props.list;
  if (total === 0) return null;
  return (
    <details open={total <= 5} class={props.isSerious ? "warning" : undefined}>
      <summary>
        <strong>{props.title}:</strong> {formatCount(total)}
      </summary>
      <ul class="fact-list">
        {items.map((item, i) => (
          <li key={i}>
            <a href={`#L${item.line}`} class="num">line {item.line}</a> {props.children(item)}
          </li>
        ))}
        {total > items.length && <li>and {formatCount(total - items.length)} more</li>}
      </ul>
    </details>
  );
}
