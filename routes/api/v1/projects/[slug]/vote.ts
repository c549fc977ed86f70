import { getListingVote, setListingVote } from "@/lib/listings/service.ts";
import { voteHandlers } from "@/lib/votes/handlers.ts";

export const handler = voteHandlers({ get: getListingVote, set: setListingVote });
