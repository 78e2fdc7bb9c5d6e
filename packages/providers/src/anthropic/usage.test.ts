import { expect, test } from 'vitest';
import { anthropicUsage } from './usage.ts';

const counts = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 30, cache_read_input_tokens: 20 };
const noTools = { server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 } };
const lifetimes = { cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 } };
const written = { ttl_5m_tokens: 10, ttl_1h_tokens: 20 };

test('a write has its lifetime', () => {
  expect(anthropicUsage({ ...counts, ...lifetimes, ...noTools, service_tier: 'standard' })).toEqual({
    prompt_tokens: 60,
    completion_tokens: 5,
    total_tokens: 65,
    prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 30, cache_write_tokens_details: written },
  });
});

test('summaries are added, other models are not', () => {
  const iterations = [
    { type: 'compaction', ...counts, ...lifetimes, input_tokens: 180_000, output_tokens: 3_500 },
    { type: 'compaction', input_tokens: 100, output_tokens: 50 },
    { type: 'message', ...counts, input_tokens: 23_000 },
    { type: 'advisor_message', model: 'claude-opus-5-5', input_tokens: 700, output_tokens: 40 },
    { type: 'dream', input_tokens: 1, output_tokens: 0 },
    { type: 'nothing', input_tokens: 0, output_tokens: 0 },
  ];
  expect(anthropicUsage({ ...counts, input_tokens: 23_000, iterations, inference_geo: 'us' })).toEqual({
    prompt_tokens: 23_000 + 50 + 180_100 + 50,
    completion_tokens: 3_555,
    total_tokens: 206_755,
    prompt_tokens_details: {
      cached_tokens: 40,
      cache_write_tokens: 60,
      cache_write_tokens_details: { ttl_5m_tokens: 40, ttl_1h_tokens: 20 },
      compaction_tokens: 180_100,
    },
    completion_tokens_details: { compaction_tokens: 3_550 },
    other_models: [
      {
        for: 'advisor',
        model: 'claude-opus-5-5',
        usage: {
          prompt_tokens: 700,
          completion_tokens: 40,
          total_tokens: 740,
          prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        },
      },
    ],
    iterations: 6,
    inference_geo: 'us',
    unknown_classes: ['iterations.dream'],
  });
});

test('tools are counted if they ran', () => {
  const tools = { web_search_requests: 3, web_fetch_requests: 0, code_execution_requests: 2 };
  expect(anthropicUsage({ input_tokens: 1, output_tokens: 1, server_tool_use: tools })).toEqual({
    prompt_tokens: 1,
    completion_tokens: 1,
    total_tokens: 2,
    server_tool_use: { web_search_requests: 3, web_fetch_requests: 0 },
    unknown_classes: ['server_tool_use.code_execution_requests'],
  });
});
