import type { ChatRequest } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { partialCalls } from './calls.ts';

const asked = (changes: Partial<ChatRequest>) => ({
  request: { model: 'm', messages: [{ role: 'user' as const, content: 'Hello' }], ...changes },
  stream: false,
});
const shapes = (changes: Partial<ChatRequest>, maxChoices: number) =>
  partialCalls(asked(changes), maxChoices).map(({ chat, offset }) => [offset, chat.request.n, chat.request.seed]);

test.each<[name: string, asked: Partial<ChatRequest>, maxChoices: number, calls: unknown[]]>([
  ['one choice', {}, 1, [[0, undefined, undefined]]],
  ['as many as one call brings', { n: 8 }, 8, [[0, 8, undefined]]],
  [
    'one more than one call brings',
    { n: 9 },
    8,
    [
      [0, 8, undefined],
      [8, undefined, undefined],
    ],
  ],
  [
    'one at a time',
    { n: 3 },
    1,
    [
      [0, undefined, undefined],
      [1, undefined, undefined],
      [2, undefined, undefined],
    ],
  ],
  [
    'a seed',
    { n: 2, seed: 7 },
    1,
    [
      [0, undefined, 7],
      [1, undefined, 8],
    ],
  ],
])('%s', (_name, changes, maxChoices, calls) => expect(shapes(changes, maxChoices)).toEqual(calls));

test('does not change the request, and returns the call itself if one is enough', () => {
  const chat = asked({ n: 2, seed: null });
  const before = structuredClone(chat);
  expect(partialCalls(chat, 2)[0]?.chat).toBe(chat);
  expect(partialCalls(chat, 1)[1]?.chat.request).toEqual({ ...asked({}).request, seed: null });
  expect(chat).toEqual(before);
});
