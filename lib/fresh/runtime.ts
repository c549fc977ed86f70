/** The part of the framework that runs on both sides: what `fresh/runtime` exports. */
export { asset, Head } from "./shared.ts";

/** True in the browser, false on the server. */
export const IS_BROWSER = typeof document !== "undefined";
