import { expect, test } from 'vitest';
import { dataEvent, jsonReply, streamReply } from '../answer.ts';
import { openAiDialect } from '../openai/dialect.ts';
import { FaultSyntaxError } from './fault.ts';
import { parseFaults } from './grammar.ts';

test.each([
  ['nonsense', "There is no fault 'nonsense'. Known: byte-wise, "],
  ['', "There is no fault ''"],
  ['cut', "Fault 'cut' needs a whole number from 0"],
  ['cut:-1', "Fault 'cut' needs a whole number from 0"],
  ['cut:1.5', "Fault 'cut' needs a whole number from 0"],
  ['status:399', "Fault 'status' needs a whole number from 400 to 599"],
  ['status:600', "Fault 'status' needs a whole number from 400 to 599"],
  ['status:503;body=xml', "Fault 'status' accepts only body=html"],
  ['status:503;colour=red', "Fault 'status' has no option 'colour'"],
  ['status:503;retry-after', "'retry-after' in 'status:503;retry-after' is not option=value"],
  ['hang:1', "Fault 'hang' takes no value"],
  ['crlf, nonsense', "There is no fault 'nonsense'"],
  ['tool-calls:constructor', "Fault 'tool-calls' must be tool-calls:<missing-id|index-from-one|whole>"],
  ['oversized-line:67108865', "Fault 'oversized-line' needs a whole number from 1 to 67108864"],
])('refuses %s with a reason', (words, message) => {
  expect(() => parseFaults(words)).toThrow(FaultSyntaxError);
  expect(() => parseFaults(words)).toThrow(message);
});

test('applies faults from left to right', () => {
  const reply = streamReply([dataEvent('delta', { a: 1 }), dataEvent('done', 2)], { kind: 'burst' });
  const text = (words: string) => {
    const answer = parseFaults(words)(reply, openAiDialect);
    return answer.kind === 'reply' && Buffer.concat(answer.pieces.map(({ bytes }) => bytes)).toString();
  };
  expect(text('no-done, crlf , cut:16')).toBe('data: {"a":1}\r\n\r');
  expect(text('no-done, cut:16, crlf')).toBe('data: {"a":1}\r\n\r\n');
});

test('does not mutate the answer', () => {
  const reply = Object.freeze(jsonReply(200, { usage: 1 }));
  Object.freeze(reply.headers);
  Object.freeze(reply.pieces);
  for (const words of ['cut:3', 'no-usage', 'gzip', 'byte-wise', 'status:503', 'endless', 'malformed-line'])
    expect(() => parseFaults(words)(reply, openAiDialect)).not.toThrow();
  expect(reply).toEqual(jsonReply(200, { usage: 1 }));
});
