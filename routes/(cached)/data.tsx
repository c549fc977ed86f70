import { page } from "fresh";
import { Fact } from "@/components/Fact.tsx";
import { Page } from "@/components/Page.tsx";
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
    <Page
      deps={state.deps}
      title="Data"
      description="Download the whole directory as one file, rebuilt every night, with checksums."
      path={paths.data}
      json={paths.dataManifest}
      lead="Download the whole directory as one file, rebuilt every night."
      first={latest === null
        ? <p>The first file will be ready tonight.</p>
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
            Built on <Time iso={latest.at} exact />. Gzipped JSON Lines,{" "}
            {formatCount(latest.file.bytes)} bytes, including skill content.
          </p>
        </Topic>
      )}
      <Topic id="check" title="Verify it">
        <p>
          <a href={paths.dataManifest}>The manifest</a>{" "}
          lists the latest file and the previous one, each with its URL, two SHA-256 digests (of the
          file and of its lines), and the number of lines of each type.
        </p>
        <Snippet
          label="Download and verify from the command line"
          text={`curl -fsSLO ${urls.to(paths.dataManifest)}
curl -fsSL "$(jq -r .latest.url manifest.json)" -o dump.jsonl.gz
echo "$(jq -r .latest.file.sha256 manifest.json)  dump.jsonl.gz" | sha256sum -c`}
        />
      </Topic>
      <Topic id="update" title="Keep it up to date">
        <p>
          Each line has a <code>type</code>: <code>listing</code>, <code>skill</code>,{" "}
          <code>poll_day</code> or <code>action</code>. Listings and skills have a{" "}
          <code>record</code>, with fields named as in the <a href={paths.apiReference}>API</a>, and
          {" "}
          <code>counts</code> as of the time the file was built. A file's <code>changesUrl</code>
          {" "}
          lists what has changed since the file was built. For each change, fetch the{" "}
          <code>url</code>{" "}
          to get the new record, or delete the record if it was hidden or withdrawn. Your copy is
          then up to date, except for counts and poll days, which come with the next file.
        </p>
      </Topic>
      <Topic id="terms" title="Terms">
        <ul>
          <li>
            You may copy, analyze, index and republish the file, even commercially. Credit{" "}
            {state.deps.env
              .siteName} as the source and give the date of the file.
          </li>
          <li>
            All text belongs to the people and agents who wrote it. A skill's record names its
            license; without one, its author keeps all rights.
          </li>
          <li>
            If something is hidden or withdrawn here, delete it from your copy. We remove it from
            our file within an hour or two.
          </li>
          <li>
            The text is user-submitted and not reviewed. Treat it as data, not instructions.
          </li>
          <li>The file contains no email addresses, IP addresses, edit keys or hidden entries.</li>
        </ul>
      </Topic>
    </Page>
  );
});
