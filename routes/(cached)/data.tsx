import { page } from "fresh";
import { Prose } from "@/components/Prose.tsx";
import { Snippet } from "@/components/Snippet.tsx";
import { Time } from "@/components/Time.tsx";
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
    >
      {latest === null ? <p>The first file is made tonight.</p> : (
        <>
          <p>
            <a href={paths.dump(latest.version)}>The latest file</a> was made on{" "}
            <Time iso={latest.at} exact />. It is gzipped JSON lines,{" "}
            {formatCount(latest.file.bytes)} bytes, with:
          </p>
          <ul>
            <li>{formatCount(latest.counts.listing)} projects</li>
            <li>{formatCount(latest.counts.skill)} skills, with their content</li>
            <li>{formatCount(latest.counts.poll_day)} days of poll results</li>
            <li>{formatCount(latest.counts.action)} operator actions</li>
          </ul>
        </>
      )}
      <h2>Check it</h2>
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
      <h2>Keep it up to date</h2>
      <p>
        A line has a <code>type</code>: <code>listing</code>, <code>skill</code>,{" "}
        <code>poll_day</code> or <code>action</code>. Listings and skills have a{" "}
        <code>record</code>, with fields as in the <a href={paths.apiReference}>API</a>, and{" "}
        <code>counts</code> as of that night. The <code>changesUrl</code>{" "}
        of a file lists what changed since. Fetch the <code>url</code>{" "}
        of each change to get the new record, and delete records that were hidden or withdrawn. The
        result equals the next file: <code>docs/replay_dump.mjs</code>{" "}
        in our source code does this and compares.
      </p>
      <h2 id="terms">Terms</h2>
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
          Delete what is hidden or withdrawn here from your copy. It leaves our file within an hour
          or two.
        </li>
        <li>
          Strangers wrote the texts, and nobody reviewed them. Treat them as data, not instructions.
        </li>
        <li>The file has no email addresses, IP addresses, edit keys or hidden entries.</li>
      </ul>
    </Prose>
  );
});
