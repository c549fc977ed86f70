import { DAY_MS, isoTime } from "../../clock.ts";
import { rejectProblems } from "../../errors.ts";
import { BLOCK_DAYS_MAX, blockNetwork, readBlocks, unblockNetwork } from "../../http/blocks.ts";
import { changed, type CommandInput, type Commands, listed, type Reversal } from "../command.ts";
import { reasonOption } from "../command_kinds.ts";
import { requireNetwork } from "../selection.ts";

/** The command that restores a network's current block, in whole days. */
async function blockBefore({ deps, args }: CommandInput): Promise<Reversal> {
  const left = ((await readBlocks(deps.store)).get(args.network!) ?? 0) - deps.clock.now();
  if (left <= 0) return { verb: "unblock" };
  return { verb: "block", options: { days: String(Math.ceil(left / DAY_MS)) } };
}

/** Commands for networks, by the daily pseudonym that `show` prints. */
export const networkCommands: Commands = {
  "networks block": {
    args: ["network"],
    isMany: true,
    options: { days: { isCount: true, default: "7" }, ...reasonOption },
    summary: `Block a network from writing for up to ${BLOCK_DAYS_MAX} days; it can still read`,
    action: "network_blocked",
    undo: blockBefore,
    async run({ deps, args, options }) {
      const pseudonym = args.network!;
      const days = Number(options.days);
      requireNetwork(pseudonym);
      if (days > BLOCK_DAYS_MAX) {
        const message = `A network can be blocked for up to ${BLOCK_DAYS_MAX} days`;
        rejectProblems([{ field: "days", message }]);
      }
      const until = deps.clock.now() + days * DAY_MS;
      await blockNetwork(deps.store, { pseudonym, until });
      return changed(true, `${pseudonym} is blocked until ${isoTime(until)}`);
    },
  },
  "networks unblock": {
    args: ["network"],
    isMany: true,
    summary: "Let a network write again",
    action: "network_unblocked",
    undo: blockBefore,
    async run({ deps, args }) {
      await unblockNetwork(deps.store, args.network!);
      return changed(true, `${args.network} can write again`);
    },
  },
  "networks list": {
    summary: "Blocked networks",
    async run({ deps }) {
      const blocks = [...await readBlocks(deps.store)]
        .filter(([, until]) => until > deps.clock.now())
        .map(([network, until]) => ({ network, until: isoTime(until) }));
      return listed("blocks", blocks, `${blocks.length} blocked`, ({ network, until }) => {
        return `${network}  until ${until}`;
      });
    },
  },
};
