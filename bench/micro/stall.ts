import { catalogueOf, modelOf, offerOf } from '../../packages/contracts/src/testing/index.ts';
import { type ChatBench, startChatBench } from '../../services/chat-svc/src/testing/chat-bench.ts';
import { median } from '../measure/stats.ts';
import { longestGap } from './longest-gap.ts';
import { startSimulatedVendors } from './simulated-vendors.ts';

/**
 * How long one large prompt blocks the event loop of chat-svc: the longest gap while the prompt is read, validated,
 * translated and sent. The vendor is a separate process, so that it does not count. Goal: 50 ms.
 */
const characters = 400_000; // About 100,000 tokens.
const line = 'The quick brown fox jumps over the lazy dög, and "looks" back.\n';
const text = (length: number): string => line.repeat(Math.ceil(length / line.length)).slice(0, length);
const user = (content: string) => ({ role: 'user', content });

const prompts: Record<string, object> = {
  'one message': { messages: [user(text(characters))] },
  '2,000 messages': {
    messages: Array.from({ length: 2_000 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: text(characters / 2_000),
    })).concat(user('Go on.')),
  },
  '1,000 tool results': {
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
    messages: [user('Call them.')]
      .concat(
        Array.from({ length: 1_000 }, (_, at) => [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: `call_${at}`, type: 'function', function: { name: 'f', arguments: '{"a":[1,2,3]}' } }],
          },
          { role: 'tool', tool_call_id: `call_${at}`, content: text(characters / 1_000) },
        ]).flat() as never[],
      )
      .concat(user('[text] Go on.')),
  },
  'an image of 15 MB': {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,iVBORw0KGgo${'A'.repeat(20_000_000 - 11)}` } },
        ],
      },
    ],
  },
};

const offers = [
  { providerId: 'sandbox-a', modelName: 'sandbox-chat' },
  { providerId: 'anthropic', modelName: 'claude-haiku-4-5' },
  { providerId: 'google', modelName: 'gemini-2.5-flash-lite' },
];

const url = await startSimulatedVendors();
const bench = await startChatBench({
  environment: {
    SANDBOX_BASE_URL: url,
    ANTHROPIC_API_KEY: 'any',
    ANTHROPIC_BASE_URL: `${url}/anthropic/v1`,
    GEMINI_API_KEY: 'any',
    GEMINI_BASE_URL: `${url}/google/v1beta`,
  },
  catalogue: catalogueOf(...offers.map((offer) => modelOf(offer.modelName, [offerOf(offer.providerId, offer)]))),
});

console.log('prompt               vendor       status  longest gap of the event loop, ms (median of 5)');
for (const [name, prompt] of Object.entries(prompts)) {
  for (const { providerId, modelName } of offers) {
    const { status, gapMs } = await measure(Buffer.from(JSON.stringify({ model: modelName, ...prompt })));
    console.log(`${name.padEnd(20)} ${providerId.padEnd(12)} ${status}     ${gapMs.toFixed(1)}`);
  }
}
await bench.close();

/** Runs once to warm up, then five times. */
async function measure(body: Buffer): Promise<{ status: number; gapMs: number }> {
  const { status } = await longestGap(() => ask(bench, body));
  const gaps: number[] = [];
  for (let round = 0; round < 5; round += 1) gaps.push((await longestGap(() => ask(bench, body))).gapMs);
  return { status, gapMs: median(gaps) };
}

async function ask(from: ChatBench, body: Buffer): Promise<number> {
  return (await from.ask(body)).status;
}
