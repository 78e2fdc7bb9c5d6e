import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Rig, startRig } from '../clients/rig.ts';
import { partOf } from '../support/scale.ts';
import { type RecordedRequest, recordedRequests } from './recorded.ts';

/** Sends the recorded requests of agents (`npm run agents -- --record`) to the models of these vendors. */
const vendors = ['anthropic', 'aws-bedrock', 'deepseek', 'google', 'groq', 'mistral', 'openai', 'xai'];

let rig: Rig;
let models: string[];

beforeAll(async () => {
  rig = await startRig();
  models = await chatModels();
});
afterAll(() => rig?.stop());

/**
 * The bodies of an agent share the models: each is sent to every 48th one, or to more if there are fewer bodies, so that
 * every model gets bodies of several agents.
 */
const requests = [...Map.groupBy(recordedRequests(), ({ agent }) => agent).values()].flatMap((bodies) =>
  bodies.map((recorded, turn) => ({ ...recorded, turn, one: 3 * Math.min(16, bodies.length) })),
);

test.each(requests)('$agent, recorded with $asked', async ({ path, body, turn, one }) => {
  const refusals: string[] = [];
  const chosen = partOf(models, { one, from: turn });
  for (const model of chosen.filter((name) => knowsTools(name, { path, body }))) {
    const { status, text } = await sendTo(model, { path, body });
    // An error after the first content is an event of the stream.
    if (status !== 200 || errorEvent.test(text)) refusals.push(`${model}: ${status} ${text.slice(0, 300)}`);
  }
  expect(refusals).toEqual([]);
});

test('the requests of Codex reach the vendor that has their API unchanged', async () => {
  const bodies = recordedRequests().filter(({ agent, path }) => agent === 'codex' && path === '/v1/responses');
  expect(bodies.length).toBeGreaterThan(0);
  for (const { path, body } of bodies) {
    const { status, lane } = await send(path, { ...body, model: 'openai/gpt-6-luna' });
    expect([status, lane]).toEqual([200, 'native']);
    expect(rig.simulator.requests.at(-1)).toMatchObject({
      path: '/v1/responses',
      body: JSON.stringify({ ...body, input: withoutSealed(body.input), model: 'gpt-6-luna' }),
    });
  }
});

/** Reasoning of another vendor's model stays here. */
const withoutSealed = (input: unknown): unknown =>
  Array.isArray(input) ? input.filter((item) => !String(item.encrypted_content).startsWith('tallyport-')) : input;

/** In the form of each API. */
const errorEvent = /^data: \{"error"|^event: (error|response\.failed)$/m;

test('covers every chat model with tools of each vendor', () => {
  const providers = new Set(models.map((model) => model.split('/')[0]));
  expect([...providers].toSorted()).toEqual(vendors);
  expect(models.length).toBeGreaterThan(80);
});

/** OpenAI calls functions of these models only in its Responses API. */
const onlyByResponses = /^openai\/gpt-6(-astra|\.1-sol|\.2)/;

/** Custom tools exist only at OpenAI, and agents send them only to its models; the gateway refuses them for others. */
const knowsTools = (model: string, { path, body: { tools = [] } }: Pick<RecordedRequest, 'path' | 'body'>): boolean =>
  onlyByResponses.test(model)
    ? path === '/v1/responses' || JSON.stringify(tools) === '[]'
    : model.startsWith('openai/') || !JSON.stringify(tools).includes('"type":"custom"');

const listSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      architecture: z.object({ output_modalities: z.array(z.string()) }),
      providers: z.array(z.object({ providerId: z.string(), tools: z.boolean(), available: z.boolean() })),
    }),
  ),
});

async function chatModels(): Promise<string[]> {
  const answer = await fetch(`${rig.gateway.baseUrl}/v1/models`, {
    headers: { authorization: `Bearer ${rig.gateway.apiKey}` },
  });
  return listSchema
    .parse(await answer.json())
    .data.filter(({ architecture }) => architecture.output_modalities.join() === 'text')
    .flatMap(({ id, providers }) =>
      providers
        .filter(({ providerId, tools, available }) => vendors.includes(providerId) && tools && available)
        .map(({ providerId }) => `${providerId}/${id}`),
    );
}

/** Gemini's API has the model in the path, the others have it in the body. */
function sendTo(model: string, { path, body }: Pick<RecordedRequest, 'path' | 'body'>) {
  const named = path.replace(/(?<=^\/v1beta\/models\/)[^:]+/, () => model);
  return send(named, named === path ? { ...body, model } : body);
}

interface SentAnswer {
  status: number;
  lane: string | null;
  text: string;
}

async function send(path: string, body: Record<string, unknown>): Promise<SentAnswer> {
  const answer = await fetch(rig.gateway.baseUrl + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${rig.gateway.apiKey}`,
      'content-type': 'application/json',
      'x-no-fallback': 'true',
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, lane: answer.headers.get('x-tallyport-lane'), text: await answer.text() };
}
