import { ownVoteCache } from "@/lib/site/page_cache.ts";

/** A listing looks the same for everyone with the same theme, but for their own vote. */
export default ownVoteCache("listing");
