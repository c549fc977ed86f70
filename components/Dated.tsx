import { Time } from "./Time.tsx";

/** A sentence whose days, written `2026-11-18` for programs, are written for people. */
export function Dated({ text }: { text: string }) {
  return (
    <>
      {text.split(/(\d{4}-\d{2}-\d{2})/).map((part, i) =>
        i % 2 === 1 ? <Time key={i} iso={part} /> : part
      )}
    </>
  );
}
