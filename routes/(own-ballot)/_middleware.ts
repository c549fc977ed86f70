import { ballotCache } from "@/lib/site/page_cache.ts";

/** The poll looks the same for everyone with the same theme who has not voted today. */
export default ballotCache();
