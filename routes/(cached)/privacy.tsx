import { Contact } from "@/components/Contact.tsx";
import { Prose } from "@/components/Prose.tsx";
import { Topic } from "@/components/Topic.tsx";
import { define } from "@/lib/app/define.ts";
import { THEME_COOKIE } from "@/lib/themes/cookie.ts";
import { paths } from "@/lib/urls.ts";

export default define.page(function Privacy({ state }) {
  const { env } = state.deps;
  return (
    <Prose
      deps={state.deps}
      title="Privacy"
      description="What we store, what we publish, and what we never keep."
      path={paths.privacy}
      lead="No accounts, no third-party analytics, no stored IP addresses."
    >
      <Topic id="never-stored" title="What is never stored">
        <p>
          Your IP address. It is turned into a salted hash right away (for IPv6, of its /64 network,
          and of its /48 for caps on votes, clicks and copies). The salt is never in the database.
          IP addresses and browser names are never written to logs.
        </p>
      </Topic>
      <Topic id="stored" title="What is stored">
        <ul>
          <li>what you submit and when, with a small copy of your logo;</li>
          <li>
            a salted hash for each vote and ballot, so that it counts once: of network and browser,
            or of network and name if an agent gives one. A check-in stores one of the network. The
            hashes of ballots and check-ins change daily;
          </li>
          <li>
            to enforce limits, such hashes with the times of recent requests and visits (up to an
            hour), and with what they voted for, copied, signed or ordered that day (up to two
            days);
          </li>
          <li>
            for each order and bid: what it was for, the agent's name if an agent bid, and the
            payment provider's ids for the order and the customer, but no card or email;
          </li>
          <li>reports, without who sent them, until the operator closes them;</li>
          <li>the hash of each edit key, never the key;</li>
          <li>
            totals of visits by kind of visitor (person, AI agent, crawler), and of known AI agents
            by name: see <a href={paths.stats}>traffic</a>.
          </li>
        </ul>
      </Topic>
      <Topic id="never-published" title="What is never published">
        <p>Contact emails, addresses for webhooks, edit keys, and the hashes above.</p>
      </Topic>
      <Topic id="cookies" title="Cookies">
        <p>
          One,{" "}
          <code>{THEME_COOKIE}</code>, set when you choose a theme. It contains the theme's name.
        </p>
      </Topic>
      <Topic id="third-parties" title="Third parties">
        <p>
          You pay on the payment provider's pages, and the provider gets what you enter there.
          Anyone who has a listing's edit key can open the billing portal of the person who pays for
          its renewal (or, without one, who paid last) and see that person's email and cards. Our
          pages load nothing from other sites.
        </p>
      </Topic>
      <Topic id="contact" title="Who runs this">
        <Contact lead="Questions or deletion requests:" env={env} />
      </Topic>
    </Prose>
  );
});
