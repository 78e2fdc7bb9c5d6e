import type { Guardrails } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { redactAnswer } from './answer.ts';
import { compileGuard } from './guard.ts';
import { redactRequest } from './request.ts';
import { createTally } from './tally.ts';

const patterns: NonNullable<Guardrails['request']>['patterns'] = [
  { name: 'word', pattern: String.raw`\bfalcon\b`, action: 'redact' },
];
const { request: check } = compileGuard([{ request: { detect: { email: 'redact' }, patterns } }]);

function redacted(parts: readonly string[], listOf: (texts: readonly string[]) => object = contentOf) {
  const tally = createTally();
  const document = redactRequest(listOf(parts), check!, { part: 'request', tally });
  return { document, findings: tally.findings() };
}

const contentOf = (texts: readonly string[]): object => ({
  messages: [{ role: 'user', content: texts.map((text) => ({ type: 'text', text })) }],
});

const found = (count: number, rule = 'email') => [{ rule, action: 'redact', count }];

test.each<[readonly string[], readonly string[], object]>([
  [['Mail ada@exam', 'ple.com!'], ['Mail [email]', '[email]!'], found(1)],
  [['a', 'd', 'a@example.', 'com'], ['[email]', '[email]', '[email]', '[email]'], found(1)],
  [['ada@example.co', 'm'], ['[email]', '[email]'], found(1)],
  [['x ada@exam', '', 'ple.com x'], ['x [email]', '', '[email] x'], found(1)],
  [['ada@exam', 'ple.com, bob@exam', 'ple.org'], ['[email]', '[email], [email]', '[email]'], found(2)],
  [['ada@example.com ', 'bob@example.com'], ['[email] ', '[email]'], found(2)],
  // Found in the part, also if the next one makes it another word.
  [['falcon', 's'], ['[word]', 's'], found(1, 'word')],
  [['fal', 'con'], ['[word]', '[word]'], found(1, 'word')],
  [['clean', 'parts'], ['clean', 'parts'], []],
])('of the parts %j, %j are sent', (parts, expected, findings) => {
  expect(redacted(parts)).toEqual({ document: contentOf(expected), findings });
});

test.each<[string, (texts: readonly string[]) => object]>([
  ['system texts', (texts) => ({ system: texts.map((text) => ({ type: 'text', text })) })],
  [
    'input items',
    (texts) => ({ input: [{ role: 'user', content: texts.map((text) => ({ type: 'input_text', text })) }] }),
  ],
  ['parts of Google', (texts) => ({ contents: [{ parts: texts.map((text) => ({ text })) }] })],
  ['results of tools', (texts) => ({ content: [{ type: 'tool_result', content: texts.map((text) => ({ text })) }] })],
  [
    'parts with others between them',
    ([one = '', other = '']) => ({ content: [{ text: one }, { type: 'image_url', title: 'x' }, { text: other }] }),
  ],
])('%s are read as one', (_name, listOf) => {
  const { document } = redacted(['ada@exam', 'ple.com'], listOf);
  expect(document).toEqual(listOf(['[email]', '[email]']));
});

test('a text that is cut over parts is blocked', () => {
  const { request } = compileGuard([{ request: { detect: { email: 'block' } } }]);
  const parts = contentOf(['ada@exam', 'ple.com']);
  expect(() => redactRequest(parts, request!, { part: 'request', tally: createTally() })).toThrow("'email'");
});

test('parts of answers are read as one, and each is counted once', () => {
  const answer = (texts: readonly string[]) => ({ output: texts.map((text) => ({ type: 'output_text', text })) });
  const redaction = { part: 'answer', tally: createTally() } as const;
  expect(redactAnswer(answer(['ada@exam', 'ple.com']), check!, redaction)).toEqual(answer(['[email]', '[email]']));
  const { request: size } = compileGuard([{ request: { maxCharacters: 15, detect: { email: 'redact' } } }]);
  expect(redactAnswer(answer(['ada@exam', 'ple.com']), size!, redaction)).toEqual(answer(['[email]', '[email]']));
  expect(() => redactAnswer(answer(['ada@exam', 'ple.com.']), size!, redaction)).toThrow("'max_characters'");
});

test('many parts take time that grows with their number', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => 'ada@example.com '[at % 16] ?? '');
  const { document, findings } = redacted(many);
  expect(findings).toEqual(found(1_250));
  expect(JSON.stringify(document)).not.toContain('"@"');
});
