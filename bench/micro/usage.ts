import { offerOf } from '../../packages/contracts/src/testing/index.ts';
import { price, tokensOfChat } from '../../packages/pricing/src/index.ts';
import { anthropicUsage } from '../../packages/providers/src/anthropic/usage.ts';
import { openAiUsage } from '../../packages/providers/src/openai-compatible/usage.ts';
import { median } from '../measure/stats.ts';

/** Time to read the usage of an answer and to price it, as a request does twice. */
const rounds = 15;
const times = 200_000;

const pricing = {
  prompt: '0.000005',
  completion: '0.000025',
  input_cache_read: '0.0000005',
  input_cache_write: '0.00000625',
};
const offer = offerOf('lab', { pricing });
const none = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
const claude = {
  input_tokens: 9,
  output_tokens: 400,
  cache_read_input_tokens: 12_000,
  cache_creation_input_tokens: 300,
  cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 0 },
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: 'standard',
};
const gpt = {
  usage: {
    prompt_tokens: 12_309,
    completion_tokens: 400,
    total_tokens: 12_709,
    prompt_tokens_details: { cached_tokens: 12_000, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 100, audio_tokens: 0, accepted_prediction_tokens: 0 },
  },
};

for (const [name, read] of [
  ['Anthropic', () => anthropicUsage(claude)],
  ['OpenAI', () => openAiUsage(gpt, {})],
] as const) {
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    for (let time = 0; time < times; time += 1) {
      price(offer, { ...tokensOfChat(read() ?? none), images: 0 });
    }
    measured.push(((performance.now() - startedAt) * 1_000) / times);
  }
  console.log(`${median(measured).toFixed(2)} µs to read and price the usage of ${name}`);
}
