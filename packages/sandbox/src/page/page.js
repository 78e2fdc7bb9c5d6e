// Replaces the parts that change, every second and after each button. Buttons and fields stay, with focus and content.
const deadlineMs = 10_000;

async function load(address, request) {
  const answer = await fetch(address, { ...request, signal: AbortSignal.timeout(deadlineMs) });
  if (!answer.ok) throw new Error(`The page answered ${answer.status}.`);
  show(new DOMParser().parseFromString(await answer.text(), 'text/html'));
}

function show(page) {
  const parts = [...page.querySelectorAll('[data-live]')];
  const shown = parts.map((part) => document.querySelector(`[data-live="${CSS.escape(part.dataset.live)}"]`));
  // A provider with its first request is not on the page yet.
  if (shown.includes(null)) return document.querySelector('main').replaceWith(page.querySelector('main'));
  for (const [index, part] of parts.entries())
    if (shown[index].innerHTML !== part.innerHTML) shown[index].replaceChildren(...part.childNodes);
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'post') return;
  event.preventDefault();
  // The browser shows what went wrong if it sends the form itself.
  load(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) }).catch(() => form.submit());
});

setInterval(() => {
  if (!document.hidden) load('/control').catch(() => undefined);
}, 1000);
