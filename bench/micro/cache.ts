import { offerOf } from '../../packages/contracts/src/testing/index.ts';
import { answerKey, decodeEntry, encodeEntry, EventLog } from '../../packages/serving/src/cache/index.ts';
import { countedMembers } from '../../services/chat-svc/src/cache/counted-members.ts';
import { answerFrom } from '../../services/chat-svc/src/cache/from-entry.ts';
import { openAiAnswerForm } from '../../packages/serving/src/index.ts';
import { median } from '../measure/stats.ts';
import { chatPlanOf } from '../support/chat-plan.ts';

/**
 * CPU cost of the cache for a chat, on a miss and on a hit. A miss costs the cache key, recording the stream, and
 * encoding the answer, which happens after it was sent.
 */
const rounds = 9;
const repetitions = 5_000;

const plan = chatPlanOf([offerOf('one'), offerOf('two'), offerOf('three')]);

const messages = [{ role: 'user' as const, content: 'Lorem ipsum dolor sit amet. '.repeat(32) }];
const request = { model: 'model', messages, temperature: 0.7, max_tokens: 500, stream: true };
const parts = { accountId: 'account', release: '1', plan, catalogueVersion: '1' };

const eventOf = (content: string): Buffer =>
  Buffer.from(
    `data: ${JSON.stringify({
      id: 'chatcmpl-bench0000000000000000000',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'one/model',
      choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
    })}\n\n`,
  );
const events = Array.from({ length: 500 }, (_, at) => eventOf(` word${at % 97}`));
const body = Buffer.from(
  JSON.stringify({
    object: 'chat.completion',
    created: 1_700_000_000,
    choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(400) }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
);
const entry = { form: 'document' as const, provider: 'one', body };
const encoded = encodeEntry(entry);
const head = { requestId: 'req', timeoutMs: 1, headers: {} };
const receiver = {
  head,
  request: { ...request, stream: false },
  form: openAiAnswerForm,
  plan,
  planMs: 1,
  keepAliveMs: 1_000,
};

function recordStream(): void {
  const log = new EventLog();
  for (const event of events) log.push(event);
}

function hit(): void {
  const found = decodeEntry(encoded, 1_000_000);
  if (found !== undefined) void answerFrom(found, receiver);
}

function cost(work: () => void, times = repetitions): number {
  const round = (): number => {
    const before = process.cpuUsage();
    for (let count = 0; count < times; count += 1) work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / times;
  };
  round();
  return median(Array.from({ length: rounds }, round));
}

const show = (label: string, microseconds: number): void =>
  console.log(`${label.padEnd(56)} ${microseconds.toFixed(2).padStart(6)}`);

console.log('the cache                                                µs of CPU');
show(
  `the cache key of a body of ${JSON.stringify(request).length} bytes`,
  cost(() => void answerKey({ ...parts, request: countedMembers(request) })),
);
show('recording one event of a stream', cost(recordStream, 100) / events.length);
show(
  `encoding an answer of ${body.length} bytes, after it was sent`,
  cost(() => void encodeEntry(entry)),
);
show('a hit: decoding it and making the answer', cost(hit));
