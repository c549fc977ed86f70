import { define } from "@/lib/app/define.ts";
import { answered } from "@/lib/ard/answer.ts";
import { DomainError } from "@/lib/errors.ts";

/** Counts of entries by field: optional in the draft, and skills have too few fields for it. */
export const handler = define.handlers({
  POST: (ctx) => answered(ctx, () => Promise.reject(new DomainError("not_implemented"))),
});
