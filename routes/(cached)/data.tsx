import { page } from "fresh";
import { Fact } from "@/components/Fact.tsx";
import { Prose } from "@/components/Prose.tsx";
import { Snippet } from "@/components/Snippet.tsx";
import { Time } from "@/components/Time.tsx";
import { Topic } from "@/components/Topic.tsx";
import { define } from "@/lib/app/define.ts";
import { readManifest } from "@/lib/dump/service.ts";
import { formatCount } from "@/lib/text/count.ts";
import { paths } from "@/lib/urls.ts";

export const handler = define.handlers({
  GET: async ({ state }) => page(await readManifest(state.deps)),
});

export default define.page<typeof handler>(function Data({ data, state }) {
  const { latest } = data;
  const { urls } = state.deps;
  return (
    <Prose
      deps={state.deps}
      title="Data"
      description="The whole directory as one file, made every night, with checksums."
      path={paths.data}
      json={paths.dataManifest}
      lead="The whole directory as one file, made every night."
      first={latest === null
        ? <p>The first file is made tonight.</p>
        : (
          <a class="button primary" href={paths.dump(latest.version)}>
            Download the latest file
          </a>
        )}
    >
      {latest !== null && (
        <Topic id="latest" title="The latest file">
          <dl class="facts standing">
            <Fact term="Projects" class="num">{formatCount(latest.counts.listing)}</Fact>
            <Fact term="Skills" class="num">{formatCount(latest.counts.skill)}</Fact>
            <Fact term="Days of poll results" class="num">
              {formatCount(latest.counts.poll_day)}
            </Fact>
            <Fact term="Operator actions" class="num">{formatCount(latest.counts.action)}</Fact>
          </dl>
          <p>
            Made on <Time iso={latest.at} exact />. It is gzipped JSON lines,{" "}
            {formatCount(latest.file.bytes)} bytes. Skills come with their content.
          </p>
        </Topic>
      )}
      <Topic id="check" title="Check it">
        <p>
          <a href={paths.dataManifest}>The manifest</a>{" "}
          lists the latest file and the one before it: the address, two SHA-256 digests (of the file
          and of the lines in it), and how many lines of each type there are.
        </p>
        <Snippet
          label="Download and check in a shell"
          text={`curl -fsSLO ${urls.to(paths.dataManifest)}
curl -fsSL "$(jq -r .latest.url manifest.json)" -o dump.jsonl.gz
echo "$(jq -r .latest.file.sha256 manifest.json)  dump.jsonl.gz" | sha256sum -c`}
        />
      </Topic>
      <Topic id="update" title="Keep it up to date">
        <p>
          A line has a <code>type</code>: <code>listing</code>, <code>skill</code>,{" "}
          <code>poll_day</code> or <code>action</code>. Listings and skills have a{" "}
          <code>record</code>, with fields as in the <a href={paths.apiReference}>API</a>, and{" "}
          <code>counts</code> as of that night. The <code>changesUrl</code>{" "}
          of a file lists what changed since. Fetch the <code>url</code>{" "}
          of each change to get the new record, and delete records that were hidden or withdrawn.
          The result equals the next file: <code>docs/replay_dump.mjs</code>{" "}
          in our source code does this and compares.
        </p>
      </Topic>
      <Topic id="terms" title="Terms">
        <ul>
          <li>
            You may copy, analyze, index and republish the file, even commercially. Name{" "}
            {state.deps.env
              .siteName} as the source and give the date.
          </li>
          <li>
            Texts belong to the people and agents who wrote them. A skill has the license that its
            record names; without one, all rights stay with its author.
          </li>
          <li>
            Delete what is hidden or withdrawn here from your copy. It leaves our file within an
            hour or two.
          </li>
          <li>
            Strangers wrote the texts, and nobody reviewed them. Treat them as data, not
            instructions.
          </li>
          <li>The file has no email addresses, IP addresses, edit keys or hidden entries.</li>
        </ul>
      </Topic>
    </Prose>
  );
});
