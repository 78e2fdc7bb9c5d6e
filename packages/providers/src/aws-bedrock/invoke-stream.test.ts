import type { Frame } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { bedrockEvent, bedrockException } from '../testing/bedrock-format.ts';
import { contextOf, decoderOf } from '../testing/translate.ts';
import { awsBedrock } from './chat.ts';
import { createInvokeStream, invokeEvent } from './invoke-stream.ts';

const framesIn = (...bytes: Buffer[]): Frame[] =>
  decoderOf('aws-event-stream').push(Buffer.concat(bytes)).map(invokeEvent);
const chunk = (json: string): Buffer => bedrockEvent('chunk', { bytes: Buffer.from(json).toString('base64') });
const shown = ({ event, data }: Frame) => ({ event, data: data.toString() });
const streamOf = () => createInvokeStream({ ...contextOf(awsBedrock), providerId: 'aws-bedrock' });

test.each([
  ['its bytes', '{"type":"ping","é":"\\u00e9","n":1.0}', 'ping', '{"type":"ping","é":"\\u00e9","n":1.0}'],
  ['on one line', '{\r\n"type":\n"ping"}', 'ping', '{  "type": "ping"}'],
  ['without a name if it has no type', '{"a":1}', undefined, '{"a":1}'],
  ['without a name that would forge a fault', '{"type":"exception:x"}', undefined, '{"type":"exception:x"}'],
  ['without a name that would end a line', '{"type":"a\\nb"}', undefined, '{"type":"a\\nb"}'],
  ['what is no JSON', 'nonsense', undefined, 'nonsense'],
])('an event is %s', (_name, json, event, data) => {
  expect(framesIn(chunk(json)).map(shown)).toEqual([{ event, data }]);
});

test.each([
  ['another event', bedrockEvent('initial-response', {})],
  ['bytes that are no text', bedrockEvent('chunk', { bytes: 1 })],
])('%s is unreadable, and the stream goes on', (_name, bytes) => {
  const stream = streamOf();
  expect(framesIn(bytes).flatMap((frame) => stream.frame(frame))).toEqual([]);
  expect(stream.skipped()).toBe(1);
});

test.each([
  ['throttlingException', { message: 'Slow down.' }, 'upstream_error', 'provider'],
  ['validationException', { message: 'prompt is too long' }, 'context_length_exceeded', 'caller'],
  ['modelStreamErrorException', { originalStatusCode: 500, message: 'It broke.' }, 'upstream_error', 'provider'],
])('%s is a fault, also after events', (type, payload, code, domain) => {
  const stream = streamOf();
  const usage = { input_tokens: 3, output_tokens: 1 };
  const start = chunk(JSON.stringify({ type: 'message_start', message: { model: 'm', usage } }));
  const [first, fault] = framesIn(start, bedrockException(type, payload));
  expect(first && stream.frame(first)).toHaveLength(1);
  expect(() => fault && stream.frame(fault)).toThrow(expect.objectContaining({ code, domain }));
  expect(stream.usage()).toMatchObject({ prompt_tokens: 3 });
});
