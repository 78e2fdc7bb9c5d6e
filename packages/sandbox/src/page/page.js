// Exchanges what changes and leaves the buttons alone, so that the focus stays where it is.
async function refresh() {
  const answer = await fetch('/control', { headers: { accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const parts = [...page.querySelectorAll('[data-live]')];
  const known = parts.map((part) => document.querySelector(`[data-live="${CSS.escape(part.dataset.live)}"]`));
  // A provider that was asked for the first time has no place yet.
  if (known.includes(null)) return location.reload();
  for (const [index, part] of parts.entries()) known[index].innerHTML = part.innerHTML;
}

setInterval(() => {
  if (!document.hidden) refresh().catch(() => undefined);
}, 1000);
