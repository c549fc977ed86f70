import type { ComponentChildren } from "preact";

/** Rules, a sentence each, under their heading; what belongs to them follows. */
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
