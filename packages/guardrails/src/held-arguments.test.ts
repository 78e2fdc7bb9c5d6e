import type { Guardrails } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { redactAnswer } from './answer.ts';
import { compileGuard } from './guard.ts';
import { heldArguments } from './held-arguments.ts';
import { RuleTime } from './rule-time.ts';
import { createTally } from './tally.ts';

const holdBack = 64;
const patterns = [
  { name: 'falcon', pattern: String.raw`project\s+falcon`, action: 'redact' as const },
  { name: 'size', pattern: 'Größe', action: 'redact' as const },
  { name: 'code', pattern: '^X[0-9]+$', action: 'redact' as const },
  { name: 'face', pattern: '\u{1f600}+', action: 'redact' as const },
  { name: 'rest', pattern: 'secret.*', action: 'redact' as const },
  { name: 'nine', pattern: '^[0-9]{9}$', action: 'redact' as const },
  { name: 'path', pattern: String.raw`C:\\temp`, action: 'redact' as const },
];
const detect = { email: 'redact', card: 'redact', private_key: 'redact', ip_address: 'redact' } as const;

function checkOf(answer: Guardrails['answer']) {
  const { answer: check } = compileGuard([{ answer: { holdBack, ...answer } }]);
  if (check === undefined) throw new Error('no rules');
  return check;
}

const timeOf = (): RuleTime => new RuleTime({ mostMs: 60_000 });

/** Sends pieces and returns what was sent for each; the last is the end. */
function streamed(pieces: readonly string[], answer: Guardrails['answer'] = { detect, patterns }) {
  const tally = createTally();
  const counted = { characters: 0 };
  const count = (text: string): void => void (counted.characters += text.length);
  const held = heldArguments({ check: checkOf(answer), part: 'answer', tally, count, time: timeOf() });
  const sent = pieces.map((piece) => held.push(piece));
  sent.push(held.end());
  return { sent, text: sent.join(''), findings: tally.findings(), ...counted };
}

function whole(args: string, answer: Guardrails['answer'] = { detect, patterns }) {
  const tally = createTally();
  const redacted = redactAnswer({ call: { arguments: args } }, checkOf(answer), { part: 'answer', tally });
  return { text: Object.values(redacted)[0].arguments as string, findings: tally.findings() };
}

const everyCut = (text: string): string[][] => Array.from(text, (_, at) => [text.slice(0, at + 1), text.slice(at + 1)]);

const filler = 'The quick brown fox jumps over the lazy dog. ';
const escapedKey = JSON.stringify(
  `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQ\n'.repeat(3)}-----END PRIVATE KEY-----`,
);

const found: readonly (readonly [string, string])[] = [
  [String.raw`{"t":"project\nfalcon"}`, '{"t":"[falcon]"}'],
  [String.raw`{"t":"ask ada\u0040example.com\u0021", "ok":true}`, String.raw`{"t":"ask [email]\u0021", "ok":true}`],
  [String.raw`{"Gr\u00f6\u00DFe":"Gr\u00f6\u00dfe"}`, '{"[size]":"[size]"}'],
  [String.raw`{"t":"\ud83d\ude00\ud83d\ude00 \ud83d\ude01"}`, String.raw`{"t":"[face] \ud83d\ude01"}`],
  [String.raw`{"a":"secret \"b\"","c":"\"secret\""}`, String.raw`{"a":"[rest]","c":"\"[rest]"}`],
  [
    String.raw`{"p":"C:\\temp\\x","a":["X1","xX1",123456789,1234567890]}`,
    String.raw`{"p":"[path]\\x","a":["[code]","xX1","[nine]",1234567890]}`,
  ],
  [`{"key":${escapedKey},"n":1}`, '{"key":"[private_key]","n":1}'],
  [
    '{"card": 4111111111111111, "to": "say \\"ada@example.com\\"", "n": [4.111111111111111e15 , 41111111111111112]}',
    '{"card": "[card]", "to": "say \\"[email]\\"", "n": ["[card]" , 41111111111111112]}',
  ],
  ['{"n":"4111 1111 1111 1111","n":"x"}', '{"n":"[card]","n":"x"}'],
  ['4111111111111111', '"[card]"'],
];
const broken: readonly (readonly [string, string])[] = [
  [String.raw`{"n":NaN,"t":"ada\u0040example.com", "u": bob@example.com`, '{"n":NaN,"t":"[email]", "u": [email]'],
  [String.raw`{"t":"ada\u0040example.com`, '{"t":"[email]'],
  ['Ask "project  falcon": ada@example.com', 'Ask "[falcon]": [email]'],
  ['{"card": 4111 1111 1111 1111}', '{"card": [card]}'],
  ['{"ip": 2001:db8::1}', '{"ip": [ip_address]}'],
];

