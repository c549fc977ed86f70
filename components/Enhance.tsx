import { asset, Head } from "fresh/runtime";

/** The small script of copy buttons and countdowns, on pages that have them. */
export function Enhance() {
  return (
    <Head>
      <script type="module" src={asset("/enhance.js")} />
    </Head>
  );
}
