import type { IncomingExchange } from '@tallyport/bus';
import { documentOf } from '@tallyport/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AnswerMemory } from './answer/answer-memory.ts';
import { createByteBudget } from './byte-budget.ts';
import { openLife } from './life.ts';
import { lifeSteps } from './life-steps.ts';
import type { PaidAnswer, PaidRequest, RequestDraft } from './paid-request.ts';
import { type ApiForm, openAiAnswerForm } from './stream/api-form.ts';
import { type BenchTools, type ServingBench, startServingBench } from './testing/serving-bench.ts';
import { readSummary } from './testing/summaries.ts';

const seen: string[] = [];
const note = (step: (typeof lifeSteps)[number]['name']): void => void seen.push(step);

/** The first room is for reading the answer, the second one for sending it. */
class NotedMemory extends AnswerMemory {
  #opened = 0;
  override open(signal: AbortSignal) {
    this.#opened += 1;
    if (this.#opened === 2) note('hold');
    return super.open(signal);
  }
}

/** The same tools, which note when they are used. */
const noted = (tools: BenchTools): BenchTools => ({
  ...tools,
  answers: new NotedMemory({ limit: 10_000_000, setting: 'LIMIT' }),
  replays: {
    ...tools.replays,
    protect: (operation) => (next) => (exchange) => {
      note('replay');
      return tools.replays.protect(operation)(next)(exchange);
    },
  },
  guardrails: {
    ...tools.guardrails,
    events: { found: (_head, part) => note(part === 'request' ? 'guard the request' : 'guard the response') },
  },
  throughCache: (question, make) => {
    note('cache');
    return tools.throughCache(question, ({ mode, recorder }) => {
      const whole = (...kept: Parameters<NonNullable<typeof recorder>['whole']>) => {
        note('keep');
        recorder?.whole(...kept);
      };
      return make({ mode, ...(recorder && { recorder: { ...recorder, whole } }) });
    });
  },
  metering: {
    ...tools.metering,
    async reserve(...asked) {
      note('reserve');
      const reserved = await tools.metering.reserve(...asked);
      if ('error' in reserved) return reserved;
      const settle: typeof reserved.settle = (settlement) => {
        note('settle');
        reserved.settle(settlement);
      };
      return { ...reserved, settle };
    },
  },
});

/** Longer than what counts as a large response. */
const rest = ' '.repeat(100_000);
const large = documentOf({ summary: `secret${rest}` });

const notedForm: ApiForm = {
  ...openAiAnswerForm,
  whole(document) {
    note('form');
    return openAiAnswerForm.whole(document);
  },
};

async function readNoted(tools: BenchTools, exchange: IncomingExchange, draft: RequestDraft): Promise<PaidRequest> {
  note('read');
  const request = await readSummary(tools, exchange, draft);
  return {
    ...request,
    form: notedForm,
    admit: () => note('admit'),
    async attempt(life): Promise<PaidAnswer> {
      note('attempt');
      const answer = await request.attempt(life);
      return { ...answer, content: { kind: 'whole', document: large, complete: true } };
    },
  };
}

let bench: ServingBench;
beforeAll(async () => {
  bench = await startServingBench((plain) => {
    const tools = noted(plain);
    const budget = createByteBudget(1_000_000, 'LIMIT');
    const life = openLife({ ...tools, budget, maxBodyBytes: 100_000, operations: { answer: 'chat' } });
    const read = (exchange: IncomingExchange, draft: RequestDraft) => readNoted(tools, exchange, draft);
    const pay = life.pay({ name: 'summary', operation: 'chat', events: tools.events, read });
    return life.arrive({ answer: pay }).answer;
  });
});
afterAll(() => bench.close());

test('a request passes all steps in their order', async () => {
  const pattern = { name: 'secret', pattern: 'secret', action: 'redact' } as const;
  const rules = { patterns: [pattern] };
  const principal = { accountId: 'a', keyId: 'k', guardrails: [{ request: rules, answer: rules }] };
  const headers = { 'idempotency-key': 'once' };
  const { body } = await bench.open({ model: 'sandbox-chat', text: 'a secret', stream: false }, { principal, headers });
  expect(JSON.parse(Buffer.from(await body.bytes()).toString())).toEqual({ summary: `[secret]${rest}` });
  note('send');
  expect(seen).toEqual(lifeSteps.map(({ name }) => name));
});
