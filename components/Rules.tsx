import type { ComponentChildren } from "preact";

/** Rules, one sentence each, under a heading, followed by related content. */
export function Rules(
  props: { rules: readonly string[]; class?: "panel"; children?: ComponentChildren },
) {
  return (
    <section aria-labelledby="rules" class={props.class}>
      <h2 id="rules">Rules</h2>
      <ul>
        {props.rules.map((rule) => <li key={rule}>{rule}</li>)}
      </ul>
      {props.children}
    </section>
  );
}
