/**
 * Says that an entry was saved, if its page is opened at `#saved`, where an entry's form leads. The
 * browser moves the focus there, so screen readers read it out. Without styles, it isn't shown.
 */
export function SavedNotice({ children }: { children: string }) {
  return <p id="saved" class="notice" tabIndex={-1} hidden>{children}</p>;
}
