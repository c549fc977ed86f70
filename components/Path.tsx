import { Fragment } from "preact";

/** A path as code. It may wrap before each slash, so that no word is cut on a phone. */
export function Path({ path }: { path: string }) {
  const [first, ...parts] = path.split("/");
  return (
    <code>
      {first}
      {parts.map((part, i) => (
        <Fragment key={i}>
          <wbr />/{part}
        </Fragment>
      ))}
    </code>
  );
}
