import type { PlaygroundTurn } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { editedFields, encodedBytes, historyOf, mostHistoryBytes, turnsIn } from './conversation.ts';

const turns: PlaygroundTurn[] = [
  { prompt: 'One?', answers: { a: 'Eins.', b: null } },
  { prompt: 'Two?', answers: { a: 'Zwei.' } },
];
const history = historyOf(turns) ?? '';

test('a history in a form is read as it was written', () => {
  expect(turnsIn({ history })).toEqual(turns);
  expect(turnsIn({})).toEqual([]);
  expect(historyOf([])).toBe('');
});

test.each(['{', '{}', '[1]', '[{"prompt":1,"answers":{}}]', '[{"prompt":"a","answers":{"m":1}}]'])(
  'the history %s is refused',
  (text) => {
    expect(() => turnsIn({ history: text })).toThrow('The conversation cannot be read. Start a new one.');
  },
);

test('a history may be as long as a form allows, encoded', () => {
  const long = (letters: number) => historyOf([{ prompt: '', answers: { a: 'x'.repeat(letters) } }]);
  const frame = encodedBytes(long(0) ?? '');
  expect(long(mostHistoryBytes - frame)).toBeDefined();
  expect(long(mostHistoryBytes - frame + 1)).toBeUndefined();
  expect(encodedBytes("é('")).toBe('%C3%A9%28%27'.length);
});

test('a message is written anew after the turns before it', () => {
  const fields = { model: 'a', prompt: 'Three?', history };
  expect(editedFields({ ...fields, edit: '1' })).toEqual({
    ...fields,
    edit: '1',
    prompt: 'Two?',
    history: JSON.stringify(turns.slice(0, 1)),
  });
  expect(editedFields({ ...fields, edit: '0' })).toMatchObject({ prompt: 'One?', history: '' });
  expect(editedFields({ ...fields, edit: '2' })).toMatchObject({ prompt: 'Three?', history });
});
