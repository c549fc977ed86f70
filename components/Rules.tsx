import type { ComponentChildren } from "preact";
import { Folded } from "./Folded.tsx";

/**
 * Rules, one sentence each, under a heading, followed by related content. All but the first `shown`
 * are folded.
 */
export function Rules(
  { rules, shown = rules.length, ...props }: {
    rules: readonly string[];
    shown?: number;
    class?: "panel";
    children?: ComponentChildren;
  },
) {
  return (
    <section aria-labelledby="rules" class={props.class}>
      <h2 id="rules">Rules</h2>
      <Folded items={rules} shown={shown} noun="rule">
        {(rules) => <ul>{rules.map((rule) => <li key={rule}>{rule}</li>)}</ul>}
      </Folded>
      {props.children}
    </section>
  );
}
