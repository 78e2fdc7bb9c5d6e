import type { Principal } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, startChatBench } from '../testing/chat-bench.ts';
import type { ServedFile } from '../testing/serve-files.ts';

const idOf = (number: number): string => `file-${number.toString(16).padStart(32, '0')}`;
const fileOf = (number: number, changes: Partial<ServedFile> = {}): ServedFile => ({
  id: idOf(number),
  accountId: 'account',
  filename: 'a b.pdf',
  mediaType: 'application/pdf',
  content: '%PDF-1.7 the treasure map',
  ...changes,
});
const [pdf, png, notes, foreign, large] = [
  fileOf(1),
  fileOf(2, { filename: 'a.png', mediaType: 'image/png', content: Buffer.from('89504e470d0a1a0a', 'hex') }),
  fileOf(3, { filename: 'a.md', mediaType: 'text/markdown', content: 'Ask ada@example.com' }),
  fileOf(4, { accountId: 'other' }),
  fileOf(5, { content: Buffer.alloc(15_000, 'a') }),
] as const;
let reads = 0;
const counted: ServedFile = {
  ...fileOf(6),
  get content() {
    reads += 1;
    return pdf.content;
  },
};
const base64Of = ({ content }: ServedFile): string => Buffer.from(content).toString('base64');
const urlOf = (file: ServedFile): string => `data:${file.mediaType};base64,${base64Of(file)}`;
const principal: Principal = { accountId: 'account', keyId: 'key' };

const options: NonNullable<Parameters<typeof startChatBench>[0]> = {
  catalogue: catalogueOf(
    ...[
      modelOf('gpt', [offerOf('openai', { modelName: 'gpt-6-luna' })]),
      modelOf('claude', [offerOf('anthropic', { modelName: 'claude-opus-4-8' })]),
    ].map((model) => ({ ...model, inputModalities: ['text', 'image', 'file'] })),
  ),
  environment: ({ baseUrl }) => ({
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: baseUrl('openai'),
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: baseUrl('anthropic'),
    MAX_BODY_BYTES: '50000',
    CACHE_TTL_SECONDS: '0',
  }),
};
let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    ...options,
    files: [pdf, png, notes, foreign, large, counted, ...Array.from({ length: 101 }, (_, at) => fileOf(1_000 + at))],
  });
});
afterEach(() => {
  bench.simulator.reset();
  bench.usage.length = 0;
});
afterAll(() => bench.close());

const parts = {
  chat: (id: string) => ({ type: 'file', file: { file_id: id } }),
  response: (id: string) => ({ type: 'input_file', file_id: id }),
  message: (id: string, type = 'document') => ({ type, source: { type: 'file', file_id: id } }),
};
const said = (...content: object[]) => [{ role: 'user', content }];
const chat = (...ids: string[]) => ({ model: 'gpt', messages: said(...ids.map(parts.chat)) });
const response = (...ids: string[]) => ({ model: 'gpt', store: false, input: said(...ids.map(parts.response)) });
const message = (...content: object[]) => ({ model: 'claude', max_tokens: 100, messages: said(...content) });
const ask = (body: object, asked: AskOptions = {}) => bench.ask(body, { principal, ...asked });
const received = () => bench.simulator.requests.map(({ body }) => JSON.parse(String(body)));

