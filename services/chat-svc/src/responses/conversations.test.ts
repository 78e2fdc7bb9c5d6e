import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import type { Guardrails, Principal } from '@tallyport/contracts';
import { sandboxProviders, sharedModel, type Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type AskOptions,
  type ChatBench,
  type ConversationOperation,
  eventsIn,
  startChatBench,
} from '../testing/chat-bench.ts';

const [sandbox = ''] = sandboxProviders.map(({ id }) => id);
const principal: Principal = { accountId: 'account', keyId: 'key' };

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(
      modelOf('gpt', [offerOf('openai', { modelName: 'gpt-4o-mini' })]),
      modelOf('shared', [offerOf(sandbox, { modelName: sharedModel })]),
    ),
    environment: ({ baseUrl }: Simulator) => ({
      OPENAI_API_KEY: 'sk-gateway',
      OPENAI_BASE_URL: baseUrl('openai'),
      CACHE_TTL_SECONDS: '0',
      RESPONSES_MAX_BYTES: '20000',
      RESPONSES_ACCOUNT_MAX_BYTES: '150000',
    }),
  });
});
afterEach(() => {
  bench.simulator.reset();
  bench.usage.length = 0;
});
afterAll(() => bench.close());

const call = async (operation: ConversationOperation, path = '', body?: unknown, options: AskOptions = {}) => {
  const answer = await bench.conversation(operation, body, { principal, ...(path && { path }), ...options });
  return { ...answer, value: answer.text === '' ? undefined : JSON.parse(answer.text) };
};
const created = async (body: object = {}, options: AskOptions = {}): Promise<string> =>
  (await call('createConversation', '', body, options)).value.id;
const itemsIn = async (id: string) => {
  const { value } = await call('listConversationItems', `${id}/items`, undefined, { query: 'order=asc&limit=100' });
  return value.data;
};
const respond = async (members: object, options: AskOptions = {}) => {
  const answer = await bench.inApi('responses', { model: 'shared', ...members }, { principal, ...options });
  return { ...answer, response: answer.text === '' ? undefined : JSON.parse(answer.text) };
};
const lastEventOf = (text: string) => JSON.parse(eventsIn(text).at(-1)?.split('data: ').at(-1) ?? '');
const saidToVendor = () => String(bench.simulator.requests.at(-1)?.body);
const user = (content: string) => ({ type: 'message', role: 'user', content });
const codeOf = ({ status, error }: { status: number; error?: { code: string } | undefined }) => error?.code ?? status;

