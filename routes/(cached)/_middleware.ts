import { StaleNotice } from "@/components/StaleNotice.tsx";
import { pageCache } from "@/lib/site/page_cache.ts";

/** Everything in this folder is the same for everyone with the same theme. */
export default pageCache(StaleNotice);