describe('a match is found wherever the text is cut, as in a whole answer', () => {
  test.each(found)('%s', (args, expected) => {
    const { text, findings } = whole(args);
    expect(JSON.parse(text)).toEqual(JSON.parse(expected));
    for (const pieces of [...everyCut(args), Array.from(args)]) {
      expect(streamed(pieces)).toMatchObject({ text: expected, findings });
    }
  });

  test.each(broken)('%s, which is no JSON', (args, expected) => {
    const { text, findings } = whole(args);
    expect(text).toBe(expected);
    for (const pieces of [...everyCut(args), Array.from(args)]) {
      expect(streamed(pieces)).toMatchObject({ text: expected, findings });
    }
  });

  test.each(found)('%s between long texts', (args, expected) => {
    const around = (between: string): string =>
      `[${JSON.stringify(filler.repeat(4))},${between},"${filler.repeat(4)}"]`;
    for (const size of [1, 7, 64]) {
      const pieces = around(args).match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(streamed(pieces).text).toBe(around(expected));
    }
  });
});

test('what blocks is never sent, not even its beginning', () => {
  const falcon = { name: 'falcon', pattern: String.raw`project\s+falcon`, action: 'block' as const };
  const block: Guardrails['answer'] = { detect: { email: 'block' }, patterns: [falcon] };
  for (const secret of [String.raw`ada\u0040example.com`, String.raw`project\n\tfalcon`]) {
    const args = `{"t":"${filler}${filler}${secret} ${filler}"}`;
    for (const pieces of everyCut(args)) {
      const untold = { tally: createTally(), count: () => {}, time: timeOf() };
      const held = heldArguments({ check: checkOf(block), part: 'answer', ...untold });
      let sent = '';
      expect(() => {
        for (const piece of pieces) sent += held.push(piece);
        sent += held.end();
      }).toThrow(expect.objectContaining({ code: 'guardrail_blocked' }));
      expect(`{"t":"${filler}${filler}`.startsWith(sent)).toBe(true);
    }
  }
});

test.each([
  ['values', String.raw`{"a": 1.50, "a": 12345678901234567890, "e": "\u00e9\/\ud83d\ude02 \ud83d \u00zz \x"}`],
  ['long texts', `{"long":"${String.raw`\u00e9\n`.repeat(300)}","numbers":[${'1, '.repeat(300)}2]}`],
  ['long numbers and space', `[1${' '.repeat(200)}, ${'9'.repeat(200)}, tru`],
  ['plain text', 'no JSON, "at" all'],
])('%s without a match are sent as they arrived', (_name, args) => {
  for (const pieces of [[args], Array.from(args), ...everyCut(args).slice(0, 100)]) {
    expect(streamed(pieces)).toMatchObject({ text: args, findings: [] });
  }
});

describe('no more than `holdBack` characters are held back', () => {
  test.each([
    ['of a string', '"', filler.repeat(20), holdBack],
    ['of a string with escapes, each of which is one', '"', String.raw`\u00e9`.repeat(300), 6 * holdBack],
    ['of a long number', '[', '1'.repeat(500), holdBack],
    ['of the space after a number', '[1', ' '.repeat(500), holdBack],
    ['of plain text', '', filler.repeat(20), holdBack],
    ['between texts', '', '{"a":{"b":[{},[],{"c":null}]}},'.repeat(20), 'null'.length],
  ])('%s', (_name, start, rest, most) => {
    const pieces = [start, ...(rest.match(/\\u00e9|[^]/g) ?? [])];
    const { sent } = streamed(pieces);
    let held = 0;
    const lengths = pieces.map((piece, at) => (held += piece.length - (sent[at]?.length ?? 0)));
    expect(Math.max(...lengths)).toBe(most);
  });
});

test('the same characters count as of a whole answer', () => {
  const args = String.raw`{"a":"\u00e9\n12", "b": [1.50, true]}`;
  for (const pieces of everyCut(args)) expect(streamed(pieces).characters).toBe(1 + 4 + 1 + 4);
  const size = { maxCharacters: 10 };
  expect(whole(args, size).text).toBe(args);
  expect(() => whole(args, { maxCharacters: 9 })).toThrow("'max_characters'");
});
