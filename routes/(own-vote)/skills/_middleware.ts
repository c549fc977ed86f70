import { ownVoteCache } from "@/lib/site/page_cache.ts";

/** A skill looks the same for everyone with the same theme, but for their own vote. */
export default ownVoteCache("skill");