describe('a conversation', () => {
  test('is created, returned, changed and deleted', async () => {
    const { value } = await call('createConversation', '', { items: [user('Hi')], metadata: { topic: 'a' } });
    expect(value).toEqual({
      id: expect.stringMatching(/^conv_[0-9a-f]{32}$/),
      object: 'conversation',
      created_at: expect.any(Number),
      metadata: { topic: 'a' },
    });
    expect((await call('getConversation', value.id)).value).toEqual(value);
    const changed = { ...value, metadata: { topic: 'b' } };
    expect((await call('updateConversation', value.id, { metadata: { topic: 'b' } })).value).toEqual(changed);
    expect((await call('getConversation', value.id)).value).toEqual(changed);
    expect((await call('deleteConversation', value.id)).value).toEqual({
      id: value.id,
      object: 'conversation.deleted',
      deleted: true,
    });
    expect(codeOf(await call('getConversation', value.id))).toBe('not_found');
  });

  test('needs no body', async () => {
    expect((await call('createConversation')).value.metadata).toEqual({});
  });

  test('has items, which are added, listed in pages, returned and deleted', async () => {
    const id = await created({ items: [user('One')] });
    const items = [
      { type: 'message', role: 'assistant', content: 'Two' },
      { ...user('Three'), id: 'msg_own' },
    ];
    const added = (await call('addConversationItems', `${id}/items`, { items })).value;
    expect(added).toEqual({
      object: 'list',
      data: [
        {
          type: 'message',
          id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Two', annotations: [] }],
        },
        {
          type: 'message',
          id: 'msg_own',
          role: 'user',
          status: 'completed',
          content: [{ type: 'input_text', text: 'Three' }],
        },
      ],
      first_id: added.data[0].id,
      last_id: 'msg_own',
      has_more: false,
    });
    const all = await itemsIn(id);
    expect(all).toMatchObject([{ content: [{ text: 'One' }] }, ...added.data]);
    const list = async (query: string) =>
      (await call('listConversationItems', `${id}/items`, undefined, { query })).value;
    expect(await list('limit=2')).toMatchObject({ data: [all[2], all[1]], has_more: true });
    expect(await list(`limit=2&after=${all[1].id}`)).toMatchObject({ data: [all[0]], has_more: false });
    expect((await call('getConversationItem', `${id}/items/msg_own`)).value).toEqual(all[2]);
    expect((await call('deleteConversationItem', `${id}/items/msg_own`)).value).toMatchObject({
      id,
      object: 'conversation',
    });
    expect(await itemsIn(id)).toEqual(all.slice(0, 2));
    for (const operation of ['getConversationItem', 'deleteConversationItem'] as const) {
      expect((await call(operation, `${id}/items/msg_own`)).error).toMatchObject({
        code: 'not_found',
        message: 'The conversation has no item with this id.',
      });
    }
  });

  test('has each item once', async () => {
    const id = await created({ items: [{ ...user('One'), id: 'msg_1' }] });
    const items = [
      { ...user('One'), id: 'msg_1' },
      { ...user('Two'), id: 'msg_2' },
      { ...user('Two'), id: 'msg_2' },
    ];
    await call('addConversationItems', `${id}/items`, { items });
    expect((await itemsIn(id)).map((item: { id: string }) => item.id)).toEqual(['msg_1', 'msg_2']);
  });

  const many = (count: number) => Array.from({ length: count }, (_, at) => user(String(at)));
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));

  test('takes what is at each limit', async () => {
    const metadata = { ...names(15), ['k'.repeat(64)]: 'v'.repeat(512) };
    expect((await call('createConversation', '', { items: many(20), metadata })).status).toBe(200);
  });

  test.each<[string, string, object]>([
    ['21 items', 'items', { items: many(21) }],
    ['no list of items', 'items', { items: 'Hi' }],
    ['a text as an item', 'items[0]', { items: ['Hi'] }],
    ['a kind that does not exist', 'items[0].type', { items: [{ type: 'letter' }] }],
    ['a reference', 'items[0].type', { items: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['a request to compact', 'items[0].type', { items: [{ type: 'compaction_trigger' }] }],
    ['a message without content', 'items[1].content', { items: [user('Hi'), { role: 'user' }] }],
    [
      'a file of the vendor',
      'items[0]',
      { items: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] },
    ],
    ['a container of the vendor', 'items[0]', { items: [{ type: 'code_interpreter_call', container_id: 'cntr_1' }] }],
    ['17 members of metadata', 'metadata', { metadata: names(17) }],
    ['a name of 65 characters', 'metadata', { metadata: { ['k'.repeat(65)]: 'v' } }],
    ['a text of 513 characters', 'metadata', { metadata: { k: 'v'.repeat(513) } }],
    ['a number in metadata', 'metadata', { metadata: { k: 1 } }],
  ])('is not created with %s', async (_name, param, body) => {
    expect((await call('createConversation', '', body)).error).toMatchObject({ status: 400, param });
  });

  test('is not created from a body that is no JSON', async () => {
    expect(codeOf(await call('createConversation', '', Buffer.from('{')))).toBe('invalid_json');
  });
});

