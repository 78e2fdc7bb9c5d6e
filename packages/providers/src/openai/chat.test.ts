import { describe, expect, test } from 'vitest';
import type { ChatRequest } from '@tallyport/wire';
import { azure } from '../azure/chat.ts';
import { vendorOf } from '../testing/openai-vendor.ts';
import { openai } from './chat.ts';

const tools = [{ type: 'function' as const, function: { name: 'f' } }];
const efforts = ['none', 'low', 'medium', 'high', 'xhigh'];
const old = { modelName: 'gpt-4o' };
const reasoning = { modelName: 'gpt-5', reasoning: true, reasoningEfforts: ['minimal', 'low', 'medium', 'high'] };
const newer = { modelName: 'gpt-5.2', reasoning: true, reasoningEfforts: efforts };

describe.each([
  ['openai', vendorOf(openai)],
  ['azure', vendorOf(azure)],
])('%s', (_id, { sent, unsupported }) => {
  test('leaves out other vendors’ hints and sends unknown members', () => {
    const foreign = { top_k: 40, min_p: 0.1, repetition_penalty: 1.1, usage: { include: true } };
    expect(sent({ ...foreign, thinking: { type: 'enabled' }, seed: 7, brand_new: 1 }, old)).toEqual({
      seed: 7,
      brand_new: 1,
    });
  });

  test.each([
    ['a model that does not reason', old, 'high' as const, undefined],
    ['a supported effort', reasoning, 'minimal' as const, 'minimal'],
    ['one above the highest', reasoning, 'xhigh' as const, 'high'],
    ['none, on a model that always reasons', reasoning, 'none' as const, 'minimal'],
    ['none, on a model that supports it', newer, 'none' as const, 'none'],
    ['one below the lowest', newer, 'minimal' as const, 'low'],
    ['a model without a list of efforts', { modelName: 'mine', reasoning: true }, 'xhigh' as const, 'xhigh'],
  ])('effort: %s', (_title, offer, reasoning_effort, expected) => {
    expect(sent({ reasoning_effort }, offer)).toEqual(expected === undefined ? {} : { reasoning_effort: expected });
  });

  test('sends verbosity only to models that support it', () => {
    const o3 = { modelName: 'o3', reasoning: true };
    expect([old, o3, newer].map((offer) => sent({ verbosity: 'low' }, offer))).toEqual([{}, {}, { verbosity: 'low' }]);
  });

  test.each<[string, Partial<ChatRequest>, object, string | undefined]>([
    ['stop texts', { stop: 'x' }, reasoning, 'stop'],
    ['stop texts without reasoning', { stop: 'x', reasoning_effort: 'none' }, newer, 'stop'],
    ['an empty list of stop texts', { stop: [] }, reasoning, undefined],
    ['stop texts', { stop: 'x' }, { modelName: 'o1', reasoning: true }, undefined],
    ['stop texts', { stop: 'x' }, old, undefined],
    ['logprobs', { logprobs: true }, reasoning, 'logprobs'],
    ['logprobs switched off', { logprobs: false }, reasoning, undefined],
    ['logprobs without reasoning', { logprobs: true, reasoning_effort: 'none' }, newer, undefined],
    ['logprobs on a model without effort none', { logprobs: true, reasoning_effort: 'none' }, reasoning, 'logprobs'],
    ['a search', { web_search_options: {} }, old, 'web_search_options'],
    ['a search', { web_search_options: {} }, { modelName: 'gpt-4o-search-preview' }, undefined],
  ])('%s: %j', (_title, request, offer, expected) => {
    expect(unsupported(request, offer)).toBe(expected);
  });

  test('sends sampling hints only if the model does not reason', () => {
    const request = { temperature: 0.5, reasoning_effort: 'none' as const };
    expect(sent(request, reasoning)).toEqual({ reasoning_effort: 'minimal' });
    expect(sent(request, newer)).toEqual(request);
    expect(sent({ temperature: 0.5 }, newer)).toEqual({});
    expect(sent({ temperature: 0.5, reasoning: { effort: 'none' } }, newer)).toEqual(request);
  });

  // OpenAI: "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. To use function
  // tools, use /v1/responses or set reasoning_effort to 'none'."
  test('prefers calls on models that either reason or call tools', () => {
    const offer = { ...newer, modelName: 'gpt-5.6-sol' };
    const called = { tools, reasoning_effort: 'none' };
    expect(sent({ tools, reasoning_effort: 'high' }, offer)).toEqual(called);
    expect(sent({ tools, temperature: 0.5 }, offer)).toEqual({ ...called, temperature: 0.5 });
    expect(sent({ tools: [], reasoning_effort: 'high' }, offer)).toEqual({ reasoning_effort: 'high' });
    expect(sent({ tools, reasoning_effort: 'high' }, newer)).toEqual({ tools, reasoning_effort: 'high' });
  });

  test('refuses tools for models that neither stop reasoning nor combine it with them', () => {
    const offer = { ...newer, modelName: 'gpt-6.1-sol', reasoningEfforts: ['low', 'medium', 'high', 'xhigh', 'max'] };
    expect(unsupported({ tools }, offer)).toBe('tools');
    expect(unsupported({}, offer)).toBe(undefined);
    expect(sent({ reasoning_effort: 'none' }, offer)).toEqual({ reasoning_effort: 'low' });
    expect(sent({ reasoning_effort: 'minimal' }, offer)).toEqual({ reasoning_effort: 'low' });
    expect(sent({ tools }, { ...newer, modelName: 'gpt-6-luna' })).toEqual({ tools, reasoning_effort: 'none' });
  });

  test('sends refusals of earlier turns unchanged', () => {
    const messages = [{ role: 'assistant' as const, content: null, refusal: 'No.' }];
    expect(sent({ messages })).toEqual({ messages });
  });
});
