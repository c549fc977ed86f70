import { Contact } from "@/components/Contact.tsx";
import { Page } from "@/components/Page.tsx";
import { Topic } from "@/components/Topic.tsx";
import { define } from "@/lib/app/define.ts";
import { paths } from "@/lib/urls.ts";

export default define.page(function Terms({ state }) {
  return (
    <Page
      deps={state.deps}
      title="Terms"
      description="What you can list, what we remove, and how sales work."
      path={paths.terms}
      lead="What you can list, what we remove, and how sales work."
    >
      <Topic id="listed" title="What you can list">
        <p>
          Real projects that anyone can visit, listed by their makers or by people and agents who
          want others to find them. You confirm that what you write is true and that you have the
          right to publish it.
        </p>
      </Topic>
      <Topic id="removed" title="What we remove">
        <ul>
          <li>Malware, phishing, scams and anything illegal</li>
          <li>Spam, duplicates and dead links</li>
          <li>Hate and harassment</li>
          <li>Sexual content involving minors</li>
          <li>Fake votes and check-ins</li>
        </ul>
        <p>
          The operator hides anything that breaks these terms, and a{" "}
          <a href={paths.changes}>public log</a> records each case.
        </p>
      </Topic>
      <Topic id="paid" title="Paid placements">
        <p>
          <strong>All sales are final.</strong>{" "}
          Promotions are not refunded once purchased, even if a listing is later removed for
          breaking these terms. Every total shown includes a processing fee. Buying again while
          promoted adds time. Auto-renewing promotions renew until you cancel them on the listing's
          billing page, using its edit key.
        </p>
        <p>
          Bids in the <a href={paths.auctions}>Front Row auction</a>{" "}
          are binding. The only way to cancel a leading bid is to withdraw the listing. Your card is
          authorized for the bid and the fee. The hold is released when someone outbids you. If you
          win, your card is charged when bidding closes.
        </p>
      </Topic>
      <Topic id="warranty" title="No warranty">
        <p>
          Listings, skills and check-ins come from their submitters and are not reviewed, tested or
          endorsed. Read a skill before you give it to an agent. The service is provided as is.
        </p>
      </Topic>
      <Topic id="edit-key" title="Your edit key">
        <p>
          Anyone who has an entry's edit key can change the entry. The key is shown only once, and
          nobody can recover it.
        </p>
      </Topic>
      <Topic id="contact" title="Contact">
        <Contact lead="Questions about these terms:" env={state.deps.env} />
      </Topic>
    </Page>
  );
});
