import { type Client, createClient, inProcessLink } from '@switchyard/bus';
import { GatewayError, type Principal, catalogService } from '@switchyard/contracts';
import { type Part, createKit, createMetrics, readConfig, silentLog } from '@switchyard/service-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyStems } from './config.ts';
import { readFilters } from './list/filters.ts';
import { createModelLists } from './list/model-list.ts';
import { catalogConfig, catalogModule } from './module.ts';

const link = inProcessLink();
let part: Part;
let client: Client<(typeof catalogService)['operations']>;

beforeAll(async () => {
  const config = readConfig(catalogConfig, { environment: { SANDBOX: 'on', SWITCHYARD_CONFIG: '' } });
  const metrics = createMetrics({ defaults: false });
  part = catalogModule(createKit({ name: 'catalog-svc', config, log: silentLog(), metrics }), { link });
  await part.start?.();
  client = createClient(link, catalogService);
});
afterAll(async () => {
  await part.stop?.(100);
  await link.close();
});

interface Asked {
  query?: string;
  principal?: Principal;
  headers?: Record<string, string>;
}

async function list({ query, principal, headers = {} }: Asked = {}) {
  const head = { requestId: 'r', timeoutMs: 2_000, headers, ...(query && { query }), ...(principal && { principal }) };
  const response = await client.listModels({ head, body: new Uint8Array(0) });
  return { ...response.head, text: Buffer.from(await response.body.bytes()).toString() };
}

const idsIn = (text: string): string[] => JSON.parse(text).data.map(({ id }: { id: string }) => id);

test('a record has the whole shape, and nothing is null', async () => {
  const { status, headers, text } = await list({ query: 'include_deactivated=true' });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
    etag: expect.stringMatching(/^"[\w-]+"$/),
  });
  const body = JSON.parse(text);
  expect(body.object).toBe('list');
  expect(body.data.find(({ id }: { id: string }) => id === 'gpt-4o-mini')).toEqual({
    id: 'gpt-4o-mini',
    object: 'model',
    owned_by: 'openai',
    name: expect.any(String),
    aliases: [],
    created: 1_721_260_800,
    description: expect.any(String),
    family: 'openai',
    architecture: {
      input_modalities: ['text', 'image', 'file'],
      output_modalities: ['text'],
      tokenizer: 'GPT',
    },
    top_provider: { is_moderated: false },
    providers: [
      {
        providerId: 'openai',
        modelName: 'gpt-4o-mini',
        pricing: { prompt: '0.00000015', completion: '0.0000006' },
        streaming: true,
        vision: true,
        cancellation: true,
        tools: true,
        parallelToolCalls: true,
        reasoning: false,
        stability: 'deprecated',
      },
      expect.objectContaining({ providerId: 'azure' }),
      expect.objectContaining({ providerId: 'openrouter', modelName: 'openai/gpt-4o-mini' }),
    ],
    pricing: { prompt: '0.00000015', completion: '0.0000006', input_cache_read: '0.000000075' },
    context_length: 128_000,
    per_request_limits: { prompt_tokens: '128000', completion_tokens: '16384' },
    supported_parameters: expect.arrayContaining(['temperature', 'tools']),
    json_output: true,
    structured_outputs: true,
    free: false,
    deprecated_at: '2026-10-14T00:00:00Z',
    deactivated_at: '2027-01-14T00:00:00Z',
    stability: 'deprecated',
  });
  expect(text).not.toContain('null');
});

test.each([
  ['', false, true],
  ['include_deactivated=true', true, true],
  ['include_deactivated=1', true, true],
  ['include_deactivated=0&exclude_deprecated=', false, true],
  ['exclude_deprecated=TRUE', false, false],
  ['include_deactivated=true&exclude_deprecated=1', true, false],
  ['unknown=x', false, true],
])('flags: %s', async (query, deactivated, deprecated) => {
  // Where time stands still: what is deprecated or gone depends on the day.
  const lists = createModelLists(await client.snapshot({}), () => Date.parse('2026-11-20T00:00:00Z'));
  const ids = idsIn(lists.list(readFilters(query), undefined).body.toString());
  expect(ids.includes('gpt-4.1-nano')).toBe(deactivated);
  expect(ids.includes('gpt-4o')).toBe(deprecated);
});

test.each(['include_deactivated=yes', 'exclude_deprecated=2', 'include_deactivated=true&include_deactivated=false'])(
  '%s is refused',
  async (query) => {
    const error = await list({ query }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code: 'invalid_parameters', status: 400, param: query.split('=')[0] });
  },
);

