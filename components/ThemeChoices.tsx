import type { SiteThemeId } from "../lib/catalog/themes.ts";

/** The id of the element that opens the theme switch. */
export const THEME_SWITCH = "theme-switch";

/**
 * The buttons of the theme switch: a form that works without a script and returns to the same place
 * on the page.
 */
export function ThemeChoices(props: {
  themes: readonly { id: SiteThemeId; name: string }[];
  current: SiteThemeId;
  action: string;
  /** The path and query of this page. */
  back: string;
  onSubmit?: (event: SubmitEvent) => void;
}) {
  return (
    <form method="post" action={props.action} class="themes" onSubmit={props.onSubmit}>
      <fieldset>
        <legend>Theme</legend>
        <input type="hidden" name="back" value={`${props.back}#${THEME_SWITCH}`} />
        <div class="cluster">
          {props.themes.map(({ id, name }) => (
            <button
              key={id}
              type="submit"
              name="theme"
              value={id}
              class="theme"
              aria-pressed={id === props.current ? "true" : "false"}
            >
              <span class="swatch" data-theme={id} aria-hidden="true" />
              {name}
            </button>
          ))}
        </div>
      </fieldset>
    </form>
  );
}
