import { expect, test } from 'vitest';
import { openAiResponses, referencesOf, responseOfItem, withItems } from './index.ts';
import { completionOf } from './testing/calls.ts';
import { completions, declaredTools } from './testing/completions.ts';

const newId = () => '0123456789abcdef0123456789abcdef';
const read = (body: object) =>
  openAiResponses.read({
    bytes: Buffer.alloc(0),
    body,
    path: '',
    query: new URLSearchParams(),
    headers: {},
    now: () => 0,
    newId,
  });

test.each(completions)(
  '%s: each item of the response and of its input has an id of its own that names it',
  (_name, whole) => {
    const call = read({
      model: 'm',
      input: [
        { role: 'user', content: 'Hi' },
        { role: 'user', content: 'Go.' },
      ],
      tools: declaredTools,
    });
    const response = call.answer(whole);
    const ids = [...call.input(), ...response.output].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.map(responseOfItem)).toEqual(ids.map(() => response.id));
    expect(Math.max(...ids.map(({ length }) => length))).toBeLessThanOrEqual(64);
  },
);

test.each([
  '',
  'msg_1',
  'msg_x',
  'resp_0123456789abcdef',
  'msg_a_b',
  'MSG_a_1',
  `msg_${'a'.repeat(65)}_1`,
  'msg_a_1\n',
  'msg_a_1/x',
])('the id %j names no response', (id) => {
  expect(responseOfItem(id)).toBeUndefined();
});

const user = { role: 'user', content: 'Hi' };

test('the references of a body are the entries that the type or an id alone makes references', () => {
  const input = [
    user,
    { type: 'item_reference', id: 'msg_a_1' },
    { id: 'rs_a_2' },
    { type: null, id: 'x' },
    'text',
    null,
  ];
  expect(referencesOf({ input })).toEqual([
    { id: 'msg_a_1', at: 1 },
    { id: 'rs_a_2', at: 2 },
    { id: 'x', at: 3 },
  ]);
  for (const none of [{ input: 'text' }, { input: [user] }, {}, 'text', undefined])
    expect(referencesOf(none)).toEqual([]);
});

test.each<[string, unknown[]]>([
  ['without an id', [user, { type: 'item_reference' }]],
  ['to an item that has one', [{ id: 'msg_a_1' }, { type: 'item_reference', id: 'msg_a_1' }]],
])('a reference %s is refused by its place', (_name, input) => {
  expect(() => referencesOf({ input })).toThrow(
    expect.objectContaining({ code: 'invalid_parameters', param: 'input[1].id' }),
  );
});

test('items replace references in their places, and nothing else changes', () => {
  const body = { model: 'm', input: [user, { id: 'msg_a_1' }, user] };
  const [item] = read({ model: 'm', input: 'One' }).input();
  expect(withItems(body, new Map([[1, item!]]))).toEqual({ model: 'm', input: [user, item, user] });
  expect(withItems(body, new Map())).toBe(body);
});

test('where nothing is stored, a reference to a message says what to send', () => {
  expect(() => read({ model: 'm', input: [user, { type: 'item_reference', id: 'msg_a_1' }] })).toThrow(
    'input[1].type: item_reference is not supported: this gateway stores no responses; send the item itself',
  );
  const { chat } = read({ model: 'm', input: [user, { type: 'item_reference', id: 'rs_a_1' }] });
  expect(chat.messages).toEqual([user]);
  expect(read({ model: 'm', input: 'Hi' }).answer(completionOf({})).store).toBe(false);
});
