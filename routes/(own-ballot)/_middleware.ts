import { ballotCache } from "@/lib/site/page_cache.ts";

/** The poll is the same for everyone with the same theme, as long as they have not voted today. */
export default ballotCache();
