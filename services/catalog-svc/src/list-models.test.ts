import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Client, createClient, inProcessLink, serve } from '@tallyport/bus';
import {
  authService,
  catalogService,
  GatewayError,
  ownModalityOf,
  type Principal,
  type ProviderKey,
  service,
} from '@tallyport/contracts';
import { type Part, createKit, createMetrics, readConfig, silentLog } from '@tallyport/service-kit';
import { openProviderTargets, type ProviderTargets } from '@tallyport/serving/upstreams';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { keyStems } from './config.ts';
import { openAiForm } from './forms/openai-form.ts';
import { readFilters } from './list/filters.ts';
import { createModelLists } from './list/model-list.ts';
import { catalogConfig, catalogModule } from './module.ts';

/** Every vendor that needs a key has one. */
const allKeys = Object.fromEntries(keyStems.map((stem) => [`${stem}_API_KEY`, 'a-key']));
const link = inProcessLink();
let targets: ProviderTargets;
let part: Part;
let client: Client<(typeof catalogService)['operations']>;

beforeAll(async () => {
  const config = readConfig(catalogConfig, { environment: { SANDBOX: 'on', TALLYPORT_CONFIG: '', ...allKeys } });
  targets = openProviderTargets(config);
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

test('a record has all members, and none is null', async () => {
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
    available: true,
    providers: [
      {
        providerId: 'openai',
        modelName: 'gpt-4o-mini',
        pricing: { prompt: '0.00000015', completion: '0.0000006', image: '0' },
        price_since: '2026-11-26',
        streaming: true,
        vision: true,
        cancellation: true,
        tools: true,
        parallelToolCalls: true,
        reasoning: false,
        stability: 'deprecated',
        available: true,
      },
      expect.objectContaining({ providerId: 'azure' }),
      expect.objectContaining({ providerId: 'openrouter', modelName: 'openai/gpt-4o-mini' }),
    ],
    pricing: {
      prompt: '0.00000015',
      completion: '0.0000006',
      image: '0',
      request: '0',
      input_cache_read: '0.000000075',
      input_cache_write: '0',
      web_search: '0.01',
      internal_reasoning: '0',
    },
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

test('the record of an image model lists the sizes it makes', async () => {
  const { data } = JSON.parse((await list({ query: 'include_deactivated=true' })).text);
  const sizesOf = (wanted: string) => data.find(({ id }: { id: string }) => id === wanted).image_sizes;
  expect([sizesOf('qwen-image-plus'), sizesOf('gpt-4o-mini')]).toEqual([
    { kind: 'fixed', sizes: ['1328x1328', '1664x928', '1472x1104', '1104x1472', '928x1664'] },
    undefined,
  ]);
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
  // With a fixed clock, because deprecation depends on the date.
  const lists = createModelLists(await client.snapshot({}), {
    targets,
    unknownModels: 'refuse',
    now: () => Date.parse('2026-11-20T00:00:00Z'),
  });
  const ids = idsIn(lists.list({ filters: readFilters(query), form: openAiForm, page: {} }, {}).body.toString());
  expect(ids.includes('gpt-4.1-nano')).toBe(deactivated);
  expect(ids.includes('gpt-4o')).toBe(deprecated);
});

test('exclude_deprecated leaves out exactly the models whose record says that they are deprecated', async () => {
  const recordsOf = async (query: string): Promise<{ stability: string; deprecated_at?: string }[]> =>
    JSON.parse((await list({ query })).text).data;
  for (const more of ['', 'include_deactivated=true&', 'include_unavailable=true&']) {
    const all = await recordsOf(more);
    const expected = all.filter((record) => record.stability !== 'deprecated' && !isOld(record));
    expect(expected.length).toBeLessThan(all.length);
    expect(await recordsOf(`${more}exclude_deprecated=true`)).toEqual(expected);
  }
});

/** A withdrawn model that was deprecated before. */
const isOld = ({ deprecated_at: date }: { deprecated_at?: string }) =>
  date !== undefined && Date.parse(date) <= Date.now();

test.each(['include_deactivated=yes', 'exclude_deprecated=2', 'include_deactivated=true&include_deactivated=false'])(
  '%s is refused',
  async (query) => {
    const error = await list({ query }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code: 'invalid_parameters', status: 400, param: query.split('=')[0] });
  },
);

test('the list changes when a date passes', async () => {
  let now = Date.parse('2026-11-20T00:00:00Z');
  const lists = createModelLists(await client.snapshot({}), { targets, unknownModels: 'refuse', now: () => now });
  const filters = { includeDeactivated: false, excludeDeprecated: false, includeUnavailable: false };
  const before = lists.list({ filters, form: openAiForm, page: {} }, {});
  expect(lists.list({ filters, form: openAiForm, page: {} }, {})).toBe(before);
  now = Date.parse('2026-12-12T00:00:00Z');
  const after = lists.list({ filters, form: openAiForm, page: {} }, {});
  expect(idsIn(before.body.toString())).toContain('o3');
  expect(idsIn(after.body.toString())).not.toContain('o3');
  expect(after.etag).not.toBe(before.etag);
});

test('the snapshot has no models if the caller has that version', async () => {
  const whole = await client.snapshot({});
  expect(whole.models.length).toBeGreaterThan(0);
  const { version, next } = whole;
  expect(await client.snapshot({ known: version })).toEqual({ version, models: [], next });
  expect(await client.snapshot({ known: 'another' })).toEqual(whole);
});

test('returns 304 without a body if unchanged', async () => {
  const { headers } = await list();
  const etag = headers['etag'] ?? '';
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await list({ headers: { 'if-none-match': tag } });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
  }
  expect((await list({ headers: { 'if-none-match': '"other"' } })).status).toBe(200);
});

test.each<[string, string | undefined]>([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['deflate', undefined],
])(
  'for clients that accept %s the list is in %s, and is known by its etag in every encoding',
  async (accepted, encoding) => {
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
    const ask = async (more: object = {}) => {
      const head = { requestId: 'r', timeoutMs: 2_000, headers: { 'accept-encoding': accepted, ...more } };
      const { head: answer, body } = await client.listModels({ head, body: new Uint8Array(0) });
      return { ...answer, bytes: await body.bytes() };
    };
    const plain = await list();
    const { headers, bytes } = await ask();
    expect([headers['content-encoding'], headers['vary']]).toEqual([
      encoding,
      'authorization, x-api-key, x-goog-api-key, api-key, anthropic-version, x-goog-api-client, accept-encoding',
    ]);
    const decode =
      encoding === 'br' || encoding === 'gzip' ? decoders[encoding] : (same: Uint8Array) => Buffer.from(same);
    expect(decode(bytes).toString()).toBe(plain.text);
    expect(bytes.length).toBeLessThanOrEqual(plain.text.length / (encoding === undefined ? 1 : 4));
    const again = await ask({ 'if-none-match': headers['etag'] });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  },
);

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
])('one record: %s', async (name, id) => {
  const { data } = JSON.parse((await list({ query: 'include_deactivated=1' })).text);
  const { status, text, headers } = await get(name);
  expect([status, JSON.parse(text)]).toEqual([200, data.find((record: { id: string }) => record.id === id)]);
  const again = await get(name, { headers: { 'if-none-match': headers['etag'] ?? '' } });
  expect([again.status, again.text]).toEqual([304, '']);
});