describe('a stored file is sent in place of its id', () => {
  test('in a chat, with its name', async () => {
    expect((await ask(chat(pdf.id))).status).toBe(200);
    const file = { filename: 'a b.pdf', file_data: urlOf(pdf) };
    expect(received()).toMatchObject([{ messages: said({ type: 'file', file }) }]);
  });

  test('in a response, that the vendor gets as it is', async () => {
    const body = { ...response(), input: said(parts.response(pdf.id), { type: 'input_image', file_id: png.id }) };
    const { status, headers } = await bench.inApi('responses', body, { principal });
    expect([status, headers['x-tallyport-lane']]).toEqual([200, 'native']);
    expect(received()).toMatchObject([
      {
        input: said(
          { type: 'input_file', filename: 'a b.pdf', file_data: urlOf(pdf) },
          { type: 'input_image', image_url: urlOf(png) },
        ),
      },
    ]);
  });

  test('in a message, that the vendor gets as it is', async () => {
    const body = message(parts.message(pdf.id), parts.message(png.id, 'image'), parts.message(notes.id));
    const { status, headers } = await bench.inApi('messages', body, { principal });
    expect([status, headers['x-tallyport-lane']]).toEqual([200, 'native']);
    const sourceOf = (file: ServedFile) => ({ type: 'base64', media_type: file.mediaType, data: base64Of(file) });
    const text = { type: 'text', media_type: 'text/plain', data: notes.content };
    expect(received()[0].messages).toEqual(
      said(
        { type: 'document', source: sourceOf(pdf) },
        { type: 'image', source: sourceOf(png) },
        { type: 'document', source: text },
      ),
    );
  });

  test('in a conversation, which has it from then on', async () => {
    const items = [{ type: 'message', ...said(parts.response(pdf.id))[0] }];
    const { text } = await bench.conversation('createConversation', { items }, { principal });
    const { status } = await bench.inApi(
      'responses',
      { model: 'gpt', input: 'Where?', conversation: JSON.parse(text).id },
      { principal },
    );
    expect(status).toBe(200);
    expect(JSON.stringify(received())).toContain(urlOf(pdf));
  });

  test('in a stored response, which later ones continue', async () => {
    const first = await bench.inApi('responses', { ...response(pdf.id), store: true }, { principal });
    const { id } = JSON.parse(first.text);
    await bench.inApi('responses', { model: 'gpt', input: 'Where?', previous_response_id: id }, { principal });
    expect(received().map((body) => JSON.stringify(body).includes(urlOf(pdf)))).toEqual([true, true]);
  });

  test('in what is compacted', async () => {
    const { model, input } = response(pdf.id);
    expect((await bench.inApi('compactResponse', { model, input }, { principal })).status).toBe(200);
    expect(JSON.stringify(received())).toContain(urlOf(pdf));
  });

  test("in a content of Google's API", async () => {
    const contents = [{ role: 'user', parts: [{ text: 'Where?' }, { fileData: { fileUri: png.id } }] }];
    const asked = { principal, path: 'gpt:generateContent' };
    expect((await bench.inApi('generateContent', { contents }, asked)).status).toBe(200);
    expect(JSON.stringify(received())).toContain(urlOf(png));
    const counted = { principal, path: 'gpt:countTokens' };
    expect((await bench.inApi('countGeminiTokens', { contents }, counted)).status).toBe(200);
  });

  test('in an interaction', async () => {
    const body = { model: 'gpt', store: false, input: [{ type: 'document', uri: pdf.id }] };
    expect((await bench.inApi('interact', body, { principal })).status).toBe(200);
    expect(JSON.stringify(received())).toContain(urlOf(pdf));
  });

  test('in counts', async () => {
    const counted = await bench.inApi('countTokens', message(parts.message(pdf.id)), { principal });
    expect(counted.status).toBe(200);
    expect(JSON.stringify(received())).toContain(base64Of(pdf));
    expect((await bench.countResponseTokens(response(pdf.id), { principal })).status).toBe(200);
  });
});

describe('a file that the key does not know', () => {
  const apis = {
    complete: { call: (id: string) => ask(chat(pdf.id, id)), path: 'messages[0].content[1].file.file_id' },
    responses: {
      call: (id: string) => bench.inApi('responses', response(id), { principal }),
      path: 'input[0].content[0].file_id',
    },
    messages: {
      call: (id: string) => bench.inApi('messages', message(parts.message(id)), { principal }),
      path: 'messages[0].content[0].source.file_id',
    },
    generateContent: {
      call: (id: string) => {
        const contents = [{ parts: [{ file_data: { file_uri: id } }] }];
        return bench.inApi('generateContent', { contents }, { principal, path: 'gpt:generateContent' });
      },
      path: 'contents[0].parts[0].file_data.file_uri',
    },
    interact: {
      call: (id: string) =>
        bench.inApi('interact', { model: 'gpt', input: [{ type: 'image', uri: id }] }, { principal }),
      path: 'input[0].uri',
    },
    createConversation: {
      call: (id: string) =>
        bench.conversation('createConversation', { items: said(parts.response(id)) }, { principal }),
      path: 'items[0].content[0].file_id',
    },
  };
  const cases = Object.entries(apis).flatMap(([name, { call, path }]) => [
    { name, whose: 'no account', id: idOf(9), call, path },
    { name, whose: 'another account', id: foreign.id, call, path },
  ]);

  test.each(cases)('$name: of $whose is not found, and nothing is sent', async ({ id, call, path }) => {
    const { error } = await call(id);
    expect(error).toMatchObject({
      status: 404,
      code: 'not_found',
      param: path,
      message: `${path}: there is no file ${id}, or it has expired. GET /v1/files lists those of your key.`,
    });
    expect(received()).toEqual([]);
  });

  test('leaves a record, as every refused chat does', async () => {
    await apis.complete.call(idOf(9));
    await expect.poll(() => bench.usage).toMatchObject([{ endReason: 'refused', error: 'not_found', cost: '0' }]);
  });
});

