// Copy buttons, countdowns, forms that are sent once, a key to the search, and addresses to pass on. Pages work without:
// text can be selected, times are written out.

// What a click has done, for screen readers: they are told of no other change of a button's text.
const said = document.createElement("p");
said.className = "quiet";
said.setAttribute("role", "status");
document.body.append(said);

// What an address answers to a POST. It is asked for within the click: Safari copies nothing later.
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
      show(field ? "Selected: press Ctrl+C" : "Not copied: take it from Raw");
    }
    setTimeout(() => show(label), 3000);
  });
}

for (const element of document.querySelectorAll("[data-until]")) {
  // The server's clock decides, so count from what it said when it made the page.
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

// `/` leads to the search, as on many sites, but not from where it is typed.
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

// Chrome sends a form again when its button is pressed twice, and shows the second answer: that the
// entry is there already. The first one, with the only edit key, would be lost.
for (const form of document.querySelectorAll("form[data-once]")) {
  let sentAt = -Infinity;
  form.addEventListener("submit", (event) => {
    if (event.timeStamp - sentAt < 5000) event.preventDefault();
    else sentAt = event.timeStamp;
  });
}

// Once the browser has gone to the notice that an entry was saved, the address is that of the entry:
// whoever it is sent to saved nothing.
if (location.hash === "#saved") {
  addEventListener("load", () => history.replaceState(null, "", location.pathname));
}
