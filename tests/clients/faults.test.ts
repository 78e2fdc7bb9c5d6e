import OpenAI, { APIError } from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { can, families, type NamedFamily } from './families.ts';
import { type Rig, startRig, weatherSchema } from './rig.ts';
import { partOf } from '../support/scale.ts';

/** Tests how the OpenAI SDK sees the failures of every family. */
let good: Rig;
let wrongKey: Rig;
beforeAll(async () => {
  [good, wrongKey] = await Promise.all([startRig(), startRig({ gatewayKey: 'a-key-no-vendor-knows' })]);
});
afterEach(() => good.simulator.reset());
afterAll(() => Promise.all([good?.stop(), wrongKey?.stop()]));

const messages = [{ role: 'user' as const, content: 'Hello there' }];
const tools: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'weather', parameters: { ...weatherSchema } } },
];

/** Without it the gateway would soon use another provider, because faults lower the health of an offer. */
const defaultHeaders = { 'x-no-fallback': 'true' };

const chatsOf = ({ gateway }: Rig) =>
  new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey, maxRetries: 0, defaultHeaders }).chat
    .completions;

/** Status, code and type of the error that the SDK throws. */
const failureOf = async (request: Promise<unknown>): Promise<unknown> => {
  const thrown: unknown = await request.then(
    (answer) => answer,
    (error: unknown) => error,
  );
  if (!(thrown instanceof APIError)) throw new Error('It did not fail as an API error.', { cause: thrown });
  return { status: thrown.status, code: thrown.code, type: thrown.type };
};

const streamed = ({ name: model }: NamedFamily, body: { tools?: OpenAI.ChatCompletionTool[] } = {}) =>
  chatsOf(good)
    .stream({ messages, ...body, model, stream_options: { include_usage: true } })
    .finalChatCompletion();

/** Each family reads one of them in `npm test`, and each of them is read by several families. */
const harmless = ['comments', 'crlf', 'byte-wise', 'drip:1', 'no-done'];

describe.each(families.map((family, turn) => ({ ...family, turn })))('$name', ({ turn, ...family }) => {
  const { name: model, provider } = family;
  const strike = (fault: string) => good.simulator.faults.set({ provider, fault });

  test.skipIf(family.keyVariable === null)('reports a wrong provider key as a fault of the gateway', async () => {
    const expected = { status: 502, code: 'upstream_auth', type: 'upstream_error' };
    expect(await failureOf(chatsOf(wrongKey).create({ model, messages }))).toEqual(expected);
    const stream = chatsOf(wrongKey).create({ model, messages, stream: true });
    expect(await failureOf(stream)).toEqual(expected);
  });

  test('reports an error in the middle of a stream', async () => {
    strike('error-mid-stream:3');
    expect(await failureOf(streamed(family))).toMatchObject({ type: 'upstream_error' });
  });

  test.each([['text', {}] as const, ...(can(family, 'tools') ? [['a tool’s arguments', { tools }] as const] : [])])(
    'reports a stream cut inside %s as incomplete',
    async (_name, body) => {
      await streamed(family, body);
      const whole = good.simulator.requests.at(-1)?.bodyBytesSent ?? 0;
      strike(`cut:${Math.floor(whole / 2)}`);
      expect(await failureOf(streamed(family, body))).toMatchObject({ type: 'upstream_error' });
    },
  );

  test('estimates missing usage', async () => {
    strike('no-usage');
    const plain = await chatsOf(good).create({ model, messages });
    const stream = await streamed(family);
    for (const { usage } of [plain, stream]) {
      expect(usage).toMatchObject({ prompt_tokens: 3, completion_tokens: expect.any(Number) });
      expect(usage?.completion_tokens).toBeGreaterThan(5);
    }
  });

  test.each(partOf(harmless, { one: harmless.length, from: turn }))('reads a stream with %s', async (fault) => {
    const whole = await streamed(family);
    strike(fault);
    const struck = await streamed(family);
    expect(struck.choices).toEqual(whole.choices);
    expect(struck.usage).toEqual(whole.usage);
  });
});

test.each(families.filter(({ provider }) => ['anthropic', 'aws-bedrock'].includes(provider)))(
  '$name refuses logprobs',
  async ({ name: model }) => {
    const expected = { status: 400, code: 'unsupported_capability', param: 'logprobs' };
    await expect(chatsOf(good).create({ model, messages, logprobs: true })).rejects.toMatchObject(expected);
    await expect(chatsOf(good).create({ model, messages, logprobs: true, stream: true })).rejects.toMatchObject(
      expected,
    );
  },
);
