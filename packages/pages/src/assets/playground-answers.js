// Reads the answers of the playground and shows them. They are set as text only: nothing becomes markup.
import { embeddingsText } from './playground-figures.js';

/** More text than any model writes. */
const mostText = 4_000_000;

/** What edge serves for each playground, and how its response is read into a card. Each resolves with the usage. */
export const callers = {
  chat: { path: '/session/chat/completions', read: readChat },
  images: { path: '/session/images/generations', read: readImages },
  embeddings: { path: '/session/embeddings', read: readEmbeddings },
  speech: { path: '/session/audio/speech', read: readSpeech },
};

export class Refusal extends Error {}

export function refusalOf(response, { error }) {
  if (response.status === 401)
    return new Refusal('Your session has ended. Sign in in another tab, reload this page and send again.');
  const id = response.headers.get('x-request-id');
  return new Refusal(
    `${error?.message ?? `The gateway answered ${response.status}. Try again shortly.`} (${error?.code ?? 'error'}, request ${id})`,
  );
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

async function readImages(response, card, { prompt }) {
  const { data, usage } = await response.json();
  for (const { b64_json: base64, url } of data) {
    if (base64) card.box.append(element('img', { src: `data:image/png;base64,${base64}`, alt: prompt }));
    else card.box.append(element('a', { href: url, textContent: 'Open the image', rel: 'noreferrer' }));
  }
  return usage;
}

async function readEmbeddings(response, card) {
  const { data, usage } = await response.json();
  card.add({ content: embeddingsText(data.map(({ embedding }) => embedding)) });
  return usage;
}

/** The policy of the page loads no media: the sound is decoded here. */
async function readSpeech(response, card) {
  const file = await response.blob();
  const play = element('button', { type: 'button', className: 'plain', textContent: 'Play' });
  const save = element('a', { href: URL.createObjectURL(file), download: 'speech', textContent: 'Save the speech' });
  play.addEventListener('click', async () => {
    play.disabled = true;
    const context = new AudioContext();
    try {
      const source = new AudioBufferSourceNode(context, {
        buffer: await context.decodeAudioData(await file.arrayBuffer()),
      });
      source.connect(context.destination);
      source.addEventListener('ended', () => context.close());
      source.start();
    } catch {
      play.after(
        element('span', { className: 'quiet small', textContent: 'This browser cannot play it. Save it instead.' }),
      );
      await context.close();
    }
    play.disabled = false;
  });
  const buttons = element('p', { className: 'composing-buttons' });
  buttons.append(play, save);
  card.box.append(buttons);
}

/** An answer in the page. */
export function openCard({ model, turn, number, requests }) {
  const box = element('section', { className: 'panel padded answer' });
  box.setAttribute('aria-label', `Answer ${number} of ${model}`);
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
    line: (words) => box.append(element('p', { className: 'quiet small', textContent: words })),
    facts(pairs) {
      const list = element('dl', { className: 'facts' });
      for (const [name, value] of pairs) {
        const shown = element('dd', {});
        shown.append(
          name === 'Request'
            ? element('a', { href: `${requests}?${new URLSearchParams({ id: value })}`, textContent: value })
            : value,
        );
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

export function element(name, members) {
  return Object.assign(document.createElement(name), members);
}
