/** The three ways to get an image from the gateway. `place`: the gateway's address, a key, and a model. */
export async function generate(place, prompt) {
  const answer = await ask(place, '/v1/images/generations', { prompt, size });
  return pictureOf(answer, await answer.json());
}

/** `url`: the image to edit. */
export async function edit(place, prompt, url) {
  const answer = await ask(place, '/v1/images/edits', { prompt, images: [{ image_url: url }] });
  return pictureOf(answer, await answer.json());
}

export async function chat(place, prompt) {
  const messages = [{ role: 'user', content: prompt }];
  const answer = await ask(place, '/v1/chat/completions', {
    messages,
    stream: true,
    image_config: { image_size: size },
  });
  const events = eventsIn(await answer.text());
  const error = events.find((event) => event.error)?.error;
  if (error) throw new Error(error.message);
  const images = events.flatMap(({ choices }) => choices?.[0]?.delta?.images ?? []);
  const provider = events.find(({ metadata }) => metadata)?.metadata.used_provider;
  return { url: images[0].image_url.url, provider };
}

const size = '768x512';

async function ask({ gateway, key, model }, path, body) {
  const answer = await fetch(gateway + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, ...body }),
  });
  if (answer.ok) return answer;
  const failure = await answer.json().catch(() => undefined);
  throw new Error(failure?.error?.message ?? `The gateway answered ${answer.status}.`);
}

function pictureOf(answer, { data }) {
  const url = `data:image/png;base64,${data[0].b64_json}`;
  return { url, provider: answer.headers.get('x-tallyport-provider') };
}

const eventsIn = (text) =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)));
