import type { Answers } from "../http/answers.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";

/** What the help works with. */
export interface Deps extends PaymentDeps {
  /** The live listings in memory. */
  catalogue: { readonly revision: number };
  /** Public answers that are made once per change. */
  answers: Answers;
}
