import { auctionCommands } from "./areas/auctions.ts";
import { communityCommands } from "./areas/community.ts";
import { exportCommands } from "./areas/export.ts";
import { forgetCommands } from "./areas/forget.ts";
import { listingCommands } from "./areas/listings.ts";
import { networkCommands } from "./areas/networks.ts";
import { siteCommands } from "./areas/site.ts";
import { skillCommands } from "./areas/skills.ts";
import { switchCommands } from "./areas/switches.ts";
import { undoCommand } from "./areas/undo.ts";
import type { Commands, NamedCommand } from "./command.ts";

const rows = named({
  ...listingCommands,
  ...skillCommands,
  ...communityCommands,
  ...networkCommands,
  ...exportCommands,
  ...forgetCommands,
  ...switchCommands,
  ...auctionCommands,
  ...siteCommands,
});

/** Every operator command. */
export const commands: readonly NamedCommand[] = [...rows, ...named({ undo: undoCommand(rows) })];

function named(table: Commands): NamedCommand[] {
  return Object.entries(table).map(([name, row]) => {
    const [area, verb] = name.split(" ") as [string, string?];
    return { area, verb, ...row };
  });
}
