import { GatewayError } from '@tallyport/contracts';
import type { DialectStream, StreamFraming } from '@tallyport/dialects';
import { type AnswerEvent, type ChatChunk, chunkEvent, documentEvent, passedEvent } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { dialectStream } from './dialect-stream.ts';

const stream: DialectStream = {
  chunk: ({ model }) => (model === '' ? [] : [{ data: { model } }]),
  end: () => [],
  fail: ({ message }) => [{ data: { failed: message } }],
};

type Step = AnswerEvent[] | 'silence' | GatewayError;

const chunk = (model: string): AnswerEvent => chunkEvent({ model } as ChatChunk);
const gone = new GatewayError('unavailable', 'Gone.');

/** What is written for these steps, and then for a good end if none of them failed. */
async function written(framing: StreamFraming | undefined, steps: readonly Step[]) {
  const lanes: string[] = [];
  const form = dialectStream(stream, { framing, answered: (lane) => lanes.push(lane) });
  const pieces: Buffer[] = [];
  let hasFailed = false;
  for (const step of steps) {
    hasFailed ||= step instanceof GatewayError;
    if (step instanceof GatewayError) pieces.push(...form.fail(step));
    else pieces.push(...(step === 'silence' ? form.silence() : form.write(step)));
  }
  if (!hasFailed) pieces.push(...(await form.end()));
  return { type: form.contentType, text: Buffer.concat(pieces).toString(), lanes };
}

const sse = 'text/event-stream; charset=utf-8';
const json = 'application/json; charset=utf-8';

test.each<[string, StreamFraming | undefined, Step[], string, string]>([
  ['events', undefined, [[chunk('a'), chunk('b')]], sse, 'data: {"model":"a"}\n\ndata: {"model":"b"}\n\n'],
  ['an empty stream of events', 'events', [], sse, ''],
  ['silence between events', 'events', ['silence'], sse, ': keep-alive\n\n'],
  ['a marked end', 'events until done', [[chunk('a')]], sse, 'data: {"model":"a"}\n\ndata: [DONE]\n\n'],
  [
    'no marked end after a failure',
    'events until done',
    [[chunk('a')], gone],
    sse,
    'data: {"model":"a"}\n\ndata: {"failed":"Gone."}\n\n',
  ],
  [
    'an array',
    'array',
    [[chunk('a'), chunk('b')], [chunk('c')]],
    json,
    '[{"model":"a"},\n{"model":"b"},\n{"model":"c"}]',
  ],
  ['an empty array', 'array', [[chunk('')]], json, '[]'],
  ['silence in an array', 'array', ['silence', [chunk('a')], 'silence'], json, '\n[{"model":"a"}\n]'],
  ['an array that fails', 'array', [[chunk('a')], gone], json, '[{"model":"a"},\n{"failed":"Gone."}]'],
  ['an array that fails before its first element', 'array', [gone], json, '[{"failed":"Gone."}]'],
])('writes %s', async (_name, framing, steps, type, text) => {
  const lanes = steps[0] === gone ? [] : ['translated'];
  expect(await written(framing, steps)).toEqual({ type, text, lanes });
});

const delta = passedEvent({ event: 'delta' }, Buffer.from('{"a":1}'));
const inLines = passedEvent({ event: undefined }, Buffer.from('{\n"b":2}'));

test.each<[StreamFraming, string]>([
  ['events', 'event: delta\ndata: {"a":1}\n\ndata: {\ndata: "b":2}\n\n'],
  ['array', '[{"a":1},\n{\n"b":2}]'],
])("passes a vendor's events on as %s, and adds no end to them", async (framing, text) => {
  const ending: DialectStream = { ...stream, end: () => [{ data: 'an end' }] };
  const lanes: string[] = [];
  const form = dialectStream(ending, { framing, answered: (lane) => lanes.push(lane) });
  const pieces = [...form.write([delta, inLines]), ...(await form.end())];
  expect([Buffer.concat(pieces).toString(), lanes]).toEqual([text, ['native']]);
});

test("follows a vendor's events where the API needs that, and ends them as it says", async () => {
  const passed = {
    whole: (body: Buffer) => body,
    stream: () => ({
      event: ({ event, json: data }: { event?: string | undefined; json: string }) => [
        { event: `${event}!`, json: data },
      ],
      end: async () => [{ json: '"the end"' }],
      fail: () => [{ json: '"the failure"' }],
    }),
  };
  const form = () => dialectStream(stream, { passed, answered: () => {} });
  const [well, badly] = [form(), form()];
  const ended = [...well.write([delta]), ...(await well.end())];
  const failed = [...badly.write([delta]), ...badly.fail(gone)];
  expect([ended, failed].map((pieces) => Buffer.concat(pieces).toString())).toEqual([
    'event: delta!\ndata: {"a":1}\n\ndata: "the end"\n\n',
    'event: delta!\ndata: {"a":1}\n\ndata: "the failure"\n\n',
  ]);
});

test('sends nothing in silence where the API has nothing to send yet, and a comment between events of a vendor', () => {
  const pinging: DialectStream = { ...stream, ping: () => [] };
  const form = dialectStream(pinging, { answered: () => {} });
  expect(Buffer.concat(form.silence()).toString()).toBe('');
  form.write([delta]);
  expect(Buffer.concat(form.silence()).toString()).toBe(': keep-alive\n\n');
});

test('refuses an event that no chat has', () => {
  const form = dialectStream(stream, { answered: () => {} });
  expect(() => form.write([documentEvent('image', {})])).toThrow(TypeError);
});
