import { checkRoute } from '@tallyport/routes';
import { expect, test } from 'vitest';
import { readKnownModels } from '../known-models.ts';
import { conditionOf } from './condition.ts';
import { importPortkey } from './portkey.ts';

const known = await readKnownModels();

function imported(config: unknown) {
  const draft = importPortkey(config, { known, name: 'support' });
  return {
    routes: Object.fromEntries(draft.routes),
    keys: [...draft.providerKeys.values()].map(({ provider, key }) => `${provider} ${key.fromEnv}`),
    left: draft.left.all.map(({ path }) => path.join('.')),
    draft,
  };
}

const target = (provider: string, model: string, more = {}) => ({
  provider,
  api_key: `sk-of-${provider}`,
  override_params: { model },
  ...more,
});
const mini = target('openai', 'gpt-5.4-mini');
const haiku = target('anthropic', 'claude-haiku-4-5');
const flash = target('google', 'gemini-3.5-flash');

test('a single target is a route with one model', () => {
  expect(imported(mini)).toMatchObject({
    routes: { support: { targets: [{ model: 'openai/gpt-5.4-mini' }] } },
    keys: ['openai OPENAI_API_KEY'],
    left: ['api_key'],
  });
});

test('weights of nested targets multiply, and what comes later stands in', () => {
  const { routes } = imported({
    strategy: { mode: 'loadbalance' },
    targets: [
      {
        weight: 3,
        strategy: { mode: 'loadbalance' },
        targets: [
          { ...mini, weight: 1 },
          { ...haiku, weight: 2 },
        ],
      },
      { weight: 1, strategy: { mode: 'fallback' }, targets: [mini, flash] },
    ],
  });
  expect(routes).toEqual({
    support: {
      targets: [
        { model: 'openai/gpt-5.4-mini', weight: 2 },
        { model: 'anthropic/claude-haiku-4-5', weight: 2 },
      ],
      then: ['google/gemini-3.5-flash'],
    },
  });
});

test('fallback is a list of stand-ins, in either notation of names', () => {
  const { routes, left, draft } = imported({
    strategy: { mode: 'fallback', onStatusCodes: [429] },
    cache: { mode: 'semantic', maxAge: 600 },
    retry: { attempts: 3 },
    surprise: 1,
    targets: [
      { provider: 'openai', virtualKey: 'openai-prod', overrideParams: { model: 'gpt-5.4-mini', temperature: 1 } },
      { provider: '@anthropic-team', override_params: { model: 'claude-haiku-4-5' } },
      { override_params: { model: '@google-one/gemini-3.5-flash' } },
    ],
  });
  expect(routes).toEqual({
    support: {
      targets: [{ model: 'openai/gpt-5.4-mini' }],
      then: ['anthropic/claude-haiku-4-5', 'google/gemini-3.5-flash'],
    },
  });
  expect([...draft.providerKeys.keys()]).toEqual(['OPENAI_PROD_KEY', 'ANTHROPIC_TEAM_KEY', 'GOOGLE_ONE_KEY']);
  expect(draft.settings).toEqual({ cacheTtlSeconds: 600 });
  expect(left).toEqual([
    'cache.mode',
    'targets.0.override_params.temperature',
    'targets.0',
    'targets.1',
    'targets.2',
    'strategy.on_status_codes',
    'retry',
    'surprise',
  ]);
});

test('conditions are those of the route, except on the model, which names a route', () => {
  const { routes, left } = imported({
    strategy: {
      mode: 'conditional',
      conditions: [
        { query: { 'metadata.plan': { $eq: 'paid' } }, then: 'mini' },
        { query: { 'params.model': { $eq: 'fastest' } }, then: 'flash' },
        { query: { 'params.temperature': { $gt: 0.7 } }, then: 'mini' },
        { query: { 'metadata.plan': 'x' }, then: 'nowhere' },
      ],
      default: 'haiku',
    },
    targets: [
      { name: 'mini', ...mini },
      { name: 'haiku', ...haiku },
      { name: 'flash', strategy: { mode: 'fallback' }, targets: [flash, mini] },
    ],
  });
  expect(routes).toEqual({
    fastest: { targets: [{ model: 'google/gemini-3.5-flash' }], then: ['openai/gpt-5.4-mini'] },
    support: {
      targets: [{ model: 'anthropic/claude-haiku-4-5' }],
      when: [
        {
          if: '"x-route-plan" in request.headers && request.headers["x-route-plan"] == "paid"',
          use: ['openai/gpt-5.4-mini'],
        },
      ],
    },
  });
  expect(left.filter((place) => place.startsWith('strategy'))).toEqual([
    'strategy.conditions.0',
    'strategy.conditions.2.query',
    'strategy.conditions.3',
  ]);
});

