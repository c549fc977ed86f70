import { asset, Head } from "fresh/runtime";

/**
 * The small script of copy buttons, countdowns, forms that are sent once and the `/` that leads to the
 * search, on pages that have one of the first or a vote button.
 */
export function Enhance() {
  return (
    <Head>
      <script type="module" src={asset("/enhance.js")} />
    </Head>
  );
}
