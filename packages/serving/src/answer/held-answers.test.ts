import { GatewayError } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { nothingUsed } from '../metering/index.ts';
import { chunkEvent, documentOf } from '@tallyport/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaidAnswer, RequestLife } from '../paid-request.ts';
import { servePaid } from '../serve-paid.ts';
import { type ServingBench, startServingBench } from '../testing/serving-bench.ts';
import { readSummary } from '../testing/summaries.ts';
import { AnswerMemory } from './answer-memory.ts';

const answers = new AnswerMemory({ limit: 1_000, setting: 'ANSWER_BYTES' });
let attempt: (life: RequestLife) => Promise<PaidAnswer>;
let bench: ServingBench;
beforeAll(async () => {
  bench = await startServingBench((tools) =>
    servePaid(
      { ...tools, answers },
      {
        name: 'summary',
        operation: 'chat',
        events: tools.events,
        read: async (exchange) => ({ ...(await readSummary(tools, exchange)), attempt: (life) => attempt(life) }),
      },
    ),
  );
});
afterAll(() => bench.close());

let asked = 0;
const open = ({ stream = false, signal }: { stream?: boolean; signal?: AbortSignal } = {}) =>
  bench.open({ model: 'sandbox-chat', text: `words ${(asked += 1)}`, stream }, signal && { signal });

/** More than the link takes of an answer that is not read. */
const choice = { index: 0, delta: { content: 'x'.repeat(100_000) }, finish_reason: null };
const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] } as const;
const events = Array.from({ length: 30 }, () => chunkEvent({ ...chunk, choices: [choice] }));
const offer = offerOf('north');
const whole: PaidAnswer = {
  offer,
  attempts: 1,
  content: {
    kind: 'whole',
    document: documentOf({}),
    events: () => events.values(),
    complete: true,
  },
};

async function take(life: RequestLife, bytes: number): Promise<void> {
  await life.holdAnswer?.(bytes);
  life.settle({ ...nothingUsed, attempts: [] });
}

test('a whole answer holds its bytes until it is handed over', async () => {
  let whileRead = 0;
  attempt = async (life) => {
    await take(life, 300);
    whileRead = answers.held();
    return whole;
  };
  const { body } = await open();
  await body.bytes();
  expect({ whileRead, afterwards: answers.held() }).toEqual({ whileRead: 300, afterwards: 0 });
});

test.each(['read', 'left'])('a whole answer that is sent as events holds its bytes until it is %s', async (end) => {
  attempt = async (life) => {
    await take(life, 300);
    return whole;
  };
  const client = new AbortController();
  const { body } = await open({ stream: true, signal: client.signal });
  expect(answers.held()).toBe(300);
  if (end === 'read') await body.bytes();
  else client.abort(new GatewayError('client_closed_request', 'The client closed the connection.'));
  await expect.poll(answers.held).toBe(0);
});

test.each([false, true])('a failed attempt holds nothing (stream: %s)', async (stream) => {
  attempt = async (life) => {
    await take(life, 300);
    throw new Error('broken');
  };
  const answered = open({ stream }).then(({ body }) => body.bytes());
  await expect(answered).rejects.toMatchObject({ code: 'internal_error' });
  expect(answers.held()).toBe(0);
});
