// Replaces the parts that change and keeps the buttons, so that the focus is not lost.
async function refresh() {
  const answer = await fetch('/control', { headers: { accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const parts = [...page.querySelectorAll('[data-live]')];
  const known = parts.map((part) => document.querySelector(`[data-live="${CSS.escape(part.dataset.live)}"]`));
  // A provider with its first request is not on the page yet.
  if (known.includes(null)) return location.reload();
  for (const [index, part] of parts.entries()) known[index].innerHTML = part.innerHTML;
}

setInterval(() => {
  if (!document.hidden) refresh().catch(() => undefined);
}, 1000);
