import { openMemoryStore } from '@tallyport/store';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, startChatBench } from '../testing/chat-bench.ts';

const store = openMemoryStore();
let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    store,
    environment: { RESPONSES_MAX_BYTES: '20000', RESPONSES_ACCOUNT_MAX_BYTES: '100000', CACHE_TTL_SECONDS: '0' },
  });
});
afterEach(() => bench.simulator.reset());
afterAll(async () => {
  await bench.close();
  await store.close();
});

const principal = { accountId: 'account', keyId: 'key' };
const strangers: [string, AskOptions][] = [
  ['another account', { principal: { accountId: 'another', keyId: 'other' } }],
  ['another project of the account', { principal: { ...principal, projectId: 'project' } }],
];
const interact = async (members: object = {}, options: AskOptions = {}, on = bench) => {
  const body = { model: 'sandbox-chat', input: 'Hello', ...members };
  const answer = await on.inApi('interact', body, { principal, ...options });
  return { ...answer, interaction: answer.text.startsWith('{') ? JSON.parse(answer.text) : undefined };
};
const stored = (operation: Parameters<ChatBench['stored']>[0], path: string, options: AskOptions = {}) =>
  bench.stored(operation, path, { principal, ...options });
const get = async (id: string, query = '') => JSON.parse((await stored('getInteraction', id, { query })).text);
const lastInteraction = (text: string) =>
  JSON.parse(text.match(/^data: (\{.*"interaction\.completed".*)$/m)?.[1] ?? '{}').interaction;
const saidToVendor = () => JSON.stringify(bench.simulator.requests.at(-1));

describe('a stored interaction', () => {
  test('is returned as it was sent, with its input where that is asked for', async () => {
    const { interaction } = await interact({ labels: { team: 'a' } });
    expect(interaction.id).toMatch(/^int_[0-9a-f]{32}$/);
    expect(await get(interaction.id)).toEqual(interaction);
    const input = [{ type: 'user_input', content: [{ type: 'text', text: 'Hello' }] }];
    expect(await get(interaction.id, 'include_input=true')).toEqual({ ...interaction, input });
  });

  test('is continued by another, with all that was said and without its instruction', async () => {
    const first = await interact({ input: 'One', system_instruction: 'First instruction.' });
    const second = await interact({ input: 'Two', previous_interaction_id: first.interaction.id });
    const third = await interact({ input: 'Three', previous_interaction_id: second.interaction.id });
    expect([first.status, second.status, third.status]).toEqual([200, 200, 200]);
    expect(third.interaction.previous_interaction_id).toBe(second.interaction.id);
    expect(saidToVendor()).toMatch(/One.*simulated answer.*Two.*simulated answer.*Three/);
    expect(saidToVendor()).not.toContain('First instruction.');
  });

  test('is stored when its stream has ended, with the steps of its events', async () => {
    const { text } = await interact({ stream: true });
    const head = lastInteraction(text);
    const interaction = await get(head.id);
    expect(interaction).toEqual({ ...head, steps: [{ type: 'model_output', content: [expect.anything()] }] });
    const said = [...text.matchAll(/"text":("(?:[^"\\]|\\.)*")/g)].map(([, json = '']) => JSON.parse(json)).join('');
    expect(interaction.steps[0].content[0].text).toBe(said);
    expect((await interact({ input: 'Next', previous_interaction_id: head.id })).status).toBe(200);
  });

  test('keeps the digits of large numbers', async () => {
    const tools = [{ type: 'function', name: 'find', parameters: { type: 'object' } }];
    const asked = await interact({ input: 'Find it [digits:1234567890123456789]', tools });
    const [call] = asked.interaction.steps.filter(({ type }: { type: string }) => type === 'function_call');
    const { text } = await stored('getInteraction', asked.interaction.id);
    expect(text).toContain('"arguments":{"id":1234567890123456789}');
    const result = { type: 'function_result', call_id: call.id, name: 'find', result: 'Found.' };
    await interact({ input: [result], tools, previous_interaction_id: asked.interaction.id });
    expect(bench.simulator.requests.at(-1)?.body).toContain('1234567890123456789');
  });

  test('is gone when it is deleted, and so is what continued it', async () => {
    const first = (await interact({ input: 'One' })).interaction;
    const second = (await interact({ input: 'Two', previous_interaction_id: first.id })).interaction;
    expect(await stored('deleteInteraction', first.id)).toMatchObject({ status: 200, text: '{}' });
    expect((await stored('getInteraction', first.id)).error).toMatchObject({ status: 404, code: 'not_found' });
    expect((await stored('deleteInteraction', first.id)).error).toMatchObject({ status: 404 });
    expect(await get(second.id)).toMatchObject({ id: second.id });
    expect((await interact({ previous_interaction_id: second.id })).error).toMatchObject({
      status: 404,
      param: 'previous_interaction_id',
      message: expect.stringMatching(/^previous_interaction_id: no interaction/),
    });
  });

  test.each(strangers)('is unknown to %s', async (_name, stranger) => {
    const { id } = (await interact()).interaction;
    const none = { status: 404, code: 'not_found' };
    for (const operation of ['getInteraction', 'deleteInteraction'] as const)
      expect((await stored(operation, id, stranger)).error).toMatchObject(none);
    expect((await stored('cancelInteraction', `${id}/cancel`, stranger)).error).toMatchObject(none);
    expect((await interact({ previous_interaction_id: id }, stranger)).error).toMatchObject(none);
    expect(await get(id)).toMatchObject({ id });
  });

  test('is no response, and a response is no interaction', async () => {
    const { id } = (await interact()).interaction;
    expect((await stored('getResponse', id)).error).toMatchObject({ code: 'not_found' });
    const body = { model: 'sandbox-chat', input: 'Hello' };
    const response = JSON.parse((await bench.inApi('responses', body, { principal })).text);
    expect((await stored('getInteraction', response.id)).error).toMatchObject({ code: 'not_found' });
    expect((await interact({ previous_interaction_id: response.id })).error).toMatchObject({ status: 404 });
  });

  test('cannot be cancelled or streamed again, because it never ran in the background', async () => {
    const { id } = (await interact()).interaction;
    expect((await stored('cancelInteraction', `${id}/cancel`)).error).toMatchObject({ code: 'invalid_parameters' });
    expect((await stored('getInteraction', id, { query: 'stream=true' })).error).toMatchObject({ param: 'stream' });
  });
});

describe('nothing is stored', () => {
  test.each([
    ['where store is false', { store: false }],
    ['of one larger than the largest', { input: 'x'.repeat(20_000) }],
  ])('%s', async (_name, members) => {
    for (const stream of [false, true]) {
      const { text, interaction } = await interact({ ...members, stream });
      const { id } = interaction ?? lastInteraction(text);
      expect((await stored('getInteraction', id)).error).toMatchObject({ code: 'not_found' });
    }
  });

  test('beyond the quota of an account, which responses count in as well', async () => {
    const full = { principal: { accountId: 'full', keyId: 'key' } };
    const body = { model: 'sandbox-chat', input: '[words:1500]' };
    for (let turn = 0; turn < 12; turn += 1)
      await bench.inApi('responses', { ...body, input: `${turn} [words:1500]` }, full);
    const { interaction } = await interact({ input: '[words:1500]' }, full);
    expect((await stored('getInteraction', interaction.id, full)).error).toMatchObject({ code: 'not_found' });
  });

  test('by a gateway that stores no responses', async () => {
    const forgetful = await startChatBench({ environment: { RESPONSES_DAYS: '0' } });
    try {
      const { interaction } = await interact({}, {}, forgetful);
      const lost = await forgetful.stored('getInteraction', interaction.id, { principal });
      expect(lost.error?.message).toContain('RESPONSES_DAYS is 0');
      expect((await interact({ background: true }, {}, forgetful)).error).toMatchObject({ param: 'background' });
      const next = await interact({ previous_interaction_id: interaction.id }, {}, forgetful);
      expect(next.error).toMatchObject({ status: 404, param: 'previous_interaction_id' });
    } finally {
      await forgetful.close();
    }
  });
});

test('the rules of a caller for answers hold for what is stored', async () => {
  const { id } = (await interact({ input: 'Say ada@example.com' })).interaction;
  const guarded = { principal: { ...principal, guardrails: [{ answer: { detect: { email: 'redact' as const } } }] } };
  const { text } = await stored('getInteraction', id, guarded);
  expect(text).toContain('[email]');
  expect(text).not.toContain('ada@example.com');
});

test('a request that is blocked for what it continues leaves a record', async () => {
  const { id } = (await interact({ input: 'Say ada@example.com' })).interaction;
  const guardrails = [{ request: { detect: { email: 'block' as const } } }];
  const blocked = { principal: { ...principal, guardrails }, requestId: 'req_blocked' };
  expect((await interact({ previous_interaction_id: id }, blocked)).error).toMatchObject({ code: 'guardrail_blocked' });
  await expect
    .poll(() => bench.usage.filter(({ requestId }) => requestId === 'req_blocked'))
    .toMatchObject([{ cost: '0', error: 'guardrail_blocked' }]);
});
