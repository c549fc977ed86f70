import type { TestApp, TestRequest } from "./app.ts";

/** Elements within a line: their words stand as close to those around them as the page has them. */
const INLINE = /<\/?(?:a|code|em|q|span|strong|sup|time|wbr)\b[^>]*>/g;

/** The words of a page's main part, as its visitors read them. */
export async function words(
  app: Pick<TestApp, "request">,
  path: string,
  options: TestRequest = {},
): Promise<string> {
  const answer = await app.request(path, { headers: { accept: "text/html" }, ...options });
  const [, main] = /<main[^>]*>(.*)<\/main>/s.exec(await answer.text())!;
  return main!.replace(INLINE, "").replace(/<[^>]+>/g, " ").replaceAll("&#39;", "'")
    .replace(/\s+/g, " ").trim();
}
