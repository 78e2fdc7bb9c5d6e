import { byName, countClasses, noTokens } from '@tallyport/contracts';
import type { RequestRecord } from '@tallyport/management';
import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import type { KeyText } from './key-text.ts';
import { requestPage } from './request-view.ts';

const record: RequestRecord = {
  id: 'use_1',
  requestId: 'req_1',
  at: '2026-11-23T11:30:13.120Z',
  keyId: 'key_1',
  keyName: 'checkout',
  operation: 'chat',
  requestedModel: 'small',
  model: 'lab/small',
  provider: 'south',
  status: 200,
  endReason: 'done',
  cached: false,
  stream: true,
  ownKey: false,
  attemptCount: 1,
  tokens: { ...noTokens, input: 1_200, output: 300, reasoning: 7 },
  ...byName(countClasses, () => 0),
  cost: '0.00325',
  durationMs: 900,
  attempts: [
    {
      provider: 'south',
      status: 200,
      error: 'none',
      startMs: 2,
      durationMs: 800,
      key: 'service',
      lane: 'native',
      reason: 'tie',
      score: 1.25,
    },
  ],
  costs: [
    { class: 'input', count: 1_200, price: '0.00000125', cost: '0.0015' },
    { class: 'output', count: 300, price: '0.000005', cost: '0.0015' },
    { class: 'request', cost: '0.00025' },
  ],
  promptCacheSavings: '0',
  priceVersion: 'v1',
  source: 'estimated',
  flags: [],
  guardrails: [],
};

const keyText: KeyText = ({ keyId, keyName }) => keyName ?? keyId;

const shown = (changes: Partial<RequestRecord> = {}): string =>
  render(requestPage({ base: '/dashboard/a', request: { ...record, ...changes }, keyText }));

/** The cells of a table, by row. */
function rowsOf(page: string, caption: string): string[][] {
  const [, table = ''] = new RegExp(`<caption[^>]*>\\s*${caption}\\s*</caption>([^]*?)</table>`).exec(page) ?? [];
  const [, body = ''] = /<tbody[^>]*>([^]*)<\/tbody>/.exec(table) ?? [];
  return [...body.matchAll(/<tr[^>]*>([^]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>([^]*?)<\/td>/g)].map(([, cell = '']) =>
      cell
        .replaceAll(/<[^>]+>/g, ' ')
        .trim()
        .replaceAll(/\s+/g, ' '),
    ),
  );
}

test('shows each class of tokens with its price, also one that cost nothing', () => {
  expect(rowsOf(shown(), 'Cost')).toEqual([
    ['Prompt tokens', '1,200', '× $1.25 per million', '$0.0015'],
    ['Answer tokens', '300', '× $5 per million', '$0.0015'],
    ['Per request', 'none', 'none', '$0.00025'],
    ['Reasoning tokens', '7', 'none', 'none'],
  ]);
  expect(shown()).toContain('The provider reported no usage, so the counts are estimates.');
});

test('the duration leaves out the planning that came before it, and says how long that took', () => {
  expect(shown({ firstByteMs: 700, planMs: 67 })).toContain('first content after 700 ms, after 67 ms of planning');
});

test.each<[string, Partial<RequestRecord>, string | undefined]>([
  ['no tier', {}, undefined],
  ['the standard tier', { tierAsked: 'default' }, 'default'],
  ['the tier that was asked', { tierAsked: 'priority', tier: 'priority' }, 'priority'],
  ['another tier', { tierAsked: 'priority' }, 'billed as default, asked for priority'],
  ['the tier that the vendor chose', { tierAsked: 'auto', tier: 'flex' }, 'billed as flex, asked for auto'],
  ['a tier that was not asked', { tier: 'flex' }, 'billed as flex, asked for none'],
])('shows the tier asked and the tier billed: %s', (_name, changes, text) => {
  const [, found] = /<dt>Service tier<\/dt>\s*<dd>([^<]*)<\/dd>/.exec(shown({ provider: 'south', ...changes })) ?? [];
  expect(found).toBe(text);
});

