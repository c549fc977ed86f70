/**
 * Says that an entry was saved, where its page is opened at `#saved`: the address that the form of an
 * entry leads to. The browser puts the focus there, so that it is read out. A page without styles
 * does not show it.
 */
export function SavedNotice({ children }: { children: string }) {
  return <p id="saved" class="notice" tabIndex={-1} hidden>{children}</p>;
}
