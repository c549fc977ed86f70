import type { TestApp, TestRequest } from "./app.ts";

/** Inline elements: the whitespace around their words is as in the page. */
const INLINE = /<\/?(?:a|code|em|q|span|strong|sup|time|wbr)\b[^>]*>/g;

/** The words of a page's main part, as visitors read them. */
export async function words(
  app: Pick<TestApp, "text">,
  path: string,
  options?: TestRequest,
): Promise<string> {
  const [, main] = /<main[^>]*>(.*)<\/main>/s.exec(await app.text(path, options))!;
  return main!.replace(INLINE, "").replace(/<[^>]+>/g, " ").replaceAll("&#39;", "'")
    .replace(/\s+/g, " ").trim();
}