test.each<[string, string, Partial<Principal>]>([
  ['gpt-5.55', "There is no model 'gpt-5.55'. Did you mean gpt-5.5", {}],
  ['nobody/gpt-5.5', "There is no model 'nobody/gpt-5.5'.", {}],
  ['gpt-5.5', "There is no model 'gpt-5.5' for this API key.", { allowedModels: ['gpt-5'] }],
])('no record: %s', async (name, message, limits) => {
  const error = await get(name, { principal: { accountId: 'a', keyId: 'k', ...limits } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'model_not_found', status: 404, param: 'model' });
  expect(error).toHaveProperty('message', expect.stringContaining(message));
});

test.each<[string, Partial<Principal>, string[]]>([
  ['to a model', { allowedModels: ['gpt-4o-mini'] }, ['gpt-4o-mini']],
  ['to a prefixed model', { allowedModels: ['openai/gpt-4o-mini'] }, ['gpt-4o-mini']],
  ['to nothing there is', { allowedProviders: ['nobody'] }, []],
  [
    'to a provider',
    { allowedProviders: ['deepseek'] },
    ['deepseek-v4-flash', 'deepseek-v4-pro', 'deepseek-v4.1-flash'],
  ],
])('a key limited %s gets only that', async (_name, limits, expected) => {
  const { text } = await list({ query: 'include_deactivated=1', principal: { accountId: 'a', keyId: 'k', ...limits } });
  expect(idsIn(text)).toEqual(expected);
});