describe('a response of a conversation', () => {
  test('answers its items and the input, and adds both to it', async () => {
    const id = await created({ items: [user('One')] });
    const first = await respond({ input: 'Two', conversation: id });
    expect([first.status, first.response.conversation]).toEqual([200, { id }]);
    expect(saidToVendor()).toMatch(/One.*Two/);
    const second = await respond({ input: 'Three', conversation: { id }, store: false });
    expect(saidToVendor()).toMatch(/One.*Two.*simulated answer.*Three/);
    expect(saidToVendor()).not.toContain('conv_');
    expect(await itemsIn(id)).toMatchObject([
      { content: [{ text: 'One' }] },
      { content: [{ text: 'Two' }] },
      first.response.output[0],
      { content: [{ text: 'Three' }] },
      second.response.output[0],
    ]);
  });

  test('is streamed, and added before its end is sent', async () => {
    const id = await created();
    const { text } = await bench.inApi(
      'responses',
      { model: 'shared', input: 'One', conversation: id, stream: true },
      { principal },
    );
    const { type, response } = lastEventOf(text);
    expect([type, response.conversation]).toEqual(['response.completed', { id }]);
    expect(await itemsIn(id)).toMatchObject([{ role: 'user' }, response.output[0]]);
  });

  test.each([true, false])("of OpenAI's own model gets the items as they are (stream: %s)", async (stream) => {
    const id = await created({ items: [user('One')] });
    const answer = await bench.inApi(
      'responses',
      { model: 'gpt', input: 'Two', conversation: id, stream },
      { principal },
    );
    expect([answer.status, answer.headers['x-tallyport-lane']]).toEqual([200, 'native']);
    const response = stream ? lastEventOf(answer.text).response : JSON.parse(answer.text);
    expect(response.conversation).toEqual({ id });
    const sent = JSON.parse(saidToVendor());
    expect([sent.conversation, sent.input]).toMatchObject([
      undefined,
      [{ content: [{ text: 'One' }] }, { role: 'user', content: 'Two' }],
    ]);
    expect(await itemsIn(id)).toMatchObject([{ role: 'user' }, { role: 'user' }, { id: response.output[0].id }]);
  });

  test('is empty at first at OpenAI, which gets no id of ours', async () => {
    const id = await created();
    await respond({ model: 'gpt', input: 'Hi', conversation: id });
    expect(saidToVendor()).not.toContain('conv');
  });

  test('of turns at the same time is added whole, in the order in which they end', async () => {
    const id = await created();
    const turns = await Promise.all(
      Array.from({ length: 12 }, (_, at) => respond({ input: `Turn ${at}`, conversation: id })),
    );
    expect(turns.map(({ response }) => response.conversation)).toEqual(turns.map(() => ({ id })));
    const items = await itemsIn(id);
    expect(items).toHaveLength(24);
    for (const { response } of turns) {
      const at = items.findIndex((item: { id: string }) => item.id === response.output[0].id);
      expect(response.output[0].content[0].text).toContain(items[at - 1].content[0].text);
    }
  });

  test('that fails, or whose client leaves, adds nothing', async () => {
    const id = await created();
    for (const provider of bench.providers) bench.simulator.faults.set({ provider, fault: 'cut:2000' });
    const { text } = await bench.inApi(
      'responses',
      { model: 'shared', input: '[words:400]', conversation: id, stream: true },
      { principal },
    );
    expect(lastEventOf(text).type).toBe('response.failed');
    bench.simulator.reset();
    const leaving = new AbortController();
    const opened = await bench.openInApi(
      'responses',
      { model: 'shared', input: '[words:4000]', conversation: id, stream: true },
      { principal, signal: leaving.signal, requestId: 'req_left' },
    );
    for await (const _piece of opened.body) {
      leaving.abort();
      break;
    }
    await expect.poll(() => bench.usage.some(({ requestId }) => requestId === 'req_left')).toBe(true);
    expect(await itemsIn(id)).toEqual([]);
  });

  test('is added once for an Idempotency-Key', async () => {
    const id = await created();
    const options = { headers: { 'idempotency-key': 'turn-1' } };
    const first = await respond({ input: 'One', conversation: id }, options);
    const again = await respond({ input: 'One', conversation: id }, options);
    expect(again.headers['x-tallyport-idempotency']).toBe('replayed');
    expect(again.text).toBe(first.text);
    expect(await itemsIn(id)).toMatchObject([{ role: 'user' }, first.response.output[0]]);
  });

  test('counts the items as input tokens', async () => {
    const count = async (members: object) =>
      JSON.parse((await bench.countResponseTokens({ model: 'shared', input: 'Hi', ...members }, { principal })).text)
        .input_tokens;
    const id = await created({ items: [user('word '.repeat(400))] });
    expect(await count({ conversation: id })).toBeGreaterThan((await count({})) + 400);
  });

  test('is continued in its conversation only', async () => {
    const id = await created();
    const { response } = await respond({ input: 'One', conversation: id });
    expect((await respond({ input: 'Two', previous_response_id: response.id })).error).toMatchObject({
      status: 400,
      param: 'previous_response_id',
      message: `previous_response_id: the response is a turn of the conversation '${id}'. Send conversation instead.`,
    });
    expect((await respond({ input: 'Two', previous_response_id: response.id, conversation: id })).error).toMatchObject({
      status: 400,
      param: 'conversation',
      message: 'conversation: must not be sent together with previous_response_id',
    });
  });

  test.each([[7], [''], [{}], [{ id: 7 }]])('is refused for the conversation %j', async (conversation) => {
    expect((await respond({ input: 'Hi', conversation })).error).toMatchObject({ status: 400, param: 'conversation' });
  });

  test('says if it could not be added', async () => {
    const id = await created();
    bench.simulator.faults.set({ provider: sandbox, fault: 'slow-first-byte:1000' });
    const pending = respond({ input: 'Hi', conversation: id });
    await expect.poll(() => bench.simulator.requests.length).toBe(1);
    await call('deleteConversation', id);
    const { response } = await pending;
    expect([response.status, response.conversation]).toEqual(['completed', null]);
    expect(codeOf(await call('getConversation', id))).toBe('not_found');
  });
});

