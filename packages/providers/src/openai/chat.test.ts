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
])('%s', (id, { sent, unsupported }) => {
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
  test('models that reason are asked in the Responses API if there are tools', () => {
    const asked = {
      input: [{ type: 'message', role: 'user', content: 'Hi' }],
      tools: [{ type: 'function', name: 'f', parameters: null, strict: false }],
      store: false,
      include: ['reasoning.encrypted_content'],
    };
    const luna = { ...newer, modelName: 'gpt-6-luna' };
    const always = { ...newer, modelName: 'gpt-6.1-sol', reasoningEfforts: ['low', 'medium', 'high', 'xhigh', 'max'] };
    expect(sent({ tools, reasoning_effort: 'high', temperature: 0.5 }, luna)).toEqual({
      ...asked,
      reasoning: { effort: 'high' },
    });
    expect(sent({ tools, max_tokens: 5, seed: 7 }, { ...luna, stream: true })).toEqual({
      ...asked,
      max_output_tokens: 16,
      stream: true,
    });
    expect(sent({ tools, reasoning_effort: 'none' }, always)).toEqual({ ...asked, reasoning: { effort: 'low' } });
    expect(sent({ functions: [{ name: 'f' }] }, always)).toEqual({ ...asked, parallel_tool_calls: false });
    expect([luna, always, reasoning].map((offer) => unsupported({ tools }, offer))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each<[string, Partial<ChatRequest>, object, object]>([
    ['without tools', { tools: [], reasoning_effort: 'high' }, newer, { reasoning_effort: 'high' }],
    ['without reasoning', { tools, reasoning_effort: 'none' }, newer, { tools, reasoning_effort: 'none' }],
    ['of a model that does not reason', { tools }, old, { tools }],
    ['with the stop texts of o1', { tools, stop: 'x' }, { modelName: 'o1', reasoning: true }, { tools, stop: 'x' }],
  ])('chats %s are asked for in the chat API', (_title, request, offer, expected) => {
    expect(sent(request, offer)).toEqual(expected);
  });

  test('a model that has no other API is always asked in the Responses API', () => {
    const cyber = { ...newer, modelName: 'gpt-5.6-cyber' };
    expect(sent({}, cyber)).toMatchObject({ input: [{ type: 'message', role: 'user', content: 'Hi' }] });
  });

  test('a server without the Responses API is asked for chats without reasoning', () => {
    const provider = id === 'openai' ? openai : azure;
    const missing = provider.error(404, {}, 'Not found');
    const chats = vendorOf(provider.instead?.(missing) ?? provider);
    const called = { tools, reasoning_effort: 'none' };
    expect(chats.sent({ tools, reasoning_effort: 'high' }, { ...newer, modelName: 'gpt-5.4' })).toEqual(called);
    const always = { ...newer, modelName: 'gpt-6.1-sol', reasoningEfforts: ['low'] };
    expect(chats.unsupported({ tools }, always)).toBe('tools');
    expect(provider.instead?.(provider.error(404, {}, { error: { message: 'No.', code: 'model_not_found' } }))).toBe(
      undefined,
    );
  });

  test('sends refusals of earlier turns unchanged', () => {
    const messages = [{ role: 'assistant' as const, content: null, refusal: 'No.' }];
    expect(sent({ messages })).toEqual({ messages });
  });
});
