import { asset, Head } from "fresh/runtime";

/**
 * The small script for copy buttons, countdowns, forms that submit only once and the `/` shortcut
 * to the search, on pages with one of the first three or a vote button.
 */
export function Enhance() {
  return (
    <Head>
      <script type="module" src={asset("/enhance.js")} />
    </Head>
  );
}
