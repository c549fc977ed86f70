/** Shown wherever something can be bought, and by Stripe next to the pay button. */
export const SALES_FINAL_NOTICE =
  "All sales are final. Promotions are non-refundable once purchased, including when a listing is " +
  "later removed for breaking the terms.";

/** What the fee is for. */
export const FEE_NOTICE =
  "Totals include a processing fee that covers payment costs (2.9% + 30 cents).";
