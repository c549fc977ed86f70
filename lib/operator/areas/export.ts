import type { Command, CommandInput } from "../command.ts";
import { exportAll, type Exported, exportEntry } from "../export.ts";

function exporting(
  verb: string,
  arg: string,
  summary: string,
  run: (deps: CommandInput["deps"], target: string) => Promise<Exported>,
): Command {
  return {
    area: "export",
    verb,
    args: [arg],
    summary,
    async run({ deps, args }) {
      const data = await run(deps, args[arg]!);
      return { lines: [JSON.stringify(data, null, 2)], data: { exported: data } };
    },
  };
}

/** Commands that print what is stored about one person, found the same way as in `forget`. */
export const exportCommands: Command[] = [
  exporting(
    "listing",
    "slug",
    "Everything stored about a listing, with its private fields, for its owner",
    (deps, slug) => exportEntry(deps, "listing", slug),
  ),
  exporting(
    "skill",
    "slug",
    "Everything stored about a skill, for its owner",
    (deps, slug) => exportEntry(deps, "skill", slug),
  ),
  exporting(
    "name",
    "name",
    "A name's check-ins and ballots, and the listings and skills that name it",
    (deps, name) => exportAll(deps, "name", name),
  ),
  exporting(
    "domain",
    "domain",
    "All listings and skills whose URL is on a domain",
    (deps, domain) => exportAll(deps, "domain", domain),
  ),
  exporting(
    "email",
    "address",
    "All listings with a given email address",
    (deps, email) => exportAll(deps, "email", email),
  ),
];
