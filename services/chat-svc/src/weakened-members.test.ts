import { expect, test } from 'vitest';
import { offerOf } from '@tallyport/contracts/testing';
import { chatProviders, weakenedMembers } from '@tallyport/providers';
import type { ChatRequest } from '@tallyport/wire';

const hints: Partial<ChatRequest>[] = [
  { temperature: 0.5 },
  { top_p: 0.5 },
  { top_k: 5 },
  { seed: 7 },
  { presence_penalty: 0.5 },
  { frequency_penalty: 0.5 },
  { verbosity: 'low' },
  { parallel_tool_calls: false, tools: [{ type: 'function', function: { name: 'f' } }] },
  ...(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const).map((effort) => ({
    reasoning_effort: effort,
  })),
];

const question: ChatRequest = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };

const providers = chatProviders.filter(({ hasChats }) => hasChats !== false);
const cells = providers.flatMap((provider) =>
  [false, true].flatMap((reasoning) => hints.map((hint) => ({ provider, reasoning, hint }))),
);

/** For each vendor, member and kind of model: what the vendor gets with the member and without it. */
test('no member is left out without a word', () => {
  const silent = cells.flatMap(({ provider, reasoning, hint }) => {
    const offer = offerOf(provider.id, { modelName: 'vendor-model', reasoning });
    const request = { ...question, ...hint };
    if (provider.unsupported?.({ request, stream: false }, offer) !== undefined) return [];
    const [name = ''] = Object.keys(hint);
    const { [name]: value, ...without } = request;
    const bodyOf = (asked: object) =>
      provider.request({ request: { ...question, ...asked }, stream: false }, offer).body;
    const isLost = bodyOf(request) === bodyOf(without);
    const said = weakenedMembers(provider, request, offer);
    const isSaid = said.some((each) => each.endsWith('is not sent'));
    return isLost === isSaid ? [] : [`${provider.id} ${String(reasoning)} ${name} ${String(value)}: ${said.join()}`];
  });
  expect(silent).toEqual([]);
});

test.each<[string, Partial<ChatRequest>, readonly string[]]>([
  ['an effort above the highest', { reasoning_effort: 'max' }, ['reasoning_effort max has the effect of xhigh']],
  ['one below the lowest', { reasoning_effort: 'minimal' }, ['reasoning_effort minimal has the effect of low']],
  ['sampling beside reasoning', { temperature: 0.5, top_p: 1 }, ['temperature is not sent', 'top_p is not sent']],
  ['what the model has', { reasoning_effort: 'high', verbosity: 'low' }, []],
])('%s', (_title, members, expected) => {
  const openai = chatProviders.find(({ id }) => id === 'openai')!;
  const reasoningEfforts = ['none', 'low', 'medium', 'high', 'xhigh'];
  const offer = offerOf('openai', { modelName: 'gpt-5.2', reasoning: true, reasoningEfforts });
  expect(weakenedMembers(openai, { ...question, ...members }, offer)).toEqual(expected);
});