describe('a full', () => {
  test('conversation gets no more items, and no turns that would be paid for', async () => {
    const id = await created({ items: [user('x'.repeat(19_000))] });
    expect((await respond({ input: 'Hi', conversation: id })).response.conversation).toEqual({ id });
    await call('addConversationItems', `${id}/items`, { items: [user('x'.repeat(1_000))] });
    const full = { status: 413, code: 'request_too_large', message: expect.stringContaining('RESPONSES_MAX_BYTES') };
    expect((await call('addConversationItems', `${id}/items`, { items: [user('Hi')] })).error).toMatchObject(full);
    bench.simulator.reset();
    expect((await respond({ input: 'Hi', conversation: id })).error).toMatchObject({ ...full, param: 'conversation' });
    expect(bench.simulator.requests).toEqual([]);
    const [first] = await itemsIn(id);
    await call('deleteConversationItem', `${id}/items/${first.id}`);
    expect((await respond({ input: 'Hi', conversation: id })).status).toBe(200);
  });

  test('account stores no more, until a conversation is deleted', async () => {
    const options = { principal: { accountId: 'full', keyId: 'key' } };
    const items = [user('x'.repeat(18_000))];
    const ids: string[] = [];
    let last = await call('createConversation', '', { items }, options);
    while (last.status === 200 && ids.length < 20) {
      ids.push(last.value.id);
      last = await call('createConversation', '', { items }, options);
    }
    expect([ids.length, last.error?.code]).toEqual([8, 'request_too_large']);
    await call('deleteConversation', ids[0], undefined, options);
    await expect.poll(async () => (await call('createConversation', '', { items }, options)).status).toBe(200);
  });
});

describe('a conversation of a project', () => {
  const keyOf = (projectId?: string): AskOptions => ({
    principal: { ...principal, keyId: `key of ${projectId}`, ...(projectId !== undefined && { projectId }) },
  });
  const accesses: Record<string, (id: string, item: string, options: AskOptions) => Promise<{ status: number }>> = {
    'reads it': (id, _item, options) => call('getConversation', id, undefined, options),
    'changes it': (id, _item, options) => call('updateConversation', id, { metadata: {} }, options),
    'deletes it': (id, _item, options) => call('deleteConversation', id, undefined, options),
    'lists its items': (id, _item, options) => call('listConversationItems', `${id}/items`, undefined, options),
    'adds an item': (id, _item, options) =>
      call('addConversationItems', `${id}/items`, { items: [user('Hi')] }, options),
    'reads an item': (id, item, options) => call('getConversationItem', `${id}/items/${item}`, undefined, options),
    'deletes an item': (id, item, options) => call('deleteConversationItem', `${id}/items/${item}`, undefined, options),
    'adds a turn': (id, _item, options) => respond({ input: 'Hi', conversation: id }, options),
    'counts its tokens': (id, _item, options) =>
      bench.countResponseTokens({ model: 'shared', input: 'Hi', conversation: id }, { ...keyOf(), ...options }),
  };
  const strangers: [string, AskOptions][] = [
    ['another project', keyOf('ads')],
    ['no project', keyOf()],
    ['another account', { principal: { accountId: 'another', keyId: 'other', projectId: 'search' } }],
  ];

  test.each(
    Object.keys(accesses).flatMap((access) => strangers.map(([whose, options]) => ({ access, whose, options }))),
  )('is unknown to a key of $whose that $access', async ({ access, options }) => {
    const id = await created({ items: [{ ...user('Hi'), id: 'msg_1' }] }, keyOf('search'));
    const refused = await accesses[access]!(id, 'msg_1', options);
    expect(refused).toMatchObject({ status: 404, text: '', error: { code: 'not_found' } });
    expect((await call('getConversationItem', `${id}/items/msg_1`, undefined, keyOf('search'))).status).toBe(200);
  });

  test.each(Object.keys(accesses))('is there for another key of the project that %s', async (access) => {
    const id = await created({ items: [{ ...user('Hi'), id: 'msg_1' }] }, keyOf('search'));
    const another = { principal: { ...keyOf('search').principal!, keyId: 'another' } };
    expect((await accesses[access]!(id, 'msg_1', another)).status).toBe(200);
  });
});

