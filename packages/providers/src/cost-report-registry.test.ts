import { parseExactJson } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { billedClassOf, costReports } from './cost-report-registry.ts';

const period = { from: '2026-11-01', to: '2026-11-02' };
const reportOf = (id: string) => costReports.get(id) ?? expect.fail(`no report of ${id}`);
const questionsOf = (id: string) => reportOf(id).questions(period);
const read = (id: string, index: number, text: string) => questionsOf(id)[index]?.read(parseExactJson(text));

test('asks for whole UTC days', () => {
  expect(questionsOf('openai').map(({ path }) => decodeURIComponent(path))).toEqual([
    '/organization/costs?start_time=1793491200&end_time=1793664000&bucket_width=1d&limit=180&group_by[]=line_item&group_by[]=api_key_id',
    '/organization/usage/completions?start_time=1793491200&end_time=1793664000&bucket_width=1d&limit=31&group_by[]=model&group_by[]=api_key_id&group_by[]=service_tier',
    ...['embeddings', 'images', 'audio_speeches', 'audio_transcriptions'].map(
      (kind) =>
        `/organization/usage/${kind}?start_time=1793491200&end_time=1793664000&bucket_width=1d&limit=31&group_by[]=model&group_by[]=api_key_id`,
    ),
  ]);
  expect(questionsOf('anthropic').map(({ path }) => decodeURIComponent(path))).toEqual([
    '/organizations/cost_report?starting_at=2026-11-01T00:00:00Z&ending_at=2026-11-03T00:00:00Z&bucket_width=1d&limit=31&group_by[]=description',
    '/organizations/usage_report/messages?starting_at=2026-11-01T00:00:00Z&ending_at=2026-11-03T00:00:00Z&bucket_width=1d&limit=31&group_by[]=api_key_id&group_by[]=model&group_by[]=service_tier',
  ]);
  expect(questionsOf('openrouter').map(({ path }) => path)).toEqual([
    '/activity?date=2026-11-01',
    '/activity?date=2026-11-02',
  ]);
});

test('sends the admin key as each vendor wants it', () => {
  expect(reportOf('openai').headers('k')).toEqual({ authorization: 'Bearer k' });
  expect(reportOf('anthropic').headers('k')).toEqual({ 'x-api-key': 'k', 'anthropic-version': '2023-06-01' });
  expect(reportOf('openrouter').headers('k')).toEqual({ authorization: 'Bearer k' });
});

test('reads the costs of OpenAI with every digit', () => {
  const result = (members: string) => `{"object":"organization.costs.result",${members}}`;
  const results = [
    result(
      '"amount":{"value":0.12345678901234567,"currency":"usd"},"line_item":"gpt-6-astra, cached_input_tokens","api_key_id":"key_a","quantity":1500,"quantity_unit":"tokens"',
    ),
    result(
      '"amount":{"value":1e-7,"currency":"usd"},"line_item":"gpt-6-astra, output","quantity":2,"quantity_unit":"1000_tokens"',
    ),
    result('"amount":{"value":-5,"currency":"usd"},"line_item":"credit","project_id":null,"quantity":null'),
  ];
  const answer = `{"object":"page","data":[{"object":"bucket","start_time":1793491200,"end_time":1793577600,"results":[${results.join()}]}],"has_more":true,"next_page":"page_2"}`;
  const page = read('openai', 0, answer);
  expect(page?.lines).toEqual([
    {
      day: '2026-11-01',
      model: 'gpt-6-astra',
      billedClass: 'cacheRead',
      keyId: 'key_a',
      amount: '0.12345678901234567',
      quantity: 1500,
    },
    { day: '2026-11-01', model: 'gpt-6-astra', billedClass: 'output', amount: '1e-7', quantity: 2000 },
    { day: '2026-11-01', billedClass: 'credit', amount: '-5' },
  ]);
  expect(page?.next).toMatch(/^\/organization\/costs\?start_time=1793491200&.*&page=page_2$/);
});

test('reads the usage of OpenAI', () => {
  const result = { num_model_requests: 5, model: 'gpt-6-astra', api_key_id: 'key_a', service_tier: 'priority' };
  const answer = { data: [{ start_time: 1793577600, results: [result] }], has_more: false, next_page: null };
  expect(read('openai', 1, JSON.stringify(answer))).toEqual({
    lines: [],
    uses: [{ day: '2026-11-02', model: 'gpt-6-astra', keyId: 'key_a', tier: 'priority', requests: 5, counts: {} }],
  });
});

