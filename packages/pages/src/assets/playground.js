// Streams the answers of up to three models. Answers are set as text only: nothing becomes markup.
import { codeFor, requestOf } from './playground-request.js';

const form = document.querySelector('form.form');
const { prompt } = form.elements;
const conversation = document.querySelector('#conversation');
const kind = location.pathname.endsWith('/images') ? 'images' : 'chat';
const [, , account] = location.pathname.split('/');
/** More text than any model writes. */
const mostText = 4_000_000;
const mostHistory = 400_000;
/** Messages with their answers. Without scripts, the form has them. */
let turns = JSON.parse(form.elements.history?.defaultValue || '[]');

const send = form.querySelector('button');
const stop = element('button', { type: 'button', className: 'plain', textContent: 'Stop', hidden: true });
const status = element('p', { className: 'quiet small' });
status.setAttribute('role', 'status');
send.after(stop, status);
let running = new AbortController();
stop.addEventListener('click', () => running.abort());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void askAll();
});
form.addEventListener('input', showCode);
conversation.addEventListener('click', (event) => {
  if (event.target.name !== 'edit') return;
  event.preventDefault();
  editTurn(event.target.closest('.turn'));
});

function fieldsOf() {
  return Object.fromEntries(new FormData(form));
}

async function askAll() {
  const fields = fieldsOf();
  const models = [...new Set([fields.model, fields.model2, fields.model3].filter(Boolean))];
  let requests;
  try {
    if (JSON.stringify(turns).length > mostHistory)
      throw new Error('The conversation is too long. Edit an earlier message, or start a new one.', {
        cause: 'prompt',
      });
    requests = models.map((model) => requestOf(kind, { ...fields, model }, turns));
  } catch (error) {
    status.textContent = error.message;
    form.elements[error.cause]?.focus();
    return;
  }
  const turn = openTurn(fields.prompt);
  running = new AbortController();
  [send.disabled, stop.hidden, status.textContent] = [true, false, 'Waiting for answers …'];
  const done = await Promise.all(requests.map((request) => ask(request, { token: fields.csrf_token, turn })));
  const failed = done.filter(({ isWhole }) => !isWhole).length;
  [send.disabled, stop.hidden] = [false, true];
  status.textContent = running.signal.aborted ? 'Stopped.' : failed ? `${failed} of ${done.length} failed.` : 'Done.';
  if (turn.isConnected && done.some(({ text }) => text)) {
    turns.push({ prompt: fields.prompt, answers: Object.fromEntries(done.map(({ model, text }) => [model, text])) });
    prompt.value = '';
    showCode();
  }
  prompt.focus({ preventScroll: true });
}

/** Resolves with the text to continue from, null after a fault, and whether the answer is whole. */
async function ask(request, { token, turn }) {
  const { model } = request;
  const card = openCard(model, turn);
  const startedAt = performance.now();
  try {
    const response = await fetch(kind === 'chat' ? '/session/chat/completions' : '/session/images/generations', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': token, 'x-tallyport-account': account },
      body: JSON.stringify(
        kind === 'chat' ? { ...request, stream: true, stream_options: { include_usage: true } } : request,
      ),
      signal: running.signal,
    });
    if (!response.ok) throw refusalOf(response, await response.json().catch(() => ({})));
    const usage = kind === 'chat' ? await readChat(response, card) : await readImages(response, { card, request });
    card.facts(factsOf(response, { usage, ms: performance.now() - startedAt }));
    return { model, isWhole: true, text: card.text() || null };
  } catch (error) {
    card.fail(problemOf(error));
    return { model, isWhole: false, text: error.name === 'AbortError' ? card.text() || null : null };
  } finally {
    card.box.removeAttribute('aria-busy');
  }
}

class Refusal extends Error {}

function refusalOf(response, { error }) {
  if (response.status === 401)
    return new Refusal('Your session has ended. Sign in in another tab, reload this page and send again.');
  const id = response.headers.get('x-request-id');
  return new Refusal(
    `${error?.message ?? `The gateway answered ${response.status}. Try again shortly.`} (${error?.code ?? 'error'}, request ${id})`,
  );
}

function problemOf(error) {
  if (error.name === 'AbortError') return 'Stopped. What was written until then is billed.';
  if (error instanceof Refusal) return error.message;
  return 'The connection broke off. Check that the gateway is reachable, and send again.';
}

