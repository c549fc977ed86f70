import { setListingVote } from "@/lib/listings/service.ts";
import { paths, rowIds } from "@/lib/urls.ts";
import { voteFormHandlers } from "@/lib/votes/handlers.ts";

export const handler = voteFormHandlers({
  set: setListingVote,
  pageOf: paths.listing,
  rowOf: rowIds.listing,
});
