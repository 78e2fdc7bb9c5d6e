import OpenAI from 'openai';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { errorBody, type Guardrails, type Principal } from '@tallyport/contracts';
import { sandboxProviders, sharedModel, type Simulator } from '@tallyport/simulator';
import { openMemoryStore } from '@tallyport/store';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createCompactions } from '../compaction/compactions.ts';
import { createSealKeys } from '../compaction/seal-keys.ts';
import { type AskOptions, type ChatBench, eventsIn, startChatBench } from '../testing/chat-bench.ts';

const [sandbox = ''] = sandboxProviders.map(({ id }) => id);
const principal = { accountId: 'account', keyId: 'key' };
const store = openMemoryStore();

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    store,
    catalogue: catalogueOf(
      { ...modelOf('images', [offerOf('openai', { modelName: 'gpt-image-2' })]), outputModalities: ['image'] },
      modelOf('mixed', [
        offerOf('openai', { modelName: 'gpt-4o-mini' }),
        offerOf(sandbox, { modelName: sharedModel, priority: 0 }),
      ]),
      modelOf('gpt', [offerOf('openai', { modelName: 'gpt-4o-mini' })]),
      modelOf('shared', [
        offerOf(sandbox, { modelName: sharedModel, pricing: { prompt: '0.000001', completion: '0.000002' } }),
      ]),
    ),
    environment: ({ baseUrl }: Simulator) => ({
      OPENAI_API_KEY: 'sk-gateway',
      OPENAI_BASE_URL: baseUrl('openai'),
      CACHE_TTL_SECONDS: '0',
    }),
  });
});
afterEach(() => {
  bench.simulator.reset();
  bench.usage.length = 0;
});
afterAll(async () => {
  await bench.close();
  await store.close();
});

const sdkOf = (caller: Principal) =>
  new OpenAI({
    apiKey: 'key',
    baseURL: 'http://gateway/v1',
    maxRetries: 0,
    async fetch(url, init) {
      const api = String(url).endsWith('/compact') ? ('compactResponse' as const) : ('responses' as const);
      const answer = await bench.inApi(api, Buffer.from(String(init?.body)), { principal: caller });
      const text = answer.error === undefined ? answer.text : JSON.stringify(errorBody(answer.error));
      const type = answer.headers['content-type'] ?? 'application/json';
      return new Response(text, { status: answer.status, headers: { 'content-type': type } });
    },
  });
const { responses } = sdkOf(principal);

const compact = async (body: object, options: AskOptions = {}) => {
  const answer = await bench.inApi('compactResponse', { model: 'shared', ...body }, { principal, ...options });
  return { ...answer, compaction: answer.text === '' ? undefined : JSON.parse(answer.text) };
};
const respond = async (body: object, options: AskOptions = {}) => {
  const answer = await bench.inApi('responses', { model: 'shared', ...body }, { principal, ...options });
  return { ...answer, response: answer.text === '' ? undefined : JSON.parse(answer.text) };
};
const lastSent = () => JSON.parse(bench.simulator.requests.at(-1)?.body ?? '');
const instruction = expect.stringMatching(/^Summarize the conversation so far.*in at most 2000 words\.$/);
const sealed = expect.stringMatching(/^tallyport-1\.compaction\.[\w-]+$/);
const opening = 'This is a summary of the conversation before this point:\n\n';
const sealedFor = async (summary: string, owner = {}) => {
  const seal = await createCompactions(createSealKeys(store)).sealer({ accountId: 'account', ...owner });
  return { type: 'compaction', id: 'cmp_1', encrypted_content: seal(summary) };
};

