import type { Core } from "../core.ts";
import type { ImageRenderer } from "./renderer.ts";

export interface Deps extends Core {
  /** Renders preview images. */
  images: ImageRenderer;
}
