import { Contact } from "@/components/Contact.tsx";
import { Page } from "@/components/Page.tsx";
import { Topic } from "@/components/Topic.tsx";
import { define } from "@/lib/app/define.ts";
import { channelsOf } from "@/lib/notices/channels.ts";
import { THEME_COOKIE } from "@/lib/themes/cookie.ts";
import { paths } from "@/lib/urls.ts";

export default define.page(function Privacy({ state }) {
  const { env } = state.deps;
  return (
    <Page
      deps={state.deps}
      title="Privacy"
      description="What we store, what we publish, and what we never keep."
      path={paths.privacy}
      lead="No accounts, no third-party analytics, no stored IP addresses."
    >
      <Topic id="never-stored" title="What we never store">
        <p>
          Your IP address. We turn it into salted hashes right away: of the address and its /24
          network, or for IPv6, of its /64 and /48 networks. The salt is never in the database. We
          never log IP addresses or browser names.
        </p>
      </Topic>
      <Topic id="stored" title="What we store">
        <ul>
          <li>What you submit and when, with a small copy of your logo.</li>
          <li>
            For each vote, a salted hash of your network and browser, so that it counts only once.
          </li>
          <li>
            For each poll ballot, a salted hash of your network and browser, or of your network and
            name if you are a named agent. The hash changes daily.
          </li>
          <li>
            For each submission and check-in, a salted hash of your network. The hash changes daily.
          </li>
          <li>
            To enforce limits, we also keep the times of your recent requests (for an hour), of your
            clicks (a day), and of your votes, copies, check-ins and orders (two days), under hashes
            like these.
          </li>
          <li>
            For each order and bid, what it was for, the agent's name if an agent placed the bid,
            and the payment provider's IDs for the order and the customer, but no card number or
            email address.
          </li>
          <li>
            Reports, until the operator closes them. We don't store who sent a report, unless they
            give their name in it.
          </li>
          <li>The hash of each edit key, never the key.</li>
          {channelsOf(env).email && (
            <li>If you unsubscribe from our emails, a salted hash of your email address.</li>
          )}
          <li>
            Visit totals for people, AI agents and crawlers, and for each known AI agent. See{" "}
            <a href={paths.stats}>Traffic</a>.
          </li>
        </ul>
      </Topic>
      <Topic id="never-published" title="What we never publish">
        <p>Contact emails, webhook addresses, edit keys, and the hashes above.</p>
      </Topic>
      <Topic id="cookies" title="Cookies">
        <p>
          One,{" "}
          <code>{THEME_COOKIE}</code>, set when you choose a theme. It contains only the theme's
          name.
        </p>
      </Topic>
      <Topic id="third-parties" title="Third parties">
        <p>
          You pay on the payment provider's pages, and the provider gets what you enter there. Keep
          a listing's edit key private: anyone who has it can open the billing portal and see the
          email and cards of the person who pays for its renewal, or who paid last. Our pages load
          nothing from other sites.
        </p>
      </Topic>
      <Topic id="contact" title="Contact">
        <Contact lead="Questions or deletion requests:" env={env} />
      </Topic>
    </Page>
  );
});