test.each([
  ['auto', {}, true],
  ['auto', { [`${keyStems[0]}_API_KEY`]: 'a-key' }, false],
  ['on', { [`${keyStems[0]}_API_KEY`]: 'a-key' }, true],
  ['off', {}, false],
])('the sandbox is listed while it is on: %s %o', async (mode, keys, listed) => {
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

describe('callable models', () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  /** catalog-svc with these settings, and an auth-svc that only returns the account's own keys. */
  async function openWith(environment: Record<string, string>, ownKeys: readonly ProviderKey[] = []) {
    const own = inProcessLink();
    const config = readConfig(catalogConfig, { environment: { SANDBOX: 'off', ...environment } });
    const kit = createKit({
      name: 'catalog-svc',
      config,
      log: silentLog(),
      metrics: createMetrics({ defaults: false }),
    });
    const { providerKeys } = authService.operations;
    const contract = service(authService.name, { providerKeys });
    const auth = await serve(own, contract, { providerKeys: async () => ({ keys: [...ownKeys] }) });
    const module = catalogModule(kit, { link: own });
    await module.start?.();
    closers.push(
      () => own.close(),
      () => auth.drain(100),
      async () => module.stop?.(100),
    );
    const calls = createClient(own, catalogService);
    const head = (more: object) => ({ requestId: 'r', timeoutMs: 2_000, headers: {}, ...more });
    return {
      async list(query: string, principal?: Principal) {
        const name = head({ query, ...(principal && { principal }) });
        const { body } = await calls.listModels({ head: name, body: new Uint8Array(0) });
        const { data } = JSON.parse(Buffer.from(await body.bytes()).toString());
        return data as ListedModel[];
      },
      async get(path: string) {
        const { body } = await calls.getModel({ head: head({ path }), body: new Uint8Array(0) });
        return JSON.parse(Buffer.from(await body.bytes()).toString()) as ListedModel;
      },
    };
  }

  const providersIn = (models: readonly ListedModel[]) =>
    new Set(models.flatMap(({ providers }) => providers.flatMap((each) => (each.available ? [each.providerId] : []))));

  test('are the only ones listed, for chats and images, and each offer says whether it can be called', async () => {
    const { list, get } = await openWith({ DEEPSEEK_API_KEY: 'k', ARK_API_KEY: 'k' });
    const listed = await list('');
    expect(listed.length).toBeGreaterThan(2);
    expect(listed.filter(({ available }) => !available)).toEqual([]);
    expect(providersIn(listed)).toEqual(new Set(['deepseek', 'bytedance']));
    expect(listed.find(({ id }) => id === 'seedream-4-5')).toMatchObject({ available: true, context_length: 4_000 });
    const entries = (await get('deepseek-v4-pro')).providers;
    expect(entries.find(({ providerId }) => providerId === 'deepseek')).toMatchObject({ available: true });
    expect(entries.find(({ providerId }) => providerId === 'novita')).toMatchObject({
      available: false,
      unavailable_reason: 'set NOVITA_API_KEY to use novita',
    });
  });

  test('are none without keys; on request all models are listed, with what is missing', async () => {
    const { list, get } = await openWith({});
    expect(await list('')).toEqual([]);
    const all = await list('include_unavailable=true');
    expect(all.length).toBeGreaterThan(400);
    expect(all.filter(({ available }) => available)).toEqual([]);
    expect(all.filter(({ created }) => created <= 0)).toEqual([]);
    const chatsAndImages = all.filter(
      ({ architecture }) => ownModalityOf(architecture.output_modalities) === undefined,
    );
    expect(chatsAndImages.filter((model) => !Number.isInteger(model.context_length))).toEqual([]);
    expect(await get('seedream-4-5')).toMatchObject({
      available: false,
      unavailable_reason: 'set ARK_API_KEY to use bytedance',
    });
  });

  test('depend on further settings of a provider, and on addresses', async () => {
    const { list } = await openWith({ AZURE_API_KEY: 'k', OLLAMA_BASE_URL: 'http://127.0.0.1:9/v1' });
    expect(providersIn(await list(''))).toEqual(new Set(['ollama']));
    const regional = await openWith({ AWS_BEARER_TOKEN_BEDROCK: 'k', AWS_REGION: 'us-east-1' });
    expect(providersIn(await regional.list(''))).toEqual(new Set(['aws-bedrock']));
  });

  test('include withdrawn ones if their provider could be called', async () => {
    const { list } = await openWith({ OPENAI_API_KEY: 'k' });
    const gone = (await list('include_deactivated=true')).find(({ id }) => id === 'gpt-4.1-nano');
    expect(gone).toMatchObject({ available: false });
    expect(gone?.unavailable_reason).toContain('not offered since 2026-10-23T00:00:00Z');
  });

  test('differ for an account with its own keys', async () => {
    const key = { id: 'one', provider: 'deepseek', key: 'own' };
    const { list } = await openWith({ ARK_API_KEY: 'k' }, [key]);
    const account = { accountId: 'a', keyId: 'k' };
    const reached = async (mode: Principal['providerKeys']) =>
      providersIn(await list('', { ...account, ...(mode && { providerKeys: mode }) }));
    expect(await reached(undefined)).toEqual(new Set(['bytedance']));
    expect(await reached('own_first')).toEqual(new Set(['deepseek', 'bytedance']));
    expect(await reached('own_only')).toEqual(new Set(['deepseek']));
  });

  test('an error for a key restricted to one provider says that it may not use the others', async () => {
    const { list } = await openWith({ DEEPSEEK_API_KEY: 'k', NOVITA_API_KEY: 'k' });
    const limited = { accountId: 'a', keyId: 'k', allowedProviders: ['deepseek'] };
    expect(providersIn(await list('', limited))).toEqual(new Set(['deepseek']));
    const [model] = await list('', limited);
    expect(model?.providers.filter(({ available }) => !available)[0]).toMatchObject({
      unavailable_reason: 'this key may not use it',
    });
  });
});

interface ListedModel {
  id: string;
  created: number;
  available: boolean;
  unavailable_reason?: string;
  architecture: { output_modalities: string[] };
  context_length?: number;
  providers: { providerId: string; available: boolean; unavailable_reason?: string }[];
}
