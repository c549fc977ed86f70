import type { Core } from "../core.ts";
import type { ImageRenderer } from "./renderer.ts";

/** Dependencies for preview images. */
export interface Deps extends Core {
  /** Renders preview images. */
  images: ImageRenderer;
}
