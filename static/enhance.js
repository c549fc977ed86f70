// Copy buttons, countdowns, forms that are sent only once, a key for the search, and clean URLs.
// Pages work without it: text can be selected, and times are written out.

// Tells screen readers what a click did. They don't announce a button's new text.
const said = document.createElement("p");
said.className = "quiet";
said.setAttribute("role", "status");
document.body.append(said);

// The response to a POST. The request is sent during the click, since Safari copies nothing later.
const posted = async (address) => {
  const answer = await fetch(address, { method: "POST" });
  if (!answer.ok) throw new Error(answer.statusText);
  return new Blob([await answer.text()], { type: "text/plain" });
};

for (const button of document.querySelectorAll("button[data-copy]")) {
  const field = button.closest("figure")?.querySelector("textarea");
  const label = button.textContent;
  const show = (text) => {
    button.textContent = text;
    said.textContent = text === label ? "" : text;
  };
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      if (field) await navigator.clipboard.writeText(field.value);
      else {
        await navigator.clipboard.write([
          new ClipboardItem({ "text/plain": posted(button.dataset.copy) }),
        ]);
      }
      show("Copied");
    } catch {
      field?.focus();
      field?.select();
      show(field ? "Selected: copy it now" : "Not copied: use the Raw link");
    }
    setTimeout(() => show(label), 3000);
  });
}

for (const element of document.querySelectorAll("[data-until]")) {
  // The server's clock counts: start from its time when it made the page.
  const end = Date.parse(element.dataset.until);
  const offset = Date.parse(element.dataset.now) - Date.now();
  const tick = () => {
    const left = Math.max(0, Math.floor((end - Date.now() - offset) / 1000));
    const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
    let rest = left;
    const shown = [];
    for (const [unit, name] of parts) {
      const n = Math.floor(rest / unit);
      rest -= n * unit;
      if (shown.length || n) shown.push(`${n} ${name}`);
    }
    element.textContent = left === 0 ? "closed" : `in ${shown.slice(0, 3).join(" ")}`;
    if (left > 0) setTimeout(tick, 1000 - (Date.now() + offset) % 1000);
  };
  tick();
}

// `/` moves to the search field, as on many sites, unless you are typing.
addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (key !== "/" || ctrlKey || metaKey || altKey) return;
  if (target.closest("input, textarea, select, [contenteditable]")) return;
  const search = document.querySelector('main input[type="search"]') ??
    document.querySelector('input[type="search"]');
  if (search === null) return;
  // On a phone it is in the menu.
  if (!search.checkVisibility()) search.closest("[popover]")?.showPopover();
  search.focus();
  event.preventDefault();
});

// If a button is pressed twice, Chrome sends the form twice and shows the second response: the entry
// already exists. The first one, with the only edit key, would be lost.
for (const form of document.querySelectorAll("form[data-once]")) {
  let sentAt = -Infinity;
  form.addEventListener("submit", (event) => {
    if (event.timeStamp - sentAt < 5000) event.preventDefault();
    else sentAt = event.timeStamp;
  });
}

// Drops "#saved" from the URL, so that a shared link doesn't say "Saved" to others.
if (location.hash === "#saved") {
  addEventListener("load", () => history.replaceState(null, "", location.pathname));
}
