import { renderToString } from "preact-render-to-string";
import { Lru } from "../lib/cache/lru.ts";
import { readableContent, type SkillText } from "../lib/skills/content_view.ts";
import { Markdown } from "./Markdown.tsx";

/** How many characters of HTML and its source texts are cached. */
const KEPT_LENGTH = 16_000_000;
/** Recent contents by kind and text. One built to be slow takes a tenth of a second. */
const rendered = new Lru<string>({
  max: KEPT_LENGTH,
  sizeOf: (html, key) => html.length + key.length,
});

/** A skill's content for people: its frontmatter, its Markdown, and its source line by line. */
export function SkillContent({ skill }: { skill: SkillText }) {
  const key = `${skill.kind} ${skill.content}`;
  const html = rendered.get(key) ?? rendered.set(key, renderToString(<Readable skill={skill} />));
  return <div class="sheet" dangerouslySetInnerHTML={{ __html: html }} />;
}

function Readable({ skill }: { skill: SkillText }) {
  const { front, nodes, lines } = readableContent(skill);
  return (
    <>
      {front !== null && <pre tabIndex={0} dir="auto">{front}</pre>}
      {nodes !== null && <Markdown nodes={nodes} />}
      <details open={nodes === null}>
        <summary>Source, line by line</summary>
        <ol class="source" tabIndex={0} aria-label="Source">
          {lines.map((line, i) => (
            <li key={i} id={`L${i + 1}`}>
              <code dir="auto">{line}</code>
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}
