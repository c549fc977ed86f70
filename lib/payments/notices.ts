/** Shown wherever something can be bought, and by Stripe beside the button that pays. */
export const SALES_FINAL_NOTICE =
  "All sales are final. Promotions are non-refundable once purchased, including when a listing is " +
  "later removed for breaking the terms.";

/** What the fee is and how it comes about. */
export const FEE_NOTICE =
  "A processing fee is added to every order and is part of every total: it covers what the payment " +
  "provider keeps (2.9 % + 30 cents).";
