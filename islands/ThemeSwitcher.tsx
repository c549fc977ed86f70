import { useEffect, useState } from "preact/hooks";
import { ThemeChoices } from "../components/ThemeChoices.tsx";
import type { SiteThemeId } from "../lib/catalog/themes.ts";

/** Switches the theme without a reload; the server stores the choice in a cookie. */
export default function ThemeSwitcher(
  props: Omit<Parameters<typeof ThemeChoices>[0], "onSubmit">,
) {
  const [current, setCurrent] = useState(props.current);

  // The browser restores a page as it was; its script can't read the cookie, which may have
  // changed.
  useEffect(() =>
    addEventListener("pageshow", async ({ persisted }) => {
      const page = persisted && await fetch(props.back).then((r) => r.text()).catch(() => "");
      const theme = page && / data-theme="(\w+)"/.exec(page)?.[1];
      if (theme) show(theme as SiteThemeId);
    }), []);

  async function choose(event: SubmitEvent) {
    const theme = (event.submitter as HTMLButtonElement | null)?.value as SiteThemeId | undefined;
    if (!theme) return;
    event.preventDefault();
    const before = document.documentElement.dataset.theme as SiteThemeId;
    show(theme);
    const body = new URLSearchParams({ theme, back: props.back });
    const response = await fetch(props.action, { method: "POST", body, redirect: "manual" })
      .catch(() => null);
    // A redirect that isn't followed has no readable status. It means the choice was saved.
    if (response === null || (response.type !== "opaqueredirect" && !response.ok)) show(before);
  }

  function show(theme: SiteThemeId) {
    const root = document.documentElement;
    root.dataset.theme = theme;
    setCurrent(theme);
    // The browser's own UI colors; a page that follows the system sets none.
    const color = document.querySelector<HTMLMetaElement>("[name=theme-color]") ??
      document.createElement("meta");
    color.name = "theme-color";
    color.content = getComputedStyle(root).getPropertyValue("--bg");
    document.head.append(color);
  }

  return <ThemeChoices {...props} current={current} onSubmit={choose} />;
}
