import type { ChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { anthropic } from '../anthropic/chat.ts';
import { awsBedrock } from '../aws-bedrock/chat.ts';
import { fold } from '../fold/fold.ts';
import { google } from '../google/chat.ts';
import { openai } from '../openai/chat.ts';
import { plainAnswer } from '../testing/answer.ts';
import { callOf, contextOf, translate, vendorOffer } from '../testing/translate.ts';
import { vendorFormats } from '../testing/vendor-formats.ts';
import { toolNamesOf, usualNames } from './tool-names.ts';

const tool = (name: string) => ({ type: 'function' as const, function: { name, parameters: { type: 'object' } } });
const requestWith = (...names: string[]): ChatRequest => ({
  model: 'm',
  messages: [{ role: 'user', content: 'Hi' }],
  tools: names.map(tool),
});
const long = 'x'.repeat(65);

test.each([
  [['weather.get'], ['weather_get']],
  [
    ['weather.get', 'weather:get'],
    ['weather_get_b8affdae', 'weather_get_c190e8be'],
  ],
  [
    ['weather.get', 'weather_get'],
    ['weather_get_b8affdae', 'weather_get'],
  ],
  [[long], [`${'x'.repeat(55)}_9537c5fd`]],
  [['größe'], ['gr__e']],
  [[''], ['_']],
])('%j becomes %j', (names, expected) => {
  const mapped = toolNamesOf(requestWith(...names), usualNames);
  expect(names.map((name) => mapped?.toVendor(name) ?? name)).toEqual(expected);
  expect(expected.map((name) => mapped?.toClient(name) ?? name)).toEqual(names);
});

test('nothing is replaced where all names are accepted', () => {
  expect(toolNamesOf(requestWith('weather', 'get-time_2'), usualNames)).toBeUndefined();
});

/** A request that names a tool wherever it can. */
const everywhere = (name: string): ChatRequest => ({
  model: 'm',
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'a', content: 'Rain.', name },
  ],
  tools: [tool(name)],
  tool_choice: { type: 'function', function: { name } },
});

const vendors = [anthropic, awsBedrock, openai].map((provider) => [provider.id, provider] as const);

describe.each(vendors)('%s', (_id, provider) => {
  test('gets an accepted name everywhere', () => {
    const { body } = provider.request(callOf(everywhere('weather.get')), vendorOffer(provider));
    expect(body).not.toContain('weather.get');
    expect(body.match(/weather_get/g)?.length).toBeGreaterThanOrEqual(3);
  });

  test('the client reads its own name, whole and streamed', () => {
    const format = vendorFormats[provider.dialect];
    const answer = {
      ...plainAnswer,
      calls: [{ id: 'b', name: 'weather_get', input: ['{}'] }],
      finish: 'tool_calls' as const,
    };
    const call = callOf(everywhere('weather.get'));
    const whole = provider.response(format.json(answer), contextOf(provider, call));
    const streamed = fold(translate(provider, format.stream(answer), call));
    for (const { choices } of [whole, streamed])
      expect(choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'weather.get' } }]);
  });
});

test('the old form and the choice of several tools are renamed as well', () => {
  const name = 'weather.get';
  const old: ChatRequest = {
    model: 'm',
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', function_call: { name, arguments: '{}' } },
      { role: 'function', name, content: 'Rain.' },
    ],
    functions: [{ name }],
    function_call: { name },
  };
  const allowed: ChatRequest = {
    ...requestWith(name),
    tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tool(name)] } },
  };
  for (const request of [old, allowed]) {
    const { body } = openai.request(callOf(request), vendorOffer(openai));
    expect(body).toContain('weather_get');
    expect(body).not.toContain(name);
  }
});

test('Google gets dots and colons as they are, but no digit first', () => {
  const { body } = google.request(callOf(requestWith('weather.get:now', '9lives')), vendorOffer(google));
  expect(JSON.parse(body).tools[0].functionDeclarations.map(({ name }: { name: string }) => name)).toEqual([
    'weather.get:now',
    '_9lives',
  ]);
});