/** A conversation of an agent. */
const worked = [
  { type: 'message', role: 'developer', content: 'Be exact.' },
  { type: 'message', role: 'user', content: 'Fix it.' },
  { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Look first.' }] },
  { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read', arguments: '{"path":"a"}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'text of a' },
  { type: 'message', role: 'assistant', content: 'It is fixed.' },
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And b?' }] },
];

describe('a model of any vendor', () => {
  test('compacts a conversation of an agent to what its user said, and one sealed item', async () => {
    const { status, compaction } = await compact({ input: worked });
    expect([status, compaction]).toEqual([
      200,
      {
        id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
        object: 'response.compaction',
        created_at: expect.any(Number),
        output: [
          {
            ...worked[1],
            id: expect.stringMatching(/^msg_/),
            status: 'completed',
            content: [{ type: 'input_text', text: 'Fix it.' }],
          },
          { ...worked[6], id: expect.stringMatching(/^msg_/), status: 'completed' },
          { id: expect.stringMatching(/^cmp_/), type: 'compaction', encrypted_content: sealed },
        ],
        usage: expect.objectContaining({ input_tokens: expect.any(Number), output_tokens: expect.any(Number) }),
        service_tier: 'default',
      },
    ]);
    expect(lastSent()).toMatchObject({
      messages: [
        { role: expect.stringMatching(/developer|system/), content: 'Be exact.' },
        { role: 'user', content: 'Fix it.' },
        { role: 'assistant', content: '[Call call_1 of the tool read: {"path":"a"}]' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Result of the call call_1:' },
            { type: 'text', text: 'text of a' },
          ],
        },
        { role: 'assistant', content: 'It is fixed.' },
        { role: 'user', content: [{ type: 'text', text: 'And b?' }] },
        { role: 'user', content: instruction },
      ],
    });
    expect(lastSent()).not.toHaveProperty('tools');
  });

  test('goes on from the compacted form, which a client of the SDK sends back', async () => {
    const compacted = await responses.compact({ model: 'shared', input: 'One two three.' });
    const input = [...(compacted.output as OpenAI.Responses.ResponseInputItem[]), { role: 'user', content: 'Go on.' }];
    const answer = await responses.create({
      model: 'shared',
      input: input as OpenAI.Responses.ResponseInput,
      store: false,
    });
    expect(answer.output_text).toContain('You said: "Go on."');
    const { messages } = lastSent();
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'One two three.' }] },
      {
        role: 'user',
        content: [{ type: 'text', text: expect.stringContaining(`${opening}This is a simulated answer`) }],
      },
      { role: 'user', content: 'Go on.' },
    ]);
  });

  test('compacts a stored conversation, and again what it compacted', async () => {
    const first = await respond({ input: 'One' });
    const second = await respond({ input: 'Two', previous_response_id: first.response.id });
    const once = await compact({ previous_response_id: second.response.id });
    expect(once.compaction.output).toMatchObject([
      { role: 'user', content: [{ text: 'One' }] },
      { role: 'user', content: [{ text: 'Two' }] },
      { type: 'compaction' },
    ]);
    const again = await compact({ input: [...once.compaction.output, { role: 'user', content: 'Three' }] });
    expect(again.compaction.output).toMatchObject([
      { content: [{ text: 'One' }] },
      { content: [{ text: 'Two' }] },
      { content: [{ text: 'Three' }] },
      { type: 'compaction' },
    ]);
    expect(JSON.stringify(lastSent().messages)).toContain('This is a summary');
  });

  test('costs what the ledger says', async () => {
    const { compaction } = await compact({ input: worked }, { requestId: 'req_money' });
    const { input_tokens: input, output_tokens: output } = compaction.usage;
    const record = () => bench.usage.find(({ requestId }) => requestId === 'req_money');
    await expect
      .poll(record)
      .toMatchObject({ operation: 'chat', endReason: 'done', tokens: { input, output }, accountId: 'account' });
    expect(Number(record()?.cost)).toBeCloseTo(input * 0.000001 + output * 0.000002, 12);
  });

  test('is planned and explained like a chat', async () => {
    const { text } = await bench.explain(
      { model: 'shared', input: worked },
      { principal, query: 'path=/v1/responses/compact' },
    );
    expect(JSON.parse(text)).toMatchObject({ candidates: [{ provider: sandbox }] });
    const item = await sealedFor('Said.');
    const again = await bench.explain({ model: 'shared', input: [item] }, { principal, query: 'path=/v1/responses' });
    expect(again.status).toBe(200);
  });

  test('is asked once for an Idempotency-Key', async () => {
    const options = { headers: { 'idempotency-key': 'compact-1' } };
    const first = await compact({ input: worked }, options);
    const second = await compact({ input: worked }, options);
    expect(second.text).toBe(first.text);
    expect(bench.simulator.requests).toHaveLength(1);
  });

  test.each([
    ['stream', { input: 'Hi', stream: true }],
    ['background', { input: 'Hi', background: true }],
    ['conversation', { input: 'Hi', conversation: 'conv_1' }],
    ['prompt', { input: 'Hi', prompt: { id: 'pmpt_1' } }],
    ['input', {}],
    ['previous_response_id', { previous_response_id: 'resp_none' }],
  ])('gets no request with a wrong %s', async (param, body) => {
    expect((await compact(body)).error).toMatchObject({ status: 400, param });
    expect(bench.simulator.requests).toEqual([]);
  });
});