test('shows each attempt with the reason for its place', () => {
  expect(shown()).toContain('href="/dashboard/a/routing?request=use_1"');
  expect(rowsOf(shown(), 'Attempts')).toEqual([
    [
      '1. south',
      '200',
      '2 ms',
      '800 ms',
      'gateway’s',
      'as it was',
      '1.250',
      'As good as the best within the margin, and earlier in the catalogue.',
    ],
  ]);
});

const planned = (provider: string, changes = {}) =>
  ({ provider, key: 'service', reason: 'score', score: 1, factors: {}, ...changes }) as const;
const failedAttempt = (provider: string, error: string, message?: string) =>
  ({ provider, status: 503, error, durationMs: 5, key: 'service', lane: 'translated', message }) as const;
const failedRequest = { status: 502, error: 'all_providers_failed', endReason: 'error', firstByteMs: undefined };

/** What happened to each offer of the plan. */
const fatesIn = (page: string): (string | undefined)[] => rowsOf(page, 'Scores').map(([, happened]) => happened);

test.each<[string, Partial<RequestRecord>, (string | undefined)[]]>([
  [
    'the first one answered',
    { plan: { mostAttempts: 3, offers: [planned('south'), planned('north')] } },
    ['200', 'Not tried: south answered.'],
  ],
  [
    'the answer made the rest unnecessary, and a breaker was open',
    { plan: { mostAttempts: 3, offers: [planned('north'), planned('south'), planned('west')] } },
    ['Not tried: its breaker let no request through.', '200', 'Not tried: south answered.'],
  ],
  [
    'breakers of the rest were open',
    {
      ...failedRequest,
      provider: undefined,
      attempts: [failedAttempt('north', 'provider_overloaded')],
      plan: { mostAttempts: 3, offers: [planned('north'), planned('south', { reason: 'breaker_open' })] },
    },
    ['503 provider overloaded', 'Not tried: its breaker let no request through.'],
  ],
  [
    'as many were tried as may be',
    {
      ...failedRequest,
      provider: undefined,
      attempts: [failedAttempt('north', 'provider_overloaded')],
      plan: { mostAttempts: 1, offers: [planned('north'), planned('south')] },
    },
    ['503 provider overloaded', 'Not tried: at most 1 offer is tried.'],
  ],
  [
    'as many of one model were tried as may be, and another one answered',
    {
      plan: {
        mostAttempts: 1,
        offers: ['lab/large', 'lab/small'].flatMap((model) =>
          ['north', 'south'].map((name) => planned(name, { model })),
        ),
      },
      attempts: [
        { ...failedAttempt('north', 'provider_overloaded'), model: 'lab/large' },
        { ...failedAttempt('north', 'none'), status: 200 },
      ],
      provider: 'north',
    },
    ['503 provider overloaded', 'Not tried: at most 1 offer is tried.', '200', 'Not tried: north/lab/small answered.'],
  ],
  [
    'the request itself was wrong',
    {
      ...failedRequest,
      provider: undefined,
      attempts: [failedAttempt('north', 'caller_invalid_request')],
      plan: { mostAttempts: 3, offers: [planned('north'), planned('south')] },
    },
    ['503 caller invalid request', 'Not tried: it would refuse this request, too.'],
  ],
])('shows each offer with what happened to it: %s', (_name, changes, fates) => {
  expect(fatesIn(shown(changes))).toEqual(fates);
});

test('shows offers that were left out with the reason, and how many the record does not have', () => {
  const offers = [
    planned('south'),
    { provider: '<i>', key: 'service', reason: 'no_access', detail: 'set A_KEY' } as const,
  ];
  const page = shown({ plan: { mostAttempts: 3, offers, more: 4 } });
  expect(rowsOf(page, 'Left out')).toEqual([['&lt;i&gt;', 'It cannot be called: set A_KEY.']]);
  expect(page).toContain('4 further offers were not tried');
});

