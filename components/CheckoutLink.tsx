import { type ComponentChildren, Fragment } from "preact";

/** A line of an order: what, and how much. */
export interface OrderLine {
  label: string;
  amount: string;
}

/** What stands between a form and the payment provider: every amount, the notice, and the link. */
export function CheckoutLink(
  props: { lines: OrderLine[]; notices: string[]; href: string; children: ComponentChildren },
) {
  return (
    <section class="panel" aria-labelledby="order">
      <h2 id="order">Your order</h2>
      <dl class="facts order">
        {props.lines.map(({ label, amount }) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd class="num">{amount}</dd>
          </Fragment>
        ))}
      </dl>
      <div class="notice">
        {props.notices.map((notice) => <p key={notice}>{notice}</p>)}
      </div>
      <p>
        <a class="button primary" href={props.href} rel="nofollow noopener noreferrer">
          {props.children}
        </a>
      </p>
    </section>
  );
}
