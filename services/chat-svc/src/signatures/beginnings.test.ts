import type { ChatMessage } from '@tallyport/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf } from '../../../../tests/support/scale.ts';
import { beginningsOf } from './beginnings.ts';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const call = (id: string, input = '{}') => ({
  id,
  type: 'function' as const,
  function: { name: 'f', arguments: input },
});
const called = (...calls: ReturnType<typeof call>[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: calls,
});
const result = (id: string, content = 'Rain.'): ChatMessage => ({ role: 'tool', tool_call_id: id, content });

const text = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('a', 'b', ' ', '"', '\\', 'ü', ',', '{') });
const message: fc.Arbitrary<ChatMessage> = fc.oneof(
  text.map(user),
  text.map((content): ChatMessage => ({ role: 'system', content })),
  text.map((content): ChatMessage => ({ role: 'assistant', content })),
  fc.tuple(text, text).map(([id, input]) => called(call(id, input))),
  fc.tuple(text, text).map(([id, content]) => result(id, content)),
  fc.tuple(text, text).map(([said, url]): ChatMessage => ({
    role: 'user',
    content: [
      { type: 'text', text: said },
      { type: 'image_url', image_url: { url } },
    ],
  })),
);
const conversation = fc.array(message, { minLength: 1, maxLength: 6 });

const endOf = (messages: readonly ChatMessage[]): string => beginningsOf(messages)(messages.length);

/** A conversation of seven messages that are the same in all of them but for a few letters. */
const numbered = (letters: string): ChatMessage[] => [
  { role: 'system', content: `Be ${letters[0]}.` },
  user(`Rain${letters[1]}`),
  called(call(letters[2] ?? '', letters[3]), call('b')),
  result(letters[2] ?? '', `Rain${letters[4]}`),
  result('b', letters[5]),
  { role: 'assistant', content: letters[6] ?? '' },
  {
    role: 'user',
    content: [
      { type: 'text', text: letters[7] ?? '' },
      { type: 'image_url', image_url: { url: `https://images.example/${letters[8]}` } },
    ],
  },
];

test('of ten thousand pairs of conversations that differ in one byte, none has the same name', () => {
  const names = new Set<string>();
  const pairs = Array.from({ length: 10_000 }, (_, pair) => {
    const letters = [...pair.toString(4).padStart(9, '0')].map((digit) => 'abcd'[Number(digit)] ?? '').join('');
    const place = pair % 9;
    return [letters, `${letters.slice(0, place)}X${letters.slice(place + 1)}`] as const;
  });
  const written = new Set(pairs.flat());
  for (const letters of written) names.add(endOf(numbered(letters)));
  expect([pairs.length, names.size]).toEqual([10_000, written.size]);
});

test('two conversations with the same name are the same', () => {
  const known = new Map<string, string>();
  fc.assert(
    fc.property(conversation, (messages) => {
      const written = JSON.stringify(messages);
      const name = endOf(messages);
      expect(known.get(name) ?? written).toBe(written);
      known.set(name, written);
    }),
    { numRuns: runsOf(1_000) },
  );
});

test('a beginning has the same name in every conversation that goes on from it', () => {
  fc.assert(
    fc.property(conversation, conversation, (before, after) => {
      const whole = beginningsOf([...before, ...after]);
      const last = whole(before.length + after.length);
      expect([whole(before.length), whole(0), last === whole(before.length)]).toEqual([endOf(before), '', false]);
    }),
    { numRuns: runsOf(400) },
  );
});

const asked = [user('Rain?'), called(call('a')), result('a')];
test.each<[string, ChatMessage[]]>([
  [
    'thinking is left out or sent',
    asked.map((each) => (each.role === 'assistant' ? { ...each, reasoning_content: 'hm' } : each)),
  ],
  [
    'a text is marked for a cache',
    [
      { role: 'user', content: [{ type: 'text', text: 'Rain?', cache_control: { type: 'ephemeral' } }] },
      ...asked.slice(1),
    ] as ChatMessage[],
  ],
  ['an empty text stands for none', [user('Rain?'), { ...called(call('a')), content: '' }, result('a')]],
  ['members are null', [user('Rain?'), { ...called(call('a')), refusal: null }, result('a')]],
  [
    'the signature of a call is sent',
    [
      user('Rain?'),
      called({ ...call('a'), extra_content: { google: { thought_signature: 's' } } } as ReturnType<typeof call>),
      result('a'),
    ],
  ],
])('a conversation keeps its name when %s', (_name, messages) => {
  expect(endOf(messages)).toBe(endOf(asked));
});

test('a conversation of twenty thousand messages is read once', () => {
  let reads = 0;
  const messages = Array.from({ length: 20_000 }, (): ChatMessage => ({
    role: 'user',
    get content() {
      reads += 1;
      return 'Hi';
    },
  }));
  const beginningAt = beginningsOf(messages);
  const once = messages.map((_message, place) => beginningAt(place + 1));
  expect([beginningAt(20_000), beginningAt(7), new Set(once).size]).toEqual([once.at(-1), once[6], 20_000]);
  expect(reads).toBeLessThanOrEqual(40_000);
});
