import type { Answers } from "../http/answers.ts";
import type { Deps as PaymentDeps } from "../payments/deps.ts";

/** Dependencies of the help. */
export interface Deps extends PaymentDeps {
  /** The live listings, in memory. */
  catalogue: { readonly revision: number };
  /** Public responses that are cached until a change. */
  answers: Answers;
}