test('shows the message of the provider, and says where a message was not kept', () => {
  const attempts = [
    failedAttempt('north', 'provider_overloaded', 'north failed with status 503: <busy>'),
    failedAttempt('south', 'caller_invalid_request'),
    failedAttempt('west', 'provider_timeout'),
  ];
  const messages = rowsOf(shown({ attempts }), 'Attempts').map(([, , message]) => message);
  expect(messages).toEqual([
    'north failed with status 503: &lt;busy&gt;',
    'Not kept, because it may quote the request. The client has it.',
    'not recorded',
  ]);
});

test('a failed request counts the offers that were not tried', () => {
  const plan = { mostAttempts: 3, offers: [planned('north'), planned('south'), planned('west')] };
  const attempts = [failedAttempt('north', 'provider_overloaded')];
  expect(shown({ ...failedRequest, provider: undefined, attempts, plan })).toContain('2 more offers were not tried');
});

test('a request that reached no provider says why, and cannot be asked again without a model', () => {
  const refused = { attempts: [], attemptCount: 0, costs: [], endReason: 'refused', status: 404, model: '' };
  const page = shown({ ...refused, error: 'model_not_found', unrecorded: 1_200 });
  expect(page).toContain('the request was refused before');
  expect(page).toContain('1,200 more refusals of the account');
  expect(page).not.toContain('/playground');
  expect(shown()).toContain('href="/dashboard/a/playground?request=use_1"');
});

test('names the route that the request asked for, and why its model answered', () => {
  const route = (reason: string) => shown({ route: { name: 'fast', owner: 'account', reason } });
  expect(route('weight')).toContain('fast: its weights chose the model');
  expect(route('of_later')).toContain('fast: of later');
  expect(shown()).not.toContain('<dt>Route</dt>');
});

test('names the application that made a request, and links to its requests', () => {
  const { keyName: _name, ...ofApplication } = { ...record, keyId: 'oauth_client_1' };
  const page = render(requestPage({ base: '/dashboard/a', request: ofApplication, keyText: () => 'Nightly report' }));
  expect(page).toContain('<a href="/dashboard/a/requests?key=oauth_client_1">Nightly report</a>');
});

test('shows what guardrails found, and escapes names', () => {
  const page = shown({ keyName: '<b>', guardrails: [{ rule: 'card numbers', action: 'redact', count: 2 }] });
  expect(rowsOf(page, 'Guardrails')).toEqual([['card numbers', 'redact', '2']]);
  expect(page).toContain('&lt;b&gt;');
});

test('names the model of each attempt where several stood in for each other', () => {
  const [attempt] = record.attempts;
  if (attempt === undefined) throw new TypeError('The record has an attempt.');
  const failed = { ...attempt, model: 'lab/large', provider: 'north', status: 500, error: 'provider_server_error' };
  const page = shown({ attempts: [failed, attempt] });
  expect(rowsOf(page, 'Attempts').map(([offer]) => offer)).toEqual(['1. north/lab/large', '2. south/lab/small']);
});

test('names a model that could not serve the request', () => {
  const passed = {
    provider: '',
    model: 'tiny',
    key: 'service',
    reason: 'context_length_exceeded',
    detail: 'Too long.',
  } as const;
  const plan = { mostAttempts: 3, offers: [planned('south', { model: 'lab/small' }), passed] };
  expect(rowsOf(shown({ plan }), 'Left out')).toEqual([['tiny', 'context length exceeded: Too long.']]);
});

test('counts offers that were not tried by provider and model', () => {
  const offers = [planned('north', { model: 'lab/large' }), planned('north', { model: 'lab/small' })];
  const attempts = [{ ...failedAttempt('north', 'provider_overloaded'), model: 'lab/large' }];
  const page = shown({ ...failedRequest, provider: undefined, attempts, plan: { mostAttempts: 1, offers } });
  expect(page).toContain('1 more offer was not tried');
});
