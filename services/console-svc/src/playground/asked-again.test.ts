import type { ContentPart } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { promptFields } from './asked-again.ts';

const text = (role: string | undefined, words: string): ContentPart => ({
  ...(role !== undefined && { role }),
  kind: 'text',
  text: words,
});
const read = (parts: ContentPart[], cut = false) => promptFields('m', { prompt: { parts, cut } });

test('a kept prompt becomes the system text, the turns and the message', () => {
  const { fields, note } = read([
    text('system', 'Be short.'),
    text('developer', 'And kind.'),
    text('user', 'One'),
    { role: 'user', kind: 'file', mediaType: 'image/png', bytes: 4 },
    text('user', 'more'),
    text('assistant', 'Eins'),
    text('user', '<b>Two</b>'),
  ]);
  expect(fields).toEqual({
    model: 'm',
    system: 'Be short.\nAnd kind.',
    prompt: '<b>Two</b>',
    history: JSON.stringify([{ prompt: 'One\nmore', answers: { m: 'Eins' } }]),
  });
  expect(note).toBeUndefined();
});

test('a prompt without roles is the message', () => {
  expect(read([text(undefined, 'A lighthouse')]).fields).toMatchObject({ prompt: 'A lighthouse', history: '' });
});

test.each<[string, ContentPart[], boolean, string]>([
  ['was cut when it was kept', [text('user', 'a')], true, 'a'],
  ['is longer than a form holds', [text('user', 'x'.repeat(8_001))], false, 'x'.repeat(8_000)],
])('a prompt that %s is carried over in part, with a note', (_what, parts, cut, prompt) => {
  const asked = read(parts, cut);
  expect(asked.fields).toMatchObject({ prompt });
  expect(asked.note).toBe('The prompt was too long to carry over. Only a part of it is here.');
  expect(read([text('user', 'x'.repeat(8_000))]).note).toBeUndefined();
});
