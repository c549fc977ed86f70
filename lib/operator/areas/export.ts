import type { EntryKind } from "../../entries/entries.ts";
import { type Command, type Commands, shown } from "../command.ts";
import { exportAll, exportEntry } from "../export.ts";
import type { FoundBy } from "../selection.ts";

function exporting(verb: EntryKind | FoundBy, arg: string, summary: string): Command {
  return {
    args: [arg],
    summary,
    async run({ deps, args }) {
      const target = args[arg]!;
      const isEntry = verb === "listing" || verb === "skill";
      const exported = isEntry
        ? await exportEntry(deps, verb, target)
        : await exportAll(deps, verb, target);
      return shown("exported", exported);
    },
  };
}

/** Commands that print what is stored about one person, found the same way as in `forget`. */
export const exportCommands: Commands = {
  "export listing": exporting(
    "listing",
    "slug",
    "Everything stored about a listing, private fields included, for its owner",
  ),
  "export skill": exporting("skill", "slug", "Everything stored about a skill, for its owner"),
  "export name": exporting(
    "name",
    "name",
    "A name's check-ins and ballots, and the listings and skills that name it",
  ),
  "export domain": exporting(
    "domain",
    "domain",
    "All listings and skills whose URL is on a domain",
  ),
  "export email": exporting("email", "address", "All listings with a given email address"),
};
