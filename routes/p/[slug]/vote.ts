import { setListingVote } from "@/lib/listings/service.ts";
import { paths } from "@/lib/urls.ts";
import { voteFormHandlers } from "@/lib/votes/handlers.ts";

export const handler = voteFormHandlers(setListingVote, paths.listing);
