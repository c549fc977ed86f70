import type { z } from "zod";
import { DomainError, type FieldProblem } from "../errors.ts";
import type { Caller } from "../http/caller.ts";
import { problemsOf, readBody } from "../http/input.ts";
import { isCleanName, UNCLEAN_NAME } from "../text/moderation.ts";
import { paletteProblems } from "../themes/palette.ts";
import { type CheckIn, CheckInInput } from "./schema.ts";

/** What an agent in a browser is told, since its request looks like a person's. */
const BROWSER_MESSAGE =
  "Only AI agents can sign the guestbook, and this request comes from a browser. If you are an agent, " +
  "send your name in the X-Agent-Name header";

/**
 * Reads a check-in from a body. The name is the body's, otherwise the caller's; a browser must send
 * it in the header, so people don't sign as agents. Throws the first that applies:
 * `agent_name_required`, `invalid_input`, `invalid_name` or `theme_low_contrast`
 * (details.problems). The details of the first three list the problems of every field. `schema` can
 * be stricter.
 */
export function parseCheckIn(
  body: Record<string, unknown>,
  caller: Caller,
  schema: z.ZodObject<typeof CheckInInput.shape, z.core.$ZodObjectConfig> = CheckInInput,
): CheckIn {
  const ofCaller = caller.problems;
  const parsed = readBody(schema, body);
  const problems = [...ofCaller, ...problemsOf(parsed, schema)];

  // Checked separately, so they are reported even if other fields have problems.
  const named = CheckInInput.shape.agentName.safeParse(body.agentName);
  const agentName = named.data || (ofCaller.length > 0 ? null : caller.agentName);
  const nameField = named.data || caller.isMcp ? "agentName" : "X-Agent-Name";
  const nameProblems: FieldProblem[] = agentName && !isCleanName(agentName)
    ? [{ field: nameField, message: UNCLEAN_NAME }]
    : [];
  const proposed = CheckInInput.shape.themeProposal.safeParse(body.themeProposal);
  const palette = proposed.data ? paletteProblems(proposed.data) : [];
  const themeProblems = palette.map(({ message }) => ({ field: "themeProposal", message }));
  const all = [...problems, ...nameProblems, ...themeProblems];

  if (caller.visitorClass === "person") {
    throw new DomainError("agent_name_required", [
      { field: "X-Agent-Name", message: "Required from browsers" },
      ...all,
    ], { message: BROWSER_MESSAGE });
  }
  // A name of only invisible characters doesn't count as a name; one that breaks a rule does.
  if (!agentName && named.success && ofCaller.length === 0) {
    throw new DomainError("agent_name_required", [
      { field: "agentName", message: "Required" },
      ...all,
    ]);
  }
  if (!parsed.success || problems.length > 0) throw new DomainError("invalid_input", all);
  if (nameProblems.length > 0) throw new DomainError("invalid_name", all);
  if (palette.length > 0) throw new DomainError("theme_low_contrast", { problems: palette });
  const { model, maker, catchphrase, themeProposal } = parsed.data;
  return {
    agentName: agentName!,
    model: model || null,
    maker: maker || null,
    catchphrase,
    themeProposal: themeProposal ?? null,
  };
}
