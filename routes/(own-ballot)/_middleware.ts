import { ballotCache } from "@/lib/site/page_cache.ts";

/** The poll page is the same for everyone with the same theme who hasn't voted today. */
export default ballotCache();
