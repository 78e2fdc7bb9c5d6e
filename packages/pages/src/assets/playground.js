// Streams the answers of up to three models.
import { callers, element, openCard, Refusal, refusalOf } from './playground-answers.js';
import { differenceText, factsOf } from './playground-figures.js';
import { keep, keptBefore, showInAddress } from './playground-kept.js';
import { codeFor, requestOf } from './playground-request.js';

const form = document.querySelector('#playground');
const { prompt } = form.elements;
const conversation = document.querySelector('#conversation');
const kind = callers[location.pathname.split('/').at(-1)] ? location.pathname.split('/').at(-1) : 'chat';
const [, , account] = location.pathname.split('/');
const requests = location.pathname.replace(/\/playground.*/, '/requests');
const mostHistory = 400_000;
/** Messages with their answers. Without scripts, the form has them. */
let turns = JSON.parse(form.elements.history?.defaultValue || '[]');

const send = form.querySelector('#send');
const stop = element('button', { type: 'button', className: 'plain', textContent: 'Stop', hidden: true });
const status = element('p', { className: 'quiet small' });
status.setAttribute('role', 'status');
send.after(stop);
send.title = 'Ctrl-Enter';
form.querySelector('.composer').append(status);
let running = new AbortController();
restore();

stop.addEventListener('click', () => running.abort());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!send.disabled) void askAll();
});
form.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (!send.disabled) form.requestSubmit(send);
});
form.addEventListener('input', ({ target }) => {
  if (target !== prompt) showInAddress(fieldsOf());
  showCode();
});
conversation.addEventListener('click', (event) => {
  if (event.target.name !== 'edit') return;
  event.preventDefault();
  editTurn(event.target.closest('.turn'));
});
document.querySelector('#new-conversation').addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  running.abort();
  [turns, prompt.value, status.textContent] = [[], '', ''];
  removeLater();
  showCode();
  prompt.focus();
});
addEventListener('pagehide', keepAll);

function fieldsOf() {
  return Object.fromEntries(new FormData(form));
}

function keepAll() {
  keep({ turns, fields: { ...fieldsOf(), csrf_token: undefined, history: undefined } });
}

/** Shows what this tab had before a reload. */
function restore() {
  const kept = keptBefore();
  if (kept === undefined) return;
  for (const [name, value] of Object.entries(kept.fields)) if (form.elements[name]) form.elements[name].value = value;
  turns = [];
  removeLater();
  for (const turn of kept.turns) {
    const shown = openTurn(turn.prompt);
    turns.push(turn);
    for (const [model, text] of Object.entries(turn.answers)) {
      const card = openCard({ model, turn: shown, number: turns.length, requests });
      card.add({ content: text ?? 'No answer.' });
      const { facts, line } = turn.shown?.[model] ?? {};
      if (facts) card.facts(facts);
      if (line) card.line(line);
      card.box.removeAttribute('aria-busy');
    }
  }
  showCode();
}

async function askAll() {
  const fields = fieldsOf();
  const models = [...new Set([fields.model, fields.model2, fields.model3].filter(Boolean))];
  let bodies;
  try {
    if (JSON.stringify(turns).length > mostHistory)
      throw new Error('The conversation is too long. Edit an earlier message, or start a new one.', {
        cause: 'prompt',
      });
    bodies = models.map((model) => requestOf(kind, { ...fields, model }, turns));
  } catch (error) {
    status.textContent = error.message;
    const wrong = form.elements[error.cause];
    wrong?.closest('details')?.setAttribute('open', '');
    wrong?.focus();
    return;
  }
  showInAddress(fields);
  const turn = openTurn(fields.prompt);
  running = new AbortController();
  [send.disabled, stop.hidden, status.textContent] = [true, false, 'Waiting for answers …'];
  turn.scrollIntoView({ block: 'nearest' });
  const done = await Promise.all(bodies.map((body) => ask(body, { token: fields.csrf_token, turn })));
  compare(done);
  const failed = done.filter(({ isWhole }) => !isWhole).length;
  [send.disabled, stop.hidden] = [false, true];
  status.textContent = running.signal.aborted ? 'Stopped.' : failed ? `${failed} of ${done.length} failed.` : 'Done.';
  if (kind === 'chat' && turn.isConnected && done.some(({ text }) => text)) {
    turns.push({
      prompt: fields.prompt,
      answers: Object.fromEntries(done.map(({ model, text }) => [model, text])),
      shown: Object.fromEntries(done.map(({ model, facts, line }) => [model, { facts, line }])),
    });
    prompt.value = '';
    showCode();
  }
  keepAll();
  prompt.focus({ preventScroll: true });
}

/** Says what the other answers cost and took beside the first one. */
function compare(done) {
  const [first, ...others] = done.filter(({ isWhole }) => isWhole);
  for (const other of others) {
    other.line = differenceText(first, other);
    other.card.line(other.line);
  }
}

/** Resolves with the text to continue from, null after a fault, and whether the answer is whole. */
async function ask(body, { token, turn }) {
  const { model } = body;
  const card = openCard({ model, turn, number: conversation.children.length, requests });
  const { path, read } = callers[kind];
  const startedAt = performance.now();
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': token, 'x-tallyport-account': account },
      body: JSON.stringify(kind === 'chat' ? { ...body, stream: true, stream_options: { include_usage: true } } : body),
      signal: running.signal,
    });
    if (!response.ok) throw refusalOf(response, await response.json().catch(() => ({})));
    const usage = await read(response, card, body);
    const ms = performance.now() - startedAt;
    const facts = factsOf(response.headers, { usage, ms });
    card.facts(facts);
    const figures = { ms, tokens: usage?.completion_tokens, cost: usage?.cost };
    return { model, isWhole: true, text: card.text() || null, card, facts, ...figures };
  } catch (error) {
    card.fail(problemOf(error));
    return { model, isWhole: false, text: error.name === 'AbortError' ? card.text() || null : null };
  } finally {
    card.box.removeAttribute('aria-busy');
  }
}

function problemOf(error) {
  if (error.name === 'AbortError') return 'Stopped. What was written until then is billed.';
  if (error instanceof Refusal) return error.message;
  return 'The connection broke off. Check that the gateway is reachable, and send again.';
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
function removeLater() {
  [...conversation.children].slice(turns.length).forEach((later) => later.remove());
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
