/// <reference lib="dom" />
/** Development only: reloads the page when the server has restarted with another revision. */
let revision: string | null = null;
const events = new EventSource("/_frsh/alive");
events.onmessage = (event) => {
  if (revision !== null && revision !== event.data) location.reload();
  revision = event.data;
};
