import type { ServerResponse } from 'node:http';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { chatProviders } from '@tallyport/providers';
import { afterEach, expect, test } from 'vitest';
import type { ChatOutcome } from '../chat/chat-outcome.ts';
import { indexCatalogue } from '../plan/model-index.ts';
import { planEmbeddings } from '../plan/plan-embeddings.ts';
import { createStandings } from '../standing/standings.ts';
import { readTargets } from '../targets/targets.ts';
import { forgetful } from '../testing/dispatch-bench.ts';
import { startScriptedVendor } from '../testing/scripted-vendor.ts';
import { createEmbeddingDispatch } from './embedding-dispatch.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Of the inputs of a call, as the vendor got it. */
type Answer = (inputs: readonly string[], response: ServerResponse) => void;

/** A vendor that takes ten inputs a call, and a request for 50, each a text with its place. */
async function open(answer: Answer, maxResponseBytes = 1_000_000) {
  const calls: string[][] = [];
  const vendor = await startScriptedVendor((response) => {
    const inputs: string[] = JSON.parse(vendor.bodies.at(-1) ?? '').input;
    calls.push(inputs);
    answer(inputs, response);
  });
  const targets = readTargets(chatProviders, () => ({ keys: ['k'], baseUrl: vendor.url }));
  const standings = createStandings({ settings: forgetful });
  const dispatch = createEmbeddingDispatch({ targets, standings, routing: forgetful, maxResponseBytes });
  cleanups.push(vendor.close, () => standings.close(), dispatch.close);
  const model = { ...modelOf('m', [offerOf('alibaba', { modelName: 'm' })]), outputModalities: ['embeddings'] };
  const ground = { obstacle: targets.obstacle, standing: standings.of, settings: forgetful, maxAttempts: 3 };
  const index = indexCatalogue(catalogueOf(model));
  const call = { inputs: Array.from({ length: 50 }, (_, at) => `${at}`), encoding: 'float' as const };
  const question = { model: 'm', call, fallback: undefined };
  const plan = planEmbeddings(question, targets, { index, ...ground, random: 1, now: 0 });
  const outcomes: ChatOutcome[] = [];
  const leaving = new AbortController();
  const job = { call, plan, signal: leaving.signal, onOutcome: (outcome: ChatOutcome) => void outcomes.push(outcome) };
  return { calls, outcomes, leaving, embed: () => dispatch.serve(job) };
}

const sendVectors = (inputs: readonly string[], response: ServerResponse): void => {
  const data = inputs.map((input) => ({ embedding: [Number(input), 0] }));
  response.end(JSON.stringify({ data, usage: { prompt_tokens: inputs.length } }));
};

test('joins the calls of a request in order, whichever ends first, and sums their tokens', async () => {
  const late: (() => void)[] = [];
  const { embed, calls, outcomes } = await open((inputs, response) => {
    if (inputs[0] === '0') late.push(() => sendVectors(inputs, response));
    else sendVectors(inputs, response);
    if (inputs[0] === '40') for (const send of late) send();
  });
  const { answer, usage } = await embed();
  const texts = answer.vectors.map((parts) => Buffer.concat([...parts]).toString());
  expect(texts).toEqual(Array.from({ length: 50 }, (_, at) => `[${at},0]`));
  expect([usage.prompt_tokens, calls.length]).toEqual([50, 5]);
  expect(outcomes).toMatchObject([{ usage: { prompt_tokens: 50 }, usageEstimated: false, endReason: 'done' }]);
});

test('fails as a whole with the first failed call, and makes no further ones', async () => {
  const { embed, calls, outcomes } = await open((inputs, response) => {
    if (inputs[0] !== '10') return;
    response.statusCode = 400;
    response.end(JSON.stringify({ error: { message: 'Too much.', code: 'invalid_request_error' } }));
  });
  await expect(embed()).rejects.toMatchObject({ status: 400, message: expect.stringContaining('Too much.') });
  // Four calls run at once.
  expect(calls.length).toBeLessThanOrEqual(4);
  expect(outcomes).toMatchObject([{ attempts: [{ status_code: 400 }], served: undefined, usage: undefined }]);
});

test('bounds the size of all concurrent answers together', async () => {
  const { embed } = await open((_inputs, response) => response.end(Buffer.alloc(30_000, ' ')), 100_000);
  await expect(embed()).rejects.toMatchObject({ code: 'all_providers_failed' });
});

test('bills the inputs if the client leaves while the provider works', async () => {
  const { embed, leaving, outcomes } = await open(() => leaving.abort());
  await expect(embed()).rejects.toMatchObject({ code: 'client_closed_request' });
  expect(outcomes).toMatchObject([
    { served: { providerId: 'alibaba' }, usage: { prompt_tokens: 50 }, usageEstimated: true, endReason: 'client_gone' },
  ]);
});
