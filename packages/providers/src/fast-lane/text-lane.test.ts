import { type ChatChunk, encodeSse, type Frame } from '@tallyport/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openai } from '../openai/chat.ts';
import { someText } from '../testing/answer.ts';
import { contextOf } from '../testing/translate.ts';
import { createTextLane } from './text-lane.ts';

const frame = (data: string | Buffer): Frame => ({ event: undefined, id: undefined, data: Buffer.from(data) });

const chunk = (delta: object, rest: object = {}, choice: object = {}) =>
  JSON.stringify({
    id: 'a',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: null, ...choice }],
    ...rest,
  });
const text = (content: string, rest: object = {}) => chunk({ content }, rest);

/** The full translation with the fast lane beside it, as chat-svc uses both. */
function createLanes(teacher: Frame = frame(text('teacher'))) {
  const translator = openai.stream(contextOf(openai));
  const lane = createTextLane();
  const slow = (given: Frame) => {
    const chunks: ChatChunk[] = translator.frame(given).map((made) => ({ ...made, model: 'openai/m' }));
    return { frame: given, chunks, output: Buffer.concat(chunks.map((made) => encodeSse(JSON.stringify(made)))) };
  };
  slow(frame(text('first')));
  lane.learn(slow(teacher));
  return { lane, slow };
}

describe('forwards exactly what the full translation gives', () => {
  const same = (given: Frame, teacher?: Frame) => {
    const { lane, slow } = createLanes(teacher);
    const fast = lane.forward(given);
    expect(fast?.toString()).toBe(slow(given).output.toString());
    expect(fast).toBeDefined();
  };

  test('any text', () => {
    fc.assert(
      fc.property(someText, (said) => same(frame(text(said)))),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['quotes and braces', text('"},{"content":"x')],
    ['foreign escapes', text('x').replace('"x"', String.raw`"\u00e9\/\u0041\n"`)],
    ['half a surrogate pair', text('x').replace('"x"', String.raw`"\ud83d"`)],
    ['thinking', chunk({ reasoning_content: 'b' }), chunk({ reasoning_content: 'a' })],
    [
      'thinking under the name reasoning',
      chunk({ reasoning: 'b', content: null }),
      chunk({ reasoning: 'a', content: null }),
    ],
    [
      'padding that changes',
      text('b', { usage: null, obfuscation: 'xy' }),
      text('a', { usage: null, obfuscation: '12345' }),
    ],
    [
      'spaces after colons',
      '{"choices": [{"index": 0, "delta": {"content": "b"}}]}',
      '{"choices": [{"index": 0, "delta": {"content": "a"}}]}',
    ],
    [
      'text that looks like what follows it',
      text('b"}}],"obfuscation":"c', { obfuscation: 'x' }),
      text('a', { obfuscation: 'y' }),
    ],
  ])('%s', (_name, given, teacher = text('teacher')) => {
    same(frame(given), frame(teacher));
  });
});

describe('does not forward', () => {
  test.each<[string, string | Buffer]>([
    ['no text', text('')],
    ['another id', text('x').replace('"a"', '"b"')],
    ['an end', chunk({ content: 'x' }, {}, { finish_reason: 'stop' })],
    ['an additional member', chunk({ content: 'x', refusal: 'y' })],
    ['an unescaped quote', text('x').replace('"x"', '"x"y"')],
    ['a control character', text('x').replace('"x"', '"x\ty"')],
    ['a bad escape', text('x').replace('"x"', String.raw`"\q"`)],
    ['half an escape', text('x').replace('"x"', '"x\\"')],
    ['invalid UTF-8', Buffer.from(text('ÿ'), 'latin1')],
    ['a shorter frame', '{'],
    ['[DONE]', '[DONE]'],
    ['nothing', ''],
  ])('%s', (_name, data) => {
    expect(createLanes().lane.forward(frame(data))).toBeUndefined();
  });

  test('a named event', () => {
    expect(createLanes().lane.forward({ ...frame(text('x')), event: 'error' })).toBeUndefined();
  });

  test('any frame before a lesson', () => {
    expect(createTextLane().forward(frame(text('x')))).toBeUndefined();
  });

  test.each([
    ['an end', chunk({ content: 'x' }, {}, { finish_reason: 'stop' })],
    ['usage', JSON.stringify({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })],
    ['a role', chunk({ role: 'assistant', content: '' })],
    ['log probabilities', chunk({ content: 'x' }, {}, { logprobs: { content: [] } })],
    ['content that occurs twice', chunk({ content: 'x', nested: { content: 'x' } })],
    ['two texts', chunk({ content: 'x', reasoning_content: 'x' })],
  ])('learns nothing from %s', (_name, data) => {
    const { lane, slow } = createLanes(frame(data));
    expect(lane.forward(frame(data))).toBeUndefined();
    lane.learn(slow(frame(text('a'))));
    expect(lane.forward(frame(text('b')))).toBeDefined();
  });
});

test('counts the forwarded text in bytes', () => {
  const { lane } = createLanes();
  lane.forward(frame(text('é')));
  lane.forward(frame(text('ab')));
  lane.forward(frame('other'));
  expect(lane.contentBytes()).toBe(4);
});

test('does not keep the socket’s bytes after a lesson', () => {
  const teacher = frame(text('teacher'));
  const { lane } = createLanes(teacher);
  const given = frame(text('x'));
  const before = lane.forward(given)?.toString();
  teacher.data.fill(0);
  expect(lane.forward(given)?.toString()).toBe(before);
});

test('an exact lane leaves a text alone that would be written with other escapes', () => {
  const exact = createTextLane({ exact: true });
  const event = encodeSse(text('teacher'));
  exact.learn({ frame: frame(text('teacher')), chunks: [JSON.parse(text('teacher'))], output: event });
  expect(exact.forward(frame(text('é\n')))).toEqual(encodeSse(text('é\n')));
  expect(exact.forward(frame(text('x').replace('"x"', String.raw`"\u00e9"`)))).toBeUndefined();
});
