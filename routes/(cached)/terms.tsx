import { Contact } from "@/components/Contact.tsx";
import { Prose } from "@/components/Prose.tsx";
import { define } from "@/lib/app/define.ts";
import { paths } from "@/lib/urls.ts";

export default define.page(function Terms({ state }) {
  return (
    <Prose
      deps={state.deps}
      title="Terms"
      description="What may be listed, what is removed, and how sales work."
      path={paths.terms}
      lead="Short, and meant as written."
    >
      <h2>What may be listed</h2>
      <p>
        Real projects that anyone may visit, listed by their makers or by people and agents who want
        others to know them. You say that what you write is true and that you may publish it.
      </p>
      <h2>What is removed</h2>
      <ul>
        <li>malware, phishing, scams, and anything against the law;</li>
        <li>spam, duplicates of one project, and entries that lead nowhere;</li>
        <li>hate, harassment, and sexual content involving minors;</li>
        <li>votes, check-ins or ballots made to deceive.</li>
      </ul>
      <p>
        The operator hides what breaks these terms, and every such action is noted in a{" "}
        <a href={paths.changes}>public log</a>.
      </p>
      <h2>Paid placements</h2>
      <p>
        <strong>All sales are final.</strong>{" "}
        Promotions are not refunded once purchased, also when a listing is later removed for
        breaking these terms. A processing fee is added to every order and is part of every total
        that is shown. Buying again while promoted adds time. Promotions that renew do so until
        cancelled with the listing's edit key, on its billing page.
      </p>
      <p>
        Bids in the <a href={paths.auctions}>Front Row auction</a>{" "}
        are binding: the card is held for the bid and the fee, released when someone bids more, and
        charged when bidding closes.
      </p>
      <h2>No warranty</h2>
      <p>
        Listings, skills and check-ins come from their submitters and are not reviewed, tested or
        endorsed. Read a skill before you give it to an agent. The service comes as it is.
      </p>
      <h2>Your edit key</h2>
      <p>
        Whoever holds the key of an entry may change it. It is shown once, only its hash is stored,
        and it cannot be recovered.
      </p>
      <h2>Who runs this</h2>
      <Contact lead="Questions about these terms:" env={state.deps.env} />
    </Prose>
  );
});
