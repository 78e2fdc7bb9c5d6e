import { expect, test } from 'vitest';
import { checkByModel, checkChatModel } from './model-strictness.ts';

const tools = [{ type: 'function', function: { name: 'f' } }];

test.each<[string, object, string | undefined]>([
  ['gpt-5', { stop: 'x' }, 'stop'],
  ['gpt-5.2', { stop: 'x', reasoning_effort: 'none' }, 'stop'],
  ['o1', { stop: 'x' }, undefined],
  ['gpt-4o', { stop: 'x' }, undefined],
  ['o3', { max_tokens: 5 }, 'max_tokens'],
  ['gpt-5', { temperature: 0.5 }, 'temperature'],
  ['gpt-5', { temperature: 1 }, undefined],
  ['gpt-5.2', { temperature: 0.5, reasoning_effort: 'none' }, undefined],
  ['gpt-5', { logprobs: true }, 'logprobs'],
  ['gpt-5', { reasoning_effort: 'none' }, 'reasoning_effort'],
  ['gpt-5-mini-2025-08-07', { reasoning_effort: 'minimal' }, undefined],
  ['gpt-5.1', { reasoning_effort: 'xhigh' }, 'reasoning_effort'],
  ['gpt-5.4', { reasoning_effort: 'xhigh' }, undefined],
  ['gpt-6-sol', { reasoning_effort: 'max' }, undefined],
  ['o4-mini', { reasoning_effort: 'minimal' }, 'reasoning_effort'],
  ['gpt-4o', { reasoning_effort: 'low' }, 'reasoning_effort'],
  ['gpt-5-chat-latest', { reasoning_effort: 'low' }, 'reasoning_effort'],
  ['gpt-4o', { verbosity: 'low' }, 'verbosity'],
  ['o3', { verbosity: 'low' }, 'verbosity'],
  ['gpt-5', { verbosity: 'low' }, undefined],
  ['gpt-4o', { web_search_options: {} }, 'web_search_options'],
  ['gpt-4o-search-preview', { web_search_options: {} }, undefined],
  ['gpt-5.4', { tools, reasoning_effort: 'low' }, 'reasoning_effort'],
  ['gpt-5.4', { tools }, undefined],
  ['gpt-5.6-sol', { tools }, 'reasoning_effort'],
  ['gpt-5.6-sol', { tools, reasoning_effort: 'none' }, undefined],
  ['gpt-6-luna', { tools }, 'reasoning_effort'],
  ['gpt-6-luna', { tools, reasoning_effort: 'none' }, undefined],
  ['gpt-6.1-sol', { reasoning_effort: 'none' }, 'reasoning_effort'],
  ['gpt-6.2-sol', { reasoning_effort: 'minimal' }, 'reasoning_effort'],
  ['gpt-6.1-sol', { tools, reasoning_effort: 'low' }, 'reasoning_effort'],
  ['gpt-5.2', { tools, reasoning_effort: 'low' }, undefined],
  ['gpt-6.2-sol', { service_tier: 'flex' }, 'service_tier'],
  ['gpt-6.2-sol', { service_tier: 'priority' }, undefined],
  ['gpt-6.1-sol', { service_tier: 'flex' }, undefined],
  ['any-other', { stop: 'x', reasoning_effort: 'low', verbosity: 'low' }, undefined],
])('%s, asked for %j', (model, members, param) => {
  expect(checkByModel({ model, ...members })?.param).toBe(param);
});

test.each([
  ['gpt-5.6-cyber', 404],
  ['gpt-6.2-astra-law', 404],
  ['gpt-6-luna', undefined],
])('%s in chats: %s', (model, status) => {
  expect(checkChatModel({ model })?.status).toBe(status);
});
