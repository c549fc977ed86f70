import { getSwitches, setSwitches, type Switches } from "../../switches.ts";
import { changed, type Command, type CommandInput, type Commands } from "../command.ts";

function flip(
  options: {
    set: Partial<Switches>;
    action: string;
    /** The verb that reverses it. */
    back: string;
    summary: string;
    done: string;
    /** Why it still has no effect, or null. */
    but?: (deps: CommandInput["deps"]) => string | null;
  },
): Command {
  const [name, value] = Object.entries(options.set)[0]! as [keyof Switches, boolean];
  return {
    summary: options.summary,
    action: options.action,
    undo: () => ({ verb: options.back }),
    async run({ deps }) {
      const before = await getSwitches(deps.store);
      const isNew = before[name] !== value;
      if (isNew) await setSwitches(deps.store, options.set);
      const but = options.but?.(deps) ?? null;
      return changed(isNew, but === null ? options.done : `${options.done}, but ${but}`);
    },
  };
}

/** Commands for the switches. */
export const switchCommands: Commands = {
  "review on": flip({
    set: { review: true },
    action: "review_on",
    back: "off",
    summary: "New listings wait for approval",
    done: "Review is on",
  }),
  "review off": flip({
    set: { review: false },
    action: "review_off",
    back: "on",
    summary: "New listings go live immediately",
    done: "Review is off",
  }),
  "submissions pause": flip({
    set: { submissionsPaused: true },
    action: "submissions_paused",
    back: "resume",
    summary: "Stop accepting new listings and skills",
    done: "Submissions are paused",
  }),
  "submissions resume": flip({
    set: { submissionsPaused: false },
    action: "submissions_resumed",
    back: "pause",
    summary: "Accept new listings and skills again",
    done: "Submissions are open",
  }),
  "payments open": flip({
    set: { paymentsClosed: false },
    action: "payments_opened",
    back: "close",
    summary: "Sell promotions and accept bids",
    done: "Payments are open",
    but: ({ env }) =>
      env.stripeSecretKey === undefined
        ? "nothing can be sold until STRIPE_SECRET_KEY is set"
        : null,
  }),
  "payments close": flip({
    set: { paymentsClosed: true },
    action: "payments_closed",
    back: "open",
    summary: "Stop sales and bidding; paid promotions keep running",
    done: "Payments are closed",
  }),
};
