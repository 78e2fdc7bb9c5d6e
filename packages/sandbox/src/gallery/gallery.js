import { chat, edit, generate } from './gallery/calls.js';

const form = document.querySelector('form');
const main = document.querySelector('main');
const { gateway, model } = main.dataset;

/** Shows the result of one way and returns the image's URL; returns nothing if it failed. */
async function show(name, painting) {
  const card = document.querySelector(`[data-way="${name}"]`);
  const [picture, caption] = [card.querySelector('img'), card.querySelector('output')];
  card.setAttribute('aria-busy', 'true');
  caption.textContent = 'Generating …';
  caption.className = '';
  const startedAt = performance.now();
  try {
    const { url, provider } = await painting;
    picture.src = url;
    picture.hidden = false;
    caption.textContent = `${provider} · ${Math.round(performance.now() - startedAt)} ms`;
    return url;
  } catch (error) {
    picture.hidden = true;
    caption.textContent = error.message;
    caption.className = 'bad';
  } finally {
    card.removeAttribute('aria-busy');
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { key, prompt, change } = Object.fromEntries(new FormData(form));
  const place = { gateway, key: key.trim(), model };
  const chatting = show('chat', chat(place, prompt));
  const url = await show('generate', generate(place, prompt));
  if (url) await show('edit', edit(place, change, url));
  await chatting;
});
