/** The part of the framework that runs on both sides: what `fresh/runtime` exports. */
export { asset, Head } from "./shared.ts";
