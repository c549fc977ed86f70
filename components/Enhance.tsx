import { asset, Head } from "fresh/runtime";

/** The small script of copy buttons, countdowns and forms that are sent once, on pages that have them. */
export function Enhance() {
  return (
    <Head>
      <script type="module" src={asset("/enhance.js")} />
    </Head>
  );
}
