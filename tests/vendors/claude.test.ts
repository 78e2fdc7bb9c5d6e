import { GatewayError } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { findChatProvider } from '@tallyport/providers';
import { startSimulator, type Simulator } from '@tallyport/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claudeRequests } from './claude-requests.ts';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0 });
});
afterAll(() => simulator.close());

const versions = ['claude-opus-5-5', 'claude-opus-5', 'claude-opus-4-8', 'claude-sonnet-4-6', 'claude-sonnet-4-5'];
const older = ['claude-opus-4-1-20250805', 'claude-sonnet-4-20250514', 'claude-3-7-sonnet-20250219'];
const names = [...versions, ...older];

/** Claude at Anthropic, Google and Amazon, and other models of Bedrock. */
const offers = [
  ...names.map((name) => ['anthropic', name] as const),
  ...names.map((name) => ['google-vertex', name] as const),
  ...names.map((name) => ['aws-bedrock', `us.anthropic.${name}-v1:0`] as const),
  ['aws-bedrock', 'amazon.nova-pro-v1:0'] as const,
  ['aws-bedrock', 'openai.gpt-oss-120b-1:0'] as const,
];

const always = /opus-5-5/;

describe.each(offers)('%s %s', (providerId, modelName) => {
  test.each(Object.entries(claudeRequests))('accepts %s', async (_name, members) => {
    const request = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }], ...members };
    const choice = request.tool_choice ?? request.function_call;
    const isForced = choice === 'required' || typeof choice === 'object';
    // This model cannot force a tool: the adapter refuses tool_choice, so that another offer is tried.
    const expected = always.test(modelName) && isForced ? 'refused by us: tool_choice' : 'accepted';
    expect(await sent(providerId, { modelName, request })).toBe(expected);
  });
});

type Request = Parameters<NonNullable<ReturnType<typeof findChatProvider>>['request']>[0]['request'];

async function sent(providerId: string, { modelName, request }: { modelName: string; request: Request }) {
  const provider = findChatProvider(providerId);
  if (provider === undefined) throw new Error(`no provider ${providerId}`);
  try {
    const { path, body } = provider.request({ request, stream: false }, offerOf(providerId, { modelName }));
    return await answerTo(providerId, { path, body, modelName });
  } catch (error) {
    if (error instanceof GatewayError) return `refused by us: ${error.param}`;
    throw error;
  }
}

async function answerTo(
  providerId: string,
  { path, body, modelName }: { path: string; body: string; modelName: string },
) {
  const isBedrock = providerId === 'aws-bedrock';
  const { anthropic_version: _version, ...own } = JSON.parse(body);
  const response = await fetch(simulator.url + (isBedrock ? `/bedrock${path}` : '/anthropic/v1/messages'), {
    method: 'POST',
    headers: { authorization: 'Bearer k', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
    // Google Cloud has the model in the path and accepts the same body.
    body: JSON.stringify(isBedrock ? own : { model: modelName, ...own }),
  });
  const text = await response.text();
  return response.ok ? 'accepted' : text;
}
