import { DomainError } from "../../errors.ts";
import type { Fetcher } from "../../fetching/fetcher.ts";
import { type Commands, shown } from "../command.ts";

/** Commands for addresses that strangers submitted. */
export const linkCommands: Commands = {
  "links look": {
    args: ["url"],
    summary: "What a URL returns to the fetcher, which never connects to private networks",
    async run({ deps: { fetcher }, args }) {
      if (fetcher === null) throw refused("Nothing is fetched: FETCHER_PORT is not set");
      return shown("fetched", await look(fetcher, args.url!));
    },
  },
};

async function look(fetcher: Fetcher, url: string) {
  try {
    return await fetcher.get(url);
  } catch {
    throw refused("Nothing is responding on FETCHER_PORT: run `deno task fetcher`");
  }
}

function refused(message: string): DomainError {
  return new DomainError("invalid_input", [{ field: "FETCHER_PORT", message }]);
}
