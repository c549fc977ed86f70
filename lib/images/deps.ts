import type { Core } from "../core.ts";
import type { ImageRenderer } from "./renderer.ts";

/** What preview pictures are made with. */
export interface Deps extends Core {
  /** Draws preview pictures. */
  images: ImageRenderer;
}