test('a date passes and the list follows', async () => {
  let now = Date.parse('2026-11-20T00:00:00Z');
  const lists = createModelLists(await client.snapshot({}), () => now);
  const filters = { includeDeactivated: false, excludeDeprecated: false };
  const before = lists.list(filters, undefined);
  expect(lists.list(filters, undefined)).toBe(before);
  now = Date.parse('2026-12-12T00:00:00Z');
  const after = lists.list(filters, undefined);
  expect(idsIn(before.body.toString())).toContain('o3');
  expect(idsIn(after.body.toString())).not.toContain('o3');
  expect(after.etag).not.toBe(before.etag);
});

test('unchanged since the last time: 304 without a body', async () => {
  const { headers } = await list();
  const etag = headers['etag'] ?? '';
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await list({ headers: { 'if-none-match': tag } });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
  }
  expect((await list({ headers: { 'if-none-match': '"other"' } })).status).toBe(200);
});

async function get(path: string, { principal, headers = {} }: Asked = {}) {
  const head = { requestId: 'r', timeoutMs: 2_000, headers, path, ...(principal && { principal }) };
  const response = await client.getModel({ head, body: new Uint8Array(0) });
  return { ...response.head, text: Buffer.from(await response.body.bytes()).toString() };
}

test.each([
  ['gpt-5.5', 'gpt-5.5'],
  ['gpt-5.6', 'gpt-5.6-sol'],
  ['openai/gpt-5.5', 'gpt-5.5'],
  ['openrouter/openai/gpt-5.5', 'gpt-5.5'],
  ['claude-3-7-sonnet', 'claude-3-7-sonnet'],
])('one record: %s', async (asked, id) => {
  const { data } = JSON.parse((await list({ query: 'include_deactivated=1' })).text);
  const { status, text, headers } = await get(asked);
  expect([status, JSON.parse(text)]).toEqual([200, data.find((record: { id: string }) => record.id === id)]);
  const again = await get(asked, { headers: { 'if-none-match': headers['etag'] ?? '' } });
  expect([again.status, again.text]).toEqual([304, '']);
});

test.each<[string, string, Partial<Principal>]>([
  ['gpt-5.55', "There is no model 'gpt-5.55'. Did you mean gpt-5.5", {}],
  ['nobody/gpt-5.5', "There is no model 'nobody/gpt-5.5'.", {}],
  ['gpt-5.5', "There is no model 'gpt-5.5' for this API key.", { allowedModels: ['gpt-5'] }],
])('no record: %s', async (asked, message, limits) => {
  const error = await get(asked, { principal: { accountId: 'a', keyId: 'k', ...limits } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'model_not_found', status: 404, param: 'model' });
  expect(error).toHaveProperty('message', expect.stringContaining(message));
});

test.each<[string, Partial<Principal>, string[]]>([
  ['to a model', { allowedModels: ['gpt-4o-mini'] }, ['gpt-4o-mini']],
  ['to a prefixed model', { allowedModels: ['openai/gpt-4o-mini'] }, ['gpt-4o-mini']],
  ['to nothing there is', { allowedProviders: ['nobody'] }, []],
  ['to a provider', { allowedProviders: ['deepseek'] }, ['deepseek-v4-flash', 'deepseek-v4-pro']],
])('a key limited %s sees only that', async (_name, limits, expected) => {
  const { text } = await list({ query: 'include_deactivated=1', principal: { accountId: 'a', keyId: 'k', ...limits } });
  expect(idsIn(text)).toEqual(expected);
});

test.each([
  ['auto', {}, true],
  ['auto', { [`${keyStems[0]}_API_KEY`]: 'a-key' }, false],
  ['on', { [`${keyStems[0]}_API_KEY`]: 'a-key' }, true],
  ['off', {}, false],
])('the sandbox is listed when it is on: %s %o', async (mode, keys, listed) => {
  const own = inProcessLink();
  const config = readConfig(catalogConfig, { environment: { SANDBOX: mode, ...keys } });
  const metrics = createMetrics({ defaults: false });
  const module = catalogModule(createKit({ name: 'catalog-svc', config, log: silentLog(), metrics }), { link: own });
  await module.start?.();
  const { models } = await createClient(own, catalogService).snapshot({});
  expect(models.some(({ family }) => family === 'sandbox')).toBe(listed);
  await module.stop?.(100);
  await own.close();
});