test('reads the costs of Anthropic, which are in cents, and its usage', () => {
  const cost = {
    amount: '123.456789012345',
    currency: 'USD',
    cost_type: 'tokens',
    description: 'Claude Sonnet 5 Usage - Input Tokens, Cache Write',
    model: 'claude-sonnet-5',
    token_type: 'cache_creation.ephemeral_1h_input_tokens',
    service_tier: 'standard',
  };
  const search = { amount: '10', currency: 'USD', cost_type: 'web_search', model: null, token_type: null };
  const bucket = (results: object[]) =>
    JSON.stringify({ data: [{ starting_at: '2026-11-01T00:00:00Z', results }], has_more: false, next_page: null });
  expect(read('anthropic', 0, bucket([cost, search]))?.lines).toEqual([
    {
      day: '2026-11-01',
      model: 'claude-sonnet-5',
      billedClass: 'cacheWrite1h',
      tier: 'standard',
      amount: '123.456789012345e-2',
    },
    { day: '2026-11-01', billedClass: 'webSearches', amount: '10e-2' },
  ]);
  const usage = {
    uncached_input_tokens: 1,
    cache_read_input_tokens: 2,
    cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 },
    output_tokens: 5,
    server_tool_use: { web_search_requests: 6 },
    model: 'claude-sonnet-5',
    api_key_id: 'apikey_a',
    service_tier: 'standard',
  };
  expect(read('anthropic', 1, bucket([usage]))?.uses).toEqual([
    {
      day: '2026-11-01',
      model: 'claude-sonnet-5',
      keyId: 'apikey_a',
      tier: 'standard',
      counts: { input: 1, cacheRead: 2, cacheWrite: 3, cacheWrite1h: 4, output: 5, webSearches: 6 },
    },
  ]);
});

test('reads the activity of OpenRouter', () => {
  const item = { date: '2026-11-01', model: 'openai/gpt-4.1', usage: 0.015, requests: 5, prompt_tokens: 50 };
  expect(read('openrouter', 0, JSON.stringify({ data: [item] }))).toEqual({
    lines: [{ day: '2026-11-01', model: 'openai/gpt-4.1', billedClass: 'all', amount: '0.015' }],
    uses: [{ day: '2026-11-01', model: 'openai/gpt-4.1', requests: 5, counts: {} }],
  });
});

const openAiCost = (result: object, start: unknown = 1793491200) =>
  JSON.stringify({ data: [{ start_time: start, results: [result] }] });

test.for([
  ['openai', '[]', 'The report of OpenAI cannot be read: it has no list `data`.'],
  ['openai', 'null', 'The report of OpenAI cannot be read: it has no list `data`.'],
  ['openai', '{"data":[{"start_time":1}]}', 'The report of OpenAI cannot be read: it has no list `results`.'],
  ['openai', openAiCost({}), 'The report of OpenAI cannot be read: it has a cost without an amount.'],
  ['openai', openAiCost({}, 9e99), 'The report of OpenAI cannot be read: it has an amount without a day.'],
  ['openai', openAiCost({ amount: { value: 'Infinity', currency: 'usd' } }), 'it has a cost without an amount.'],
  ['openai', openAiCost({ amount: { value: 1, currency: 'eur' } }), 'it has an amount that is not in USD.'],
  ['anthropic', '{"data":[{"results":[]}]}', 'The report of Anthropic cannot be read: it has an amount without a day.'],
  ['openrouter', '{"data":[{"date":"2026-11-01"}]}', 'The report of OpenRouter cannot be read'],
] as const)('refuses an answer of %s that is no report: %s', ([id, answer, problem]) => {
  expect(() => read(id, 0, answer)).toThrow(problem);
});

test.for([
  ['gpt-6-astra input_tokens', 'input'],
  ['cached input', 'cacheRead'],
  ['input_cached_tokens', 'cacheRead'],
  ['cache_read_input_tokens', 'cacheRead'],
  ['uncached_input_tokens', 'input'],
  ['cache_write_tokens', 'cacheWrite'],
  ['cache_creation.ephemeral_5m_input_tokens', 'cacheWrite'],
  ['input_cache_write_12h_tokens', 'cacheWrite12h'],
  ['audio output', 'audioOut'],
  ['USE1-MistralLarge-input-tokens', 'input'],
  ['web_search', 'webSearches'],
  ['Code Execution Usage', 'codeSessions'],
  ['compaction_output', 'compactionOut'],
  ['something new', 'something new'],
] as const)('reads the class "%s" as %s', ([text, expected]) => {
  expect(billedClassOf(text)).toBe(expected);
});