describe('a provider that fails', () => {
  test.each(['status:500', 'status:429', 'reset', 'cut:100', 'error-in-200'])(
    'with %s is replaced by another one, which summarizes',
    async (fault) => {
      bench.simulator.faults.set({ provider: 'openai', fault });
      const { status, headers, compaction } = await compact({ model: 'mixed', input: worked });
      expect([status, headers['x-tallyport-attempts'], headers['x-tallyport-lane']]).toEqual([200, '2', undefined]);
      expect(compaction.output.at(-1)).toMatchObject({ type: 'compaction', encrypted_content: sealed });
    },
  );

  test.each([
    ['status:500', 502],
    ['cut:100', 502],
    ['status:400', 400],
  ])('with %s and alone is an error with status %i', async (fault, status) => {
    bench.simulator.faults.set({ provider: sandbox, fault });
    expect((await compact({ input: worked })).error?.status).toBe(status);
  });
});

test('a model that only makes images compacts nothing', async () => {
  const refused = { code: 'unsupported_capability', message: 'Name a model that answers in text.', param: 'model' };
  expect((await compact({ model: 'images', input: worked })).error).toMatchObject(refused);
  const input = [{ role: 'user', content: 'Hi' }, { type: 'compaction_trigger' }];
  expect((await respond({ model: 'images', input })).error).toMatchObject(refused);
  expect(bench.simulator.requests).toEqual([]);
});

describe('a summary that is not finished', () => {
  test('is an error, and paid for', async () => {
    const input = [...worked, { type: 'compaction_trigger' }];
    const { status, error } = await respond({ input, max_output_tokens: 16 }, { requestId: 'req_cut' });
    expect([status, error?.code, error?.message]).toEqual([
      502,
      'upstream_error',
      'The model did not summarize the conversation: its answer was cut at its token limit or by its content filter. Try again, or with another model.',
    ]);
    const record = () => bench.usage.find(({ requestId }) => requestId === 'req_cut');
    await expect.poll(() => Number(record()?.cost)).toBeGreaterThan(0);
  });

  test('fails its stream, and is not stored', async () => {
    const input = [...worked, { type: 'compaction_trigger' }];
    const { text } = await bench.inApi(
      'responses',
      { model: 'shared', input, stream: true, max_output_tokens: 16 },
      { principal },
    );
    const { type, response } = JSON.parse(eventsIn(text).at(-1)?.split('data: ').at(-1) ?? '');
    expect([type, response.status, response.output]).toEqual(['response.failed', 'failed', []]);
    expect((await bench.stored('getResponse', response.id, { principal })).error?.code).toBe('not_found');
  });
});

describe('a compaction that a request asks for with an item, as Codex does', () => {
  const tools = [{ type: 'function', name: 'read', parameters: { type: 'object' } }];
  const input = [...worked, { type: 'compaction_trigger' }];

  test('is the only item of its stream', async () => {
    const events = [];
    const stream = await responses.create({
      model: 'shared',
      input: input as OpenAI.Responses.ResponseInput,
      tools: tools as OpenAI.Responses.Tool[],
      store: false,
      stream: true,
    });
    for await (const event of stream) events.push(event);
    const item = { type: 'compaction', id: expect.stringMatching(/^cmp_/), encrypted_content: sealed };
    expect(events).toMatchObject([
      { type: 'response.created' },
      { type: 'response.in_progress' },
      { type: 'response.output_item.added', output_index: 0 },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { status: 'completed', output: [item] } },
    ]);
    expect(lastSent()).toMatchObject({ tools: [{ function: { name: 'read' } }], tool_choice: 'none' });
    expect(lastSent().messages.at(-1)).toEqual({ role: 'user', content: instruction });
  });

  test('stands for what was before it where its response is continued', async () => {
    const { response } = await respond({ input });
    expect(response.output).toEqual([{ type: 'compaction', id: expect.any(String), encrypted_content: sealed }]);
    expect((await respond({ input: 'Next', previous_response_id: response.id })).status).toBe(200);
    const said = JSON.stringify(lastSent().messages);
    expect(said).toMatch(/Fix it\..*And b\?.*This is a summary.*Next/);
    expect(said).not.toContain('It is fixed.');
  });

  test('must be asked for at the end', async () => {
    const { error } = await respond({ input: [{ type: 'compaction_trigger' }, ...worked] });
    expect(error).toMatchObject({
      status: 400,
      message: expect.stringContaining('compaction_trigger is not supported: it must be the last item of input'),
    });
  });
});