async function readChat(response, card) {
  let usage;
  for await (const data of eventsOf(response)) {
    if (data === '[DONE]') break;
    const chunk = JSON.parse(data);
    if (chunk.error) throw refusalOf(response, chunk);
    usage = chunk.usage ?? usage;
    const { delta } = chunk.choices?.[0] ?? {};
    if (delta) card.add(delta);
  }
  return usage;
}

/** The data of each server-sent event. */
async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > mostText) throw new Refusal('The answer is too long for this page. Use the API for it.');
    const lines = (rest + part.value).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice(6).trim();
  }
}

async function readImages(response, { card, request }) {
  const { data, usage } = await response.json();
  for (const { b64_json: base64, url } of data) {
    if (base64) card.box.append(element('img', { src: `data:image/png;base64,${base64}`, alt: request.prompt }));
    else card.box.append(element('a', { href: url, textContent: 'Open the image', rel: 'noreferrer' }));
  }
  return usage;
}

/** A message in the page. It replaces one without an answer. */
function openTurn(text) {
  removeLater();
  const turn = document.querySelector('#turn').content.firstElementChild.cloneNode(true);
  turn.querySelector('.answer-text').textContent = text;
  turn.querySelector('.unseen')?.replaceChildren(` message ${turns.length + 1}`);
  conversation.append(turn);
  return turn;
}

/** Ends the conversation before a message. */
function editTurn(turn) {
  running.abort();
  turns = turns.slice(0, [...conversation.children].indexOf(turn));
  prompt.value = turn.querySelector('.answer-text').textContent;
  removeLater();
  prompt.focus();
  showCode();
}

/** Removes what follows the conversation. */
const removeLater = () => [...conversation.children].slice(turns.length).forEach((later) => later.remove());

/** An answer in the page. */
function openCard(model, turn) {
  const box = element('section', { className: 'panel padded answer' });
  box.setAttribute('aria-label', `Answer ${conversation.children.length} of ${model}`);
  box.setAttribute('aria-busy', 'true');
  const thought = element('p', { className: 'quiet small' });
  const text = element('p', { className: 'answer-text' });
  const calls = [];
  box.append(element('h2', { textContent: model }), thought, text);
  turn.lastElementChild.append(box);
  return {
    box,
    text: () => text.textContent,
    add({ content, reasoning_content: reasoning, tool_calls: made = [] }) {
      if (reasoning) thought.append(reasoning);
      if (content) text.append(content);
      for (const call of made) addCall(call);
    },
    fail: (message) => box.append(element('p', { className: 'note bad', textContent: message })),
    facts(pairs) {
      const list = element('dl', { className: 'facts' });
      for (const [name, value] of pairs) {
        const shown = element('dd', {});
        shown.append(name === 'Request' ? element('a', { href: requestAddress(value), textContent: value }) : value);
        list.append(element('dt', { textContent: name }), shown);
      }
      box.append(list);
    },
  };

  function addCall({ index = 0, function: { name = '', arguments: part = '' } = {} }) {
    if (calls[index] === undefined) {
      calls[index] = element('pre', { tabIndex: 0 });
      box.append(element('p', { className: 'label', textContent: `Calls ${name}` }), calls[index]);
    }
    calls[index].append(part);
  }
}

/** The route and the cost, as the response states them. */
function factsOf({ headers }, { usage, ms }) {
  return [
    ['Provider', headers.get('x-tallyport-provider')],
    ['Attempts', headers.get('x-tallyport-attempts')],
    ['Cache', headers.get('x-tallyport-cache')],
    ['Time', `${(ms / 1000).toFixed(1)} s`],
    ['Tokens', usage?.prompt_tokens !== undefined && `${usage.prompt_tokens} in, ${usage.completion_tokens} out`],
    ['Cost', usage?.cost !== undefined && `$${Number(usage.cost.toPrecision(3))}`],
    ['Request', headers.get('x-request-id')],
  ].filter(([, value]) => value);
}

/** Keeps the code below the form up to date. */
function showCode() {
  const fields = fieldsOf();
  try {
    const request = requestOf(kind, fields, turns);
    for (const [language, code] of Object.entries(codeFor)) {
      document.querySelector(`#code-${language} pre`).textContent = code(kind, { url: location.origin, request });
    }
  } catch {
    // The form says what is wrong when it is sent.
  }
}

/** The page of requests with this one, beside this page. */
function requestAddress(id) {
  return `${location.pathname.replace(/\/playground.*/, '/requests')}?${new URLSearchParams({ id })}`;
}

function element(name, members) {
  return Object.assign(document.createElement(name), members);
}
