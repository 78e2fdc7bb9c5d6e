import { expect, test } from 'vitest';
import { usageOfResponse } from './usage.ts';

const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
const plain = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

test('writes have their lifetimes', () => {
  const details = {
    cached_tokens: 5,
    cache_write_tokens: 50,
    cache_write_tokens_details: { ttl_30m_tokens: 20, ttl_12h_tokens: 30 },
  };
  expect(usageOfResponse({ usage: { ...usage, input_tokens_details: details } })).toEqual({
    ...plain,
    prompt_tokens_details: details,
  });
});

test('hosted tools are counted by what ran', () => {
  const output = [
    { type: 'web_search_call', action: { type: 'search' } },
    { type: 'web_search_call', action: { type: 'open_page' } },
    { type: 'file_search_call' },
    { type: 'code_interpreter_call', container_id: 'c1' },
    { type: 'code_interpreter_call', container_id: 'c1' },
    { type: 'message' },
  ];
  const counts = { file_search_calls: 1, code_interpreter_sessions: 1 };
  expect(usageOfResponse({ usage, output })?.server_tool_use).toEqual({ web_search_requests: 1, ...counts });
  // What the vendor counts has precedence over what it shows.
  const reported = { web_search: { num_requests: 4 }, image_gen: { input_tokens: 0, output_tokens: 0 } };
  expect(usageOfResponse({ usage, output, tool_usage: reported })).toEqual({
    ...plain,
    server_tool_use: { web_search_requests: 4, ...counts },
  });
});

test('a drawn image has the tokens of its own model', () => {
  const image_gen = {
    input_tokens: 70,
    input_tokens_details: { text_tokens: 20, image_tokens: 50 },
    output_tokens: 272,
    total_tokens: 342,
  };
  const drawn = {
    for: 'image_generation',
    usage: {
      prompt_tokens: 70,
      completion_tokens: 272,
      total_tokens: 342,
      prompt_tokens_details: { cached_tokens: 0, image_tokens: 50 },
      completion_tokens_details: { image_tokens: 272 },
    },
  };
  const tool = { type: 'image_generation', model: 'gpt-image-1.5' };
  const modelOf = (tools: object[]) => usageOfResponse({ usage, tools, tool_usage: { image_gen } })?.other_models;
  expect(modelOf([tool])).toEqual([{ ...drawn, model: 'gpt-image-1.5' }]);
  expect(modelOf([])).toEqual([{ ...drawn, model: 'gpt-image-2' }]);
});

test('counts that are not known are named', () => {
  const tool_usage = { web_search: { num_requests: 0 }, dreaming: { input_tokens: 3 } };
  expect(usageOfResponse({ usage: { ...usage, future_tokens: 7 }, tool_usage })?.unknown_classes).toEqual([
    'future_tokens',
    'tool_usage.dreaming',
  ]);
});