describe('a sealed item', () => {
  const asked = async (item: object, caller: Principal = principal) =>
    respond({ input: [item, { role: 'user', content: 'Hi' }] }, { principal: caller });
  const refused = {
    status: 400,
    code: 'invalid_parameters',
    param: 'input[0].encrypted_content',
    message:
      'input[0].encrypted_content: this compaction was made for another account or project, was changed, or is too old. Send the items that it stands for, or compact them again.',
  };

  test.each([
    ['of another account', { accountId: 'other' }, {}],
    ['of a project, for a key in none', { projectId: 'search' }, {}],
    ['of no project, for a key of one', {}, { projectId: 'search' }],
    ['of another project', { projectId: 'ads' }, { projectId: 'search' }],
  ])('%s is refused', async (_name, owner, caller) => {
    await sealedFor('Mine', caller);
    const { error } = await asked(await sealedFor('Secret', owner), { ...principal, ...caller });
    expect(error).toMatchObject(refused);
    expect(bench.simulator.requests).toEqual([]);
  });

  test('is read by another key of its project', async () => {
    const owner = { projectId: 'search' };
    const item = await sealedFor('Known', owner);
    expect((await asked(item, { ...principal, ...owner, keyId: 'another' })).status).toBe(200);
    expect(lastSent().messages[0].content[0].text).toBe(`${opening}Known`);
  });

  test.each<[string, (text: string) => string]>([
    ['changed in its middle', (text) => `${text.slice(0, 40)}${text[40] === 'A' ? 'B' : 'A'}${text.slice(41)}`],
    ['cut', (text) => text.slice(0, -4)],
    ['longer', (text) => `${text}AAAA`],
    ['empty', () => 'tallyport-1.compaction.'],
    ['shorter than a seal', () => 'tallyport-1.compaction.AAAA'],
    ['that is sealed state of another kind', () => 'tallyport-1.anthropic.e30'],
  ])('that is %s is refused', async (_name, change) => {
    const item = await sealedFor('Text that is long enough to change.');
    const changed = { ...item, encrypted_content: change(item.encrypted_content) };
    expect((await asked(changed)).error).toMatchObject(refused);
  });

  test('is a text for a model of OpenAI', async () => {
    const item = await sealedFor('Known');
    const answer = await respond({ model: 'gpt', input: [item, { role: 'user', content: 'Hi' }] });
    expect([answer.status, answer.headers['x-tallyport-lane']]).toEqual([200, 'native']);
    expect(lastSent().input).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: `${opening}Known` }] },
      { role: 'user', content: 'Hi' },
    ]);
  });

  test("of OpenAI's own goes there, and nowhere else", async () => {
    const asks = [...worked.filter(({ type }) => type !== 'reasoning'), { type: 'compaction_trigger' }];
    const compacted = await respond({ model: 'gpt', input: asks, store: false });
    expect(compacted.headers['x-tallyport-lane']).toBe('native');
    const { output } = compacted.response;
    expect(output).toEqual([
      { id: expect.stringMatching(/^cmp_/), type: 'compaction', encrypted_content: expect.stringMatching(/^gAAAA/) },
    ]);
    const input = [...output, { role: 'user', content: 'Hi' }];
    expect((await respond({ model: 'gpt', input })).status).toBe(200);
    expect(lastSent().input[0]).toEqual(output[0]);
    expect((await respond({ input })).error).toMatchObject({
      code: 'unsupported_parameter',
      param: 'input[0].type',
      message: expect.stringContaining(
        'compaction is not supported: only the vendor that made it can read it; use a model there, or send the items that it stands for',
      ),
    });
  });

  test('may be in a request a hundred times', async () => {
    const item = await sealedFor('Known');
    const many = (count: number) => respond({ input: Array.from({ length: count }, () => item) });
    expect((await many(100)).status).toBe(200);
    expect((await many(101)).error).toMatchObject({ status: 400, param: 'input' });
  });
});

describe('rules of the caller', () => {
  const rules = (guardrails: Guardrails) => ({ principal: { ...principal, guardrails: [guardrails] } });
  const input = async () => [await sealedFor('Write to ada@example.com.'), { role: 'user', content: 'Hi' }];

  test.each(['answer', 'request'] as const)('for the %s block what was compacted', async (part) => {
    const { error } = await respond({ input: await input() }, rules({ [part]: { detect: { email: 'block' } } }));
    expect(error?.code).toBe('guardrail_blocked');
    expect(bench.simulator.requests).toEqual([]);
  });

  test.each(['answer', 'request'] as const)('for the %s redact what was compacted', async (part) => {
    const answer = await respond({ input: await input() }, rules({ [part]: { detect: { email: 'redact' } } }));
    expect(answer.status).toBe(200);
    expect(lastSent().messages[0].content[0].text).toBe(`${opening}Write to [email].`);
  });

  test('for answers hold for the summary itself', async () => {
    const { error } = await compact({ input: worked }, rules({ answer: { maxCharacters: 5 } }));
    expect(error?.code).toBe('guardrail_blocked');
  });
});