describe('rules that are newer than a conversation', () => {
  const secret = 'ada@example.com';
  const rules = (part: keyof Guardrails, action: 'block' | 'redact'): AskOptions => ({
    principal: { ...principal, guardrails: [{ [part]: { detect: { email: action } } }] },
  });
  const items = [user(`From ${secret}`), { type: 'message', role: 'assistant', content: `To ${secret}` }];

  test.each(['answer', 'request'] as const)('for the %s block a turn before it is paid for', async (part) => {
    const id = await created({ items });
    const { error } = await respond({ input: 'Hi', conversation: id }, rules(part, 'block'));
    expect(error?.code).toBe('guardrail_blocked');
    expect(bench.simulator.requests).toEqual([]);
  });

  test('redact what a turn reads, and what is listed', async () => {
    const id = await created({ items });
    expect((await respond({ input: 'Hi', conversation: id }, rules('request', 'redact'))).status).toBe(200);
    expect(saidToVendor()).toMatch(/From \[email\].*To \[email\]/);
    await respond({ input: 'Hi', conversation: id }, rules('answer', 'redact'));
    expect(saidToVendor()).toMatch(new RegExp(`From ${secret}.*To \\[email\\]`));
    const listed = await call('listConversationItems', `${id}/items`, undefined, rules('request', 'redact'));
    expect(listed.text).not.toContain(secret);
    const [first] = await itemsIn(id);
    const item = await call('getConversationItem', `${id}/items/${first.id}`, undefined, rules('request', 'block'));
    expect(codeOf(item)).toBe('guardrail_blocked');
  });

  test('for requests hold for items that are added', async () => {
    const id = await created();
    const blocked = await call('addConversationItems', `${id}/items`, { items }, rules('request', 'block'));
    expect(codeOf(blocked)).toBe('guardrail_blocked');
    await call('addConversationItems', `${id}/items`, { items }, rules('request', 'redact'));
    expect(JSON.stringify(await itemsIn(id))).not.toContain(secret);
  });
});

test('a compaction in a conversation stands for the items before it', async () => {
  const id = await created({ items: [user('One'), { type: 'message', role: 'assistant', content: 'Old answer' }] });
  const { response } = await respond({ input: [{ type: 'compaction_trigger' }], conversation: id });
  expect(response.output).toMatchObject([{ type: 'compaction' }]);
  await respond({ input: 'Two', conversation: id });
  expect(saidToVendor()).toMatch(/One.*This is a summary.*Two/);
  expect(saidToVendor()).not.toContain('Old answer');
});

describe('with RESPONSES_DAYS=0', () => {
  let off: ChatBench;
  beforeAll(async () => {
    off = await startChatBench({ environment: { RESPONSES_DAYS: '0' } });
  });
  afterAll(() => off.close());

  test('every use of a conversation names the setting', async () => {
    const named = { code: 'not_found', message: expect.stringContaining('RESPONSES_DAYS is 0') };
    expect((await off.conversation('createConversation', {}, { principal })).error).toMatchObject(named);
    expect((await off.conversation('getConversation', undefined, { principal, path: 'conv_1' })).error).toMatchObject(
      named,
    );
    const body = { model: 'sandbox-chat', input: 'Hi', conversation: 'conv_1' };
    expect((await off.inApi('responses', body, { principal })).error).toMatchObject({
      ...named,
      param: 'conversation',
    });
  });
});
