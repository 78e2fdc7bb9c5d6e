import type { Guardrails } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { compileGuard } from './guard.ts';
import { HeldText } from './held-text.ts';
import { RuleTime } from './rule-time.ts';
import { createTally } from './tally.ts';

const holdBack = 64;
const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwgg\n'.repeat(30)}-----END PRIVATE KEY-----`;

function streamed(pieces: readonly string[], answer: Guardrails['answer'] = {}) {
  const { answer: check } = compileGuard([{ answer: { holdBack, ...answer } }]);
  if (check === undefined) throw new Error('no rules');
  const tally = createTally();
  const held = new HeldText({ check, part: 'answer', tally, time: new RuleTime({ mostMs: 60_000 }) });
  let longest = 0;
  let [arrived, sent] = ['', ''];
  for (const piece of pieces) {
    arrived += piece;
    sent += held.push(piece);
    longest = Math.max(longest, arrived.length - sent.length);
  }
  return { text: sent + held.end(), longest, findings: tally.findings() };
}

const everyCut = (text: string): string[][] =>
  Array.from({ length: text.length - 1 }, (_, at) => [text.slice(0, at + 1), text.slice(at + 1)]);

const detect = { email: 'redact', card: 'redact', private_key: 'redact' } as const;
const filler = 'The quick brown fox jumps over the lazy dog. ';

describe('a match is found', () => {
  const text = `${filler.repeat(2)}Ask ada@example.com or pay 4111 1111 1111 1111 now. ${filler.repeat(3)}`;
  const expected = text.replace('ada@example.com', '[email]').replace('4111 1111 1111 1111', '[card]');

  test('wherever the text is cut', () => {
    for (const pieces of everyCut(text)) expect(streamed(pieces, { detect }).text).toBe(expected);
  });

  test.each([1, 2, 3, 7, 63, 64, 65])('in pieces of %d characters, and counted once', (size) => {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    expect(streamed(pieces, { detect })).toMatchObject({
      text: expected,
      findings: [
        { rule: 'email', action: 'redact', count: 1 },
        { rule: 'card', action: 'redact', count: 1 },
      ],
    });
  });

  test('by a pattern', () => {
    const patterns = [{ name: 'falcon', pattern: '(?i)project\\s+falcon', action: 'redact' } as const];
    const secret = `${filler}Project  Falcon starts.`;
    for (const pieces of everyCut(secret)) {
      expect(streamed(pieces, { patterns }).text).toBe(`${filler}[falcon] starts.`);
    }
  });
});

test('what blocks is never sent, not even its beginning', () => {
  const text = `${filler}${filler}ada@example.com ${filler}`;
  for (const pieces of everyCut(text)) {
    const { answer: check } = compileGuard([{ answer: { holdBack, detect: { email: 'block' } } }]);
    const held = new HeldText({
      check: check as NonNullable<typeof check>,
      part: 'answer',
      tally: createTally(),
      time: new RuleTime({ mostMs: 60_000 }),
    });
    let sent = '';
    expect(() => {
      for (const piece of pieces) sent += held.push(piece);
      sent += held.end();
    }).toThrow(expect.objectContaining({ code: 'guardrail_blocked', message: expect.stringContaining("'email'") }));
    expect(`${filler}${filler}`.startsWith(sent)).toBe(true);
  }
});

test('no more than `holdBack` characters are held back', () => {
  const { longest } = streamed([...filler.repeat(20)], { detect });
  expect(longest).toBe(holdBack);
});

test('of a match that is longer than what is held back, only the beginning can be sent', () => {
  const text = `Key: ${pem} ${filler}`;
  expect(streamed([...text], { detect })).toMatchObject({
    text: `Key: [private_key] ${filler}`,
    findings: [{ rule: 'private_key', action: 'redact', count: 1 }],
  });
});

test.each([
  ['goes on to the end', 'secret: [^\n]+', ['secret: ', 'x'.repeat(20_000)]],
  ['had its end sent away from its beginning', '(?s)BEGIN.*?END', ['BEGIN', 'x'.repeat(300), 'END']],
  ['is an open one of a detector', undefined, [pem.slice(0, 800), 'MIIEvQIBADANBgkq\n'.repeat(1_000)]],
])('nothing of a match that %s passes after its placeholder', (_name, pattern, pieces) => {
  const patterns = pattern === undefined ? [] : [{ name: 'long', pattern, action: 'redact' } as const];
  const arriving = pieces.flatMap((piece) => piece.match(/[^]{1,50}/g) ?? []);
  const { text } = streamed([filler, ...arriving], { detect, patterns });
  const [, after] = /\[(?:long|private_key)\]([^]*)$/.exec(text) ?? [];
  expect(after).toBe('');
});

test('a character of two code units is never cut', () => {
  const text = '\u{1f600}'.repeat(200);
  const { answer: check } = compileGuard([{ answer: { holdBack: 65, detect } }]);
  const held = new HeldText({
    check: check as NonNullable<typeof check>,
    part: 'answer',
    tally: createTally(),
    time: new RuleTime({ mostMs: 60_000 }),
  });
  const pieces = [...text.match(/[^]{1,3}/g)!.map((piece) => held.push(piece)), held.end()];
  expect(pieces.join('')).toBe(text);
  expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
});
