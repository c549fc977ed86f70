import { plural } from "../../text/count.ts";
import { changed, type Command, type CommandInput, type Commands } from "../command.ts";
import { forgetDomain, forgetEmail, forgetEntry, forgetName, type Forgotten } from "../forget.ts";
import { manyEntries } from "../selection.ts";

function forget(verb: string, options: {
  row: Pick<Command, "args" | "isMany" | "options" | "select">;
  summary: string;
  /** What is deleted from each record found; absent if the whole record is. */
  part?: string;
  run: (deps: CommandInput["deps"], target: string) => Promise<Forgotten>;
}): Command {
  const { row, summary, part, run } = options;
  return {
    ...row,
    summary,
    action: `${verb}_forgotten`,
    async run({ deps, args }) {
      const target = Object.values(args)[0]!;
      const forgotten = await run(deps, target);
      const found = Object.entries(forgotten).filter(([, n]) => n > 0);
      const told = found.map(([what, n]) => plural(n, what.replace(/s$/, ""))).join(", ");
      return changed(
        found.length > 0,
        part ? `${target}: ${part} deleted from ${told}` : `${target}: ${told} deleted`,
        `${target} is already gone`,
        { forgotten },
      );
    },
  };
}

/** Commands that permanently delete what someone left here. */
export const forgetCommands: Commands = {
  "forget listing": forget("listing", {
    row: manyEntries("listing"),
    summary: "Permanently delete a listing and the reports on it; only its slug remains",
    run: (deps, slug) => forgetEntry(deps, "listing", slug),
  }),
  "forget skill": forget("skill", {
    row: manyEntries("skill"),
    summary: "Permanently delete a skill and the reports on it; only its slug remains",
    run: (deps, slug) => forgetEntry(deps, "skill", slug),
  }),
  "forget name": forget("name", {
    row: { args: ["name"], isMany: true },
    summary:
      "Delete a name's check-ins and poll reasons, and the name in the poll, listings and skills",
    part: "name",
    run: forgetName,
  }),
  "forget email": forget("email", {
    row: { args: ["address"], isMany: true },
    summary:
      "Delete an email address, plus the webhooks and submitter names of listings that use it",
    part: "email, webhook and submitter's name",
    run: forgetEmail,
  }),
  "forget domain": forget("domain", {
    row: { args: ["domain"], isMany: true },
    summary: "Permanently delete all listings and skills whose URL is on a domain",
    run: forgetDomain,
  }),
};