test('conditions beyond those of a route, and those without a target, are reported', () => {
  const openai = (model: string) => ({ provider: 'openai', override_params: { model } });
  const six = ['gpt-5.5', 'gpt-5.4', 'gpt-5.4-mini', 'gpt-5.4-nano', 'gpt-5.2', 'gpt-5.6-luna'].map(openai);
  const conditional = (conditions: readonly unknown[]) => {
    const targets = [
      { name: 'one', ...openai('gpt-5.5') },
      { name: 'six', strategy: { mode: 'fallback' }, targets: six },
    ];
    const { routes, draft } = imported({ strategy: { mode: 'conditional', conditions, default: 'one' }, targets });
    const left = draft.left.all.map(({ path, reason }) => `${path.join('.')} ${reason}`);
    return { when: routes['support']?.when, left };
  };
  const condition = { query: { 'params.stream': true }, then: 'one' };
  const times = (count: number) => Array.from({ length: count }, () => condition);
  const when = times(20).map(() => ({ if: 'request.stream', use: ['openai/gpt-5.5'] }));
  const tooMany = ' A route has 20 conditions at most.';
  expect(conditional(times(20))).toEqual({ when, left: [] });
  expect(conditional(times(21))).toEqual({ when, left: [tooMany] });
  expect(conditional(times(50))).toEqual({ when, left: [tooMany] });
  expect(conditional(times(51))).toEqual({
    when,
    left: ['strategy.conditions Only the first 50 conditions are read.', tooMany],
  });
  expect(conditional([{ ...condition, then: 'six' }])).toEqual({
    when: [{ if: 'request.stream', use: six.slice(0, 5).map(({ override_params: { model } }) => `openai/${model}`) }],
    left: [' A condition has 5 models at most.'],
  });
  const noTarget = 'No target has its name and a model.';
  expect(conditional([{ query: condition.query }, null, { ...condition, then: 5 }])).toEqual({
    when: undefined,
    left: [
      'strategy.conditions.2.then It is not a text, as the importer expects.',
      ...[0, 1, 2].map((at) => `strategy.conditions.${at} ${noTarget}`),
    ],
  });
});

const headerOf = (key: string) => key;
const plan = 'request.headers["plan"]';

test.each([
  [{ 'metadata._user': 'ada' }, 'request.end_user == "ada"'],
  [{ 'params.user': { $in: ['a', 'b"'] } }, 'request.end_user in ["a", "b\\""]'],
  [{ 'params.user': { $nin: ['a'] } }, '!(request.end_user in ["a"])'],
  [{ 'metadata.plan': { $ne: 'x' } }, `!("plan" in request.headers && ${plan} == "x")`],
  [
    { 'metadata.plan': { $gte: '5', $lt: 7 } },
    `("plan" in request.headers && double(${plan}) >= double(5)) && ("plan" in request.headers && double(${plan}) < double(7))`,
  ],
  [
    { $or: [{ 'params.stream': true }, { $and: [{ 'params.stream': { $ne: true } }] }] },
    '(request.stream) || (!request.stream)',
  ],
  [{ 'params.user': { $regex: '^acme-' } }, 'request.end_user.startsWith("acme-")'],
  [{ 'params.user': { $regex: '@acme\\.com$' } }, 'request.end_user.endsWith("@acme.com")'],
  [{ 'params.user': { $regex: '^(a|b)$' } }, '(request.end_user == "a" || request.end_user == "b")'],
  [{ 'params.user': { $regex: 'a|b' } }, '(request.end_user.contains("a") || request.end_user.contains("b"))'],
])('the query %j', (query, expected) => {
  expect(conditionOf(query, headerOf)).toBe(expected);
  expect(checkRoute({ targets: [], when: [{ if: expected, use: ['m'] }] })).toEqual([]);
});

test.each([
  [{ 'params.user': { $regex: '^a.*' } }],
  [{ 'params.user': { $regex: '^a|b' } }],
  [{ 'params.user': { $regex: '^\\d+$' } }],
  [{ 'params.user': 5 }],
  [{ 'params.user': { $near: 'a' } }],
  [{ 'params.user': { toString: 'a' } }],
  [{ 'url.pathname': '/v1/embeddings' }],
  [{}],
  [[[]]],
  [{ $and: 1 }],
])('the query %j has no condition', (query) => {
  expect(() => conditionOf(query, headerOf)).toThrow(expect.objectContaining({ name: 'NoCondition' }));
});

test('targets without a model or a known vendor, and levels beyond five, are reported', () => {
  const nested = (levels: number): object => (levels === 0 ? mini : { targets: [nested(levels - 1)] });
  expect(imported(nested(4)).routes).not.toEqual({});
  expect(imported(nested(5))).toMatchObject({
    routes: {},
    left: ['targets.0.targets.0.targets.0.targets.0.targets.0'],
  });
  const query = (levels: number): object => (levels === 0 ? { 'params.stream': true } : { $and: [query(levels - 1)] });
  expect(conditionOf(query(5), headerOf)).toBe('request.stream');
  expect(() => conditionOf(query(6), headerOf)).toThrow('nested too deeply');
  const targets = [
    { provider: 'openai', api_key: 'x' },
    { provider: 'nowhere', override_params: { model: 'm' } },
    'text',
  ];
  expect(imported({ strategy: { mode: 'fallback' }, targets })).toMatchObject({
    routes: {},
    left: ['targets.0.api_key', 'targets.0', 'targets.1', 'targets.2', 'targets.2'],
  });
});

test('no secret is in the result', () => {
  const secrets = {
    api_key: 'HIDDEN',
    aws_secret_access_key: 'HIDDEN',
    vertex_service_account_json: { private_key: 'HIDDEN' },
  };
  const { draft } = imported({
    targets: [
      {
        provider: 'bedrock',
        ...secrets,
        custom_host: 'https://u:HIDDEN@h.example/v1?k=HIDDEN',
        override_params: { model: 'm' },
      },
    ],
    forward_headers: ['HIDDEN'],
  });
  expect(
    JSON.stringify([...draft.providers, ...draft.models, ...draft.providerKeys, ...draft.variables, draft.left.all]),
  ).not.toContain('HIDDEN');
});
