import { noTokens } from '@tallyport/contracts';
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
  images: 0,
  characters: 0,
  audioSeconds: 0,
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

test('shows each attempt with the reason for its place', () => {
  expect(rowsOf(shown(), 'Attempts')).toEqual([
    [
      '1. south',
      '200',
      '2 ms',
      '800 ms',
      'gateway’s',
      'passed on',
      '1.250',
      'As good as the best within the margin, and earlier in the catalogue.',
    ],
  ]);
});

test('a request that reached no provider says why, and cannot be asked again without a model', () => {
  const refused = { attempts: [], attemptCount: 0, costs: [], endReason: 'refused', status: 404, model: '' };
  const page = shown({ ...refused, error: 'model_not_found', unrecorded: 1_200 });
  expect(page).toContain('the request was refused before');
  expect(page).toContain('1,200 more refusals of the account');
  expect(page).not.toContain('/playground');
  expect(shown()).toContain('href="/dashboard/a/playground?models=lab%2Fsmall"');
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
