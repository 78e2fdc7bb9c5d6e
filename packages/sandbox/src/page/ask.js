// Sends one chat to the gateway and shows the attempts that it made.
const form = document.querySelector('form.ask');
const output = form.querySelector('output');
const deadlineMs = 60_000;

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  output.textContent = 'Asking …';
  output.className = '';
  try {
    output.textContent = await ask(new FormData(form).get('key').trim());
  } catch (error) {
    output.textContent = error.message;
    output.className = 'bad';
  }
});

async function ask(key) {
  const { gateway, model } = form.dataset;
  const answer = await fetch(`${gateway}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-no-cache': 'true' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    signal: AbortSignal.timeout(deadlineMs),
  });
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(body.error?.message ?? `The gateway answered ${answer.status}.`);
  return `${body.metadata.routing.map(described).join(', then ')}.`;
}

const described = ({ provider, status_code: status, duration_ms: ms }) =>
  `${provider}: ${status ?? 'no answer'} after ${Math.round(ms)} ms`;
