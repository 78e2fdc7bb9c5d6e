import { expect, test } from 'vitest';
import { type Draft, startDraft } from '../../draft.ts';
import { readKnownModels } from '../../known-models.ts';
import { addKeys } from './import-keys.ts';
import { readDump } from './read-dump.ts';

const known = await readKnownModels();
const now = Date.parse('2026-11-27T12:00:00Z');

function imported(file: string, text: string): Draft {
  const draft = startDraft(known);
  addKeys(readDump(file, text), draft, now);
  return draft;
}

const entriesOf = ({ projects, keys }: Draft) => ({
  projects: Object.fromEntries(projects),
  keys: Object.fromEntries(keys),
});
const leftOf = ({ left }: Draft) => left.all.map(({ path }) => path.join('.'));

const expected = {
  projects: {
    Search: { limits: { tokensPerMinute: 100_000 }, budget: { amount: '500.5', period: 'month' } },
  },
  keys: {
    website: {
      project: 'Search',
      expiresAt: '2027-12-31T00:00:00.000Z',
      allowedModels: ['gpt-5.5'],
      limits: { requestsPerMinute: { chat: 120, images: 120 } },
      budget: { amount: '25', period: 'month' },
    },
  },
};

const teams = `COPY public."LiteLLM_TeamTable" (team_id, team_alias, models, max_budget, budget_duration, tpm_limit, blocked, metadata) FROM stdin;
t-1\tSearch\t{gpt-5.5,claude-sonnet-5}\t500.5\t30d\t100000\tf\t{}
\\.
`;
const keyColumns = 'token, key_alias, team_id, models, expires, rpm_limit, max_budget, budget_duration, metadata';

test('reads a dump of pg_dump', () => {
  const draft = imported(
    'dump.sql',
    `-- a dump
COPY public."LiteLLM_SpendLogs" (request_id, api_key) FROM stdin;
one\tCOPY public."LiteLLM_VerificationToken" (token) FROM stdin;
\\.
${teams}
COPY public."LiteLLM_VerificationToken" (${keyColumns}) FROM stdin;
88dc28d0f030c55ed4ab77ed8faf098196cb1c05\twebsite\tt-1\t{gpt-5.5,gemini-3.5-flash}\t2027-12-31 00:00:00\t120\t25\t1mo\t{"note": "a\\\\tb"}
\\.
`,
  );
  expect(entriesOf(draft)).toEqual(expected);
  expect(leftOf(draft)).toEqual([
    'LiteLLM_VerificationToken.website.metadata',
    'LiteLLM_VerificationToken',
    'LiteLLM_VerificationToken.spend',
  ]);
});

test('reads a dump with INSERT statements', () => {
  const draft = imported(
    'dump.sql',
    `INSERT INTO public."LiteLLM_TeamTable" (team_id, team_alias, models, max_budget, budget_duration, tpm_limit) VALUES ('t-1', 'Search', '{gpt-5.5,claude-sonnet-5}', 500.5, '30d', 100000);
INSERT INTO public."LiteLLM_VerificationToken" (${keyColumns}) VALUES
\t('88dc', 'website', 't-1', '{gpt-5.5}', '2027-12-31 00:00:00'::timestamp, 120, 25, '30d', '{"it''s": "(a), b;"}'),
\t('99dc', 'old', NULL, '{}', '2020-01-01 00:00:00', NULL, NULL, NULL, NULL);
`,
  );
  expect(entriesOf(draft)).toEqual(expected);
  expect(leftOf(draft)).toContain('LiteLLM_VerificationToken.old');
});

test('reads rows as JSON, and as CSV', () => {
  const team = {
    team_id: 't-1',
    team_alias: 'Search',
    models: ['gpt-5.5'],
    max_budget: 500.5,
    budget_duration: '30d',
    tpm_limit: 100_000,
  };
  const key = {
    token: 'x',
    key_alias: 'website',
    team_id: 't-1',
    models: ['all-team-models'],
    budget_id: 'b-1',
    expires: '2027-12-31T01:00:00+01:00',
  };
  const budget = { budget_id: 'b-1', max_budget: 25, budget_duration: '1mo', rpm_limit: 120 };
  expect(entriesOf(imported('rows.json', JSON.stringify({ teams: [team], keys: [key], budgets: [budget] })))).toEqual(
    expected,
  );
  expect(entriesOf(imported('rows.json', JSON.stringify([team, key, budget])))).toEqual(expected);
  const csv = 'token,key_alias,models,rpm_limit,max_budget\nx,"a, b","{""gpt-5.5"",b}",5,\n';
  expect(entriesOf(imported('rows.csv', csv)).keys).toEqual({
    'a, b': { allowedModels: ['gpt-5.5', 'b'], limits: { requestsPerMinute: { chat: 5, images: 5 } } },
  });
});

test.each([
  ['1h', 'day', false],
  ['24h', 'day', true],
  ['1d', 'day', true],
  ['25h', 'week', false],
  ['7d', 'week', true],
  ['8d', 'month', false],
  ['28d', 'month', true],
  ['31d', 'month', true],
  ['1mo', 'month', true],
  ['32d', 'total', false],
  ['soon', 'total', false],
])('a budget for %s is one for a %s', (duration, period, isExact) => {
  const draft = imported(
    'k.json',
    JSON.stringify([{ token: 'x', key_alias: 'k', max_budget: 1e-7, budget_duration: duration }]),
  );
  expect(draft.keys.get('k')?.budget).toEqual({ amount: '0.0000001', period });
  expect(leftOf(draft).includes('LiteLLM_VerificationToken.k.budget_duration')).toBe(!isExact);
});

test('leaves out keys that can do nothing, and gives equal names a number', () => {
  const rows = [
    { token: '1', key_alias: 'k', blocked: true },
    { token: '2', key_alias: 'k', rpm_limit: 0 },
    { token: '3', key_alias: 'k', team_id: 'lost' },
    { token: '4', key_alias: 'k', models: ['no-default-models'] },
    { token: '5', key_alias: '\u0000\u202e', models: ['openai/*'] },
  ];
  const draft = imported('k.json', JSON.stringify(rows));
  expect(Object.fromEntries(draft.keys)).toEqual({
    k: {},
    'k 2': { allowedModels: [] },
    unnamed: { allowedModels: [] },
  });
  expect(leftOf(draft)).toEqual([
    'LiteLLM_VerificationToken.k',
    'LiteLLM_VerificationToken.k',
    'LiteLLM_VerificationToken.k.team_id',
    'LiteLLM_VerificationToken.unnamed.models',
    'LiteLLM_VerificationToken',
    'LiteLLM_VerificationToken.spend',
  ]);
});

test('no hash of a key is in the result', () => {
  const draft = imported(
    'k.json',
    JSON.stringify([{ token: 'HASH', key_name: 'sk-...abcd', metadata: { a: 'HASH' } }]),
  );
  expect(JSON.stringify([...draft.keys, draft.left.all])).not.toContain('HASH');
  expect([...draft.keys.keys()]).toEqual(['sk-...abcd']);
});

test('a file that is not JSON is refused without its text', () => {
  expect(() => readDump('k.json', '{"token": "HASH" oops')).toThrow(/^k\.json: it is not JSON\.$/);
  expect(() => readDump('k.json', '{}')).toThrow(/no rows/);
});
