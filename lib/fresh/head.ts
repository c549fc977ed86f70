import type { ComponentChildren } from "preact";

/** Where `<Head>` puts its children; set while a document is rendered. */
export const HEAD_SINK: { add: ((children: ComponentChildren) => void) | null } = { add: null };

/** Props of {@linkcode Head}. */
export interface HeadProps {
  children?: ComponentChildren;
}

/** Moves its children into `<head>`; a title or an element of the same key replaces the app's. */
export function Head(props: HeadProps): ComponentChildren {
  HEAD_SINK.add?.(props.children);
  return null;
}
