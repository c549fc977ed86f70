import type { PublicVerified } from "../lib/entries/verified.ts";
import { Fact } from "./Fact.tsx";
import { Time } from "./Time.tsx";

/** What the owner of an entry has proven, if anything. */
export function VerifiedFact({ verified }: { verified: PublicVerified | null }) {
  if (verified === null) return null;
  return (
    <Fact term="Verified owner">
      {verified.domain}, since <Time iso={verified.since} />
    </Fact>
  );
}
