import { FileError } from '@tallyport/wire/yaml';
import { expect, test } from 'vitest';
import { readGatewayDocument } from './read-gateway-document.ts';

const head = ['apiVersion: tallyport/v1', 'kind: Gateway', 'accounts:', '  default:'];
const read = (...lines: string[]) => readGatewayDocument('gateway.yaml', lines.join('\n')).document;

function problemOf(...lines: string[]): string {
  try {
    read(...lines);
  } catch (error) {
    if (error instanceof FileError) return error.message;
    throw error;
  }
  return '';
}

test('reads all sections, and an empty section as managed', () => {
  const document = read(
    ...head,
    '    settings: { cacheTtlSeconds: 60, suspended: false }',
    '    providerKeys:',
    '      ours: { provider: openai, key: { fromEnv: OPENAI_API_KEY } }',
    '    keys:',
    '      search: { allowedAddresses: [203.0.113.7] }',
    '      plain:',
    '    oauthClients:',
    '    members: { Ada@Example.com: owner }',
    '  Search:',
  );
  expect(document.accounts).toEqual({
    default: {
      settings: { cacheTtlSeconds: 60, suspended: false },
      providerKeys: { ours: { provider: 'openai', key: { fromEnv: 'OPENAI_API_KEY' }, enabled: true } },
      keys: { search: { allowedAddresses: ['203.0.113.7/32'] }, plain: {} },
      oauthClients: {},
      members: { 'ada@example.com': 'owner' },
    },
    Search: {},
  });
});

test('reads JSON', () => {
  expect(read('{"$schema":"./x.json","apiVersion":"tallyport/v1","kind":"Gateway","accounts":{}}').accounts).toEqual(
    {},
  );
});

const keys = [...head, '    keys:', '      search:'];
const providerKeys = [...head, '    providerKeys:', '      ours:'];

test.each<[string, string[], string]>([
  [
    'another version',
    ['apiVersion: tallyport/v2', 'kind: Gateway', 'accounts:'],
    '1: apiVersion must be "tallyport/v1".',
  ],
  ['no kind', ['apiVersion: tallyport/v1', 'accounts:'], '1: kind is missing.'],
  ['no accounts', head.slice(0, 2), '1: accounts is missing.'],
  ['an empty document', [''], '1: the document must be an object.'],
  ['no YAML', [...head, '    keys: [1, 2'], expect.stringMatching(/^5: /)],
  ['a key twice', [...head, '    keys:', '      a: {}', '      a: {}'], '7: Map keys must be unique.'],
  ['an unknown section', [...head, '    kyes: {}'], '4: accounts.default has the unknown member "kyes".'],
  [
    'an unknown setting',
    [...head, '    settings:', '      limit: 1'],
    '5: accounts.default.settings has the unknown member "limit".',
  ],
  [
    'an unknown setting of a key',
    [...keys, '        rpm: 1'],
    '6: accounts.default.keys.search has the unknown member "rpm".',
  ],
  [
    'a wrong limit',
    [...keys, '        limits:', '          concurrency: -1'],
    '8: accounts.default.keys.search.limits.concurrency must be at least 0.',
  ],
  [
    'a budget as a number',
    [...keys, '        budget:', '          amount: 5', '          period: month'],
    '8: accounts.default.keys.search.budget.amount must be a string.',
  ],
  [
    'an unknown period',
    [...keys, '        budget: { amount: "5", period: year }'],
    '7: accounts.default.keys.search.budget.period must be one of "day", "week", "month", "total".',
  ],
  [
    'a time without a zone',
    [...keys, '        expiresAt: 2030-01-01'],
    expect.stringMatching(/^7: accounts.default.keys.search.expiresAt must be a date and time/),
  ],
  [
    'an address',
    [...keys, '        allowedAddresses: [here]'],
    expect.stringMatching(/^7: accounts.default.keys.search.allowedAddresses.0 must be an address or a range/),
  ],
  [
    'the secret of a key',
    [...keys, '        key: sk-tp-x'],
    '7: accounts.default.keys.search.key must be { fromEnv: NAME } or { fromFile: path }.',
  ],
  [
    'the secret of a provider key',
    [...providerKeys, '        provider: openai', '        key: sk-x'],
    '8: accounts.default.providerKeys.ours.key must be { fromEnv: NAME } or { fromFile: path }.',
  ],
  [
    'a role',
    [...head, '    members:', '      a@example.com: boss'],
    '6: accounts.default.members.a@example.com must be one of "owner", "admin", "member".',
  ],
  [
    'an e-mail address',
    [...head, '    members:', '      ada: owner'],
    '6: accounts.default.members.ada must be an e-mail address or a user id.',
  ],
  [
    'a redirect address',
    [...head, '    oauthClients:', '      a: { redirectUris: [http://x.test] }'],
    expect.stringMatching(/^6: accounts.default.oauthClients.a.redirectUris.0 must begin with https/),
  ],
])('%s is reported with line and path', (_name, lines, problem) => {
  const [first = ''] = problemOf(...lines).split('\n');
  expect(first.replace('gateway.yaml:', '')).toEqual(problem);
});

test('shows ten problems at most', () => {
  const bad = (count: number) => Array.from({ length: count }, (_, at) => `      k${at}: { rpm: 1 }`);
  expect(problemOf(...head, '    keys:', ...bad(10)).split('\n')).toHaveLength(10);
  expect(problemOf(...head, '    keys:', ...bad(11)).split('\n')).toHaveLength(10);
});

test('refuses a document beyond its largest size', () => {
  const padded = (size: number) => {
    const text = '{"apiVersion":"tallyport/v1","kind":"Gateway","accounts":{}}';
    return text + ' '.repeat(size - text.length);
  };
  expect(problemOf(padded(1_000_000))).toBe('');
  expect(problemOf(padded(1_000_001))).toContain('larger than 1000000 characters');
});
