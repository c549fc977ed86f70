import { Fragment } from "preact";

/** A path as code. */
export function Path({ path }: { path: string }) {
  return (
    <code>
      <Wrapping text={path} />
    </code>
  );
}

/** A path or URL that may wrap before each slash, so that no word is cut on a phone. */
export function Wrapping({ text }: { text: string }) {
  const [first, ...parts] = text.split("/");
  return (
    <>
      {first}
      {parts.map((part, i) => (
        <Fragment key={i}>
          <wbr />/{part}
        </Fragment>
      ))}
    </>
  );
}
