import { ownVoteCache } from "@/lib/site/page_cache.ts";

/** A listing's page is the same for everyone with the same theme, except for their own vote. */
export default ownVoteCache("listing");