describe('there is a limit', () => {
  test('of the bytes of a body with its files, each as often as it is named', async () => {
    expect((await ask(chat(large.id, large.id))).status).toBe(200);
    const { error } = await ask(chat(large.id, large.id, large.id));
    expect(error).toMatchObject({
      code: 'request_too_large',
      message: 'With its files, the body is larger than 50000 bytes (MAX_BODY_BYTES). Name smaller ones.',
    });
    expect(received()).toHaveLength(1);
  });

  test('of 100 files', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => idOf(1_000 + at));
    expect((await ask(chat(...ids(100)))).status).toBe(200);
    expect((await ask(chat(...ids(101)))).error).toMatchObject({
      code: 'invalid_parameters',
      message: 'A request names at most 100 stored files. Name fewer.',
    });
  });
});

test('of lines of batches, files are read once they have their turn', async () => {
  bench.simulator.faults.set({ provider: 'openai', fault: 'hang', times: 1 });
  const leaving = new AbortController();
  const client = ask({ model: 'gpt', messages: said({ type: 'text', text: 'Hi' }) }, { signal: leaving.signal });
  await bench.simulator.waitFor(() => bench.simulator.requests.length === 1);
  const lines = Array.from({ length: 20 }, (_, at) =>
    ask(chat(counted.id), { batch: { id: 'batch_1', line: at + 1 } }),
  );
  const codes = (await Promise.all(lines)).map(({ error }) => error?.code);
  const refused = codes.filter((code) => code !== undefined);
  expect(new Set(refused)).toEqual(new Set(['overloaded']));
  expect(reads).toBe(lines.length - refused.length);
  leaving.abort();
  await client;
});

test('guardrails inspect the text of a file', async () => {
  const guarded = { ...principal, guardrails: [{ request: { detect: { email: 'redact' as const } } }] };
  await bench.inApi('messages', message(parts.message(notes.id)), { principal: guarded });
  await ask(chat(notes.id), { principal: guarded });
  const [asMessage, asChat] = received();
  expect(asMessage.messages[0].content[0].source.data).toBe('Ask [email]');
  const { file_data: url } = asChat.messages[0].content[0].file;
  expect(Buffer.from(url.split(',')[1], 'base64').toString()).toBe('Ask [email]');
});

test('the content log has type and size of a file', async () => {
  await ask(chat(pdf.id), { principal: { ...principal, contentLog: { maxBytes: 4_096 } } });
  await expect.poll(() => JSON.stringify(bench.contents)).toContain('application/pdf');
  expect(JSON.stringify(bench.contents)).not.toContain(base64Of(pdf));
});

test('a repeat with the same Idempotency-Key gets the same answer, and one with another file is refused', async () => {
  const headers = { 'idempotency-key': 'once' };
  const first = await ask(chat(pdf.id), { headers });
  const again = await ask(chat(pdf.id), { headers });
  expect([again.text, again.headers['x-tallyport-idempotency'], received().length]).toEqual([
    first.text,
    'replayed',
    1,
  ]);
  expect((await ask(chat(large.id), { headers })).error).toMatchObject({ code: 'idempotency_conflict' });
});

test('without batch-svc, only requests that name a file are refused', async () => {
  const alone = await startChatBench(options);
  try {
    expect((await alone.ask(chat(pdf.id), { principal })).error).toMatchObject({ code: 'unavailable' });
    const plain = { model: 'gpt', messages: [{ role: 'user', content: 'Hi' }], metadata: { file_id: pdf.id } };
    expect((await alone.ask(plain, { principal })).status).toBe(200);
  } finally {
    await alone.close();
  }
});
