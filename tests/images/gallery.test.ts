import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OneProcess, startOneProcess } from '../gateway/one-process.ts';
import { formatOf, pixelsOf } from './looking.ts';

/** What the gallery of `npm start` does when somebody presses its button: the page's own calls, with a browser's fetch. */
interface Calls {
  generate(place: Place, prompt: string): Promise<Picture>;
  edit(place: Place, prompt: string, url: string): Promise<Picture>;
  chat(place: Place, prompt: string): Promise<Picture>;
}

interface Place {
  gateway: string;
  key: string;
  model: string;
}

interface Picture {
  url: string;
  provider: string;
}

let gateway: OneProcess;
let calls: Calls;
let place: Place;
beforeAll(async () => {
  gateway = await startOneProcess();
  calls = await import(new URL('../../packages/simulator/src/gallery/calls.js', import.meta.url).href);
  const page = await (await fetch(`${gateway.sandboxUrl}/control/gallery`)).text();
  const told = (name: string) => new RegExp(`data-${name}="([^"]*)"`).exec(page)?.[1] ?? '';
  place = { gateway: told('gateway'), model: told('model'), key: gateway.apiKey };
});
afterAll(() => gateway?.stop());

const look = ({ url, provider }: Picture) => {
  const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  return [provider, url.slice(0, url.indexOf(',')), formatOf(bytes), ...pixelsOf(bytes)];
};

test('the welcome says where it is', () => {
  expect(gateway.output()).toContain(`${gateway.sandboxUrl}/control/gallery`);
  expect(place.gateway).toBe(gateway.baseUrl);
});

test('an image is generated, changed, and painted in a chat', async () => {
  const generated = await calls.generate(place, 'A red fox');
  const edited = await calls.edit(place, 'The same at night', generated.url);
  const painted = await calls.chat(place, 'A red fox');
  const image = [expect.stringMatching(/^sandbox-/), 'data:image/png;base64', 'png', 768, 512];
  expect([look(generated), look(painted)]).toEqual([image, image]);
  expect(look(edited).slice(0, 3)).toEqual(image.slice(0, 3));
  expect(edited.url).not.toBe(generated.url);
});

test.each(['generate', 'chat'] as const)('%s: what goes wrong is told in the gateway’s words', async (way) => {
  const asked = calls[way]({ ...place, key: 'sk-wrong' }, 'A red fox');
  await expect(asked).rejects.toThrow(/API key/);
});
