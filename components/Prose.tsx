import type { ComponentChildren } from "preact";

/** A page of running text. */
export function Prose(
  props: { title: string; lead?: ComponentChildren; children: ComponentChildren },
) {
  return (
    <main id="main" class="page narrow prose">
      <h1>{props.title}</h1>
      {props.lead && <p class="lead">{props.lead}</p>}
      {props.children}
    </main>
  );
}
