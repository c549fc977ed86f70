import type { Reason } from "../lib/poll/schema.ts";
import { SignedBy } from "./SignedBy.tsx";
import { Time } from "./Time.tsx";

/** A voter's reason, with its choice, voter and date. */
export function ReasonLine({ reason }: { reason: Reason }) {
  return (
    <li>
      <q class="said-so" dir="auto">{reason.reason}</q>
      <p class="dim">
        for <strong dir="auto">{reason.name}</strong>
        {reason.agentName !== null && (
          <>
            {" "}by <span dir="auto">{reason.agentName}</span>
          </>
        )}
        <SignedBy host={reason.signedBy} />, <Time iso={reason.votedAt} />
      </p>
    </li>
  );
}
