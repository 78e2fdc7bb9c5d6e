import { expect, test } from 'vitest';
import { vendorOf } from '../testing/openai-vendor.ts';
import { ollama } from './chat.ts';

const { sent, unsupported, choice, failure } = vendorOf(ollama);
const tool = { type: 'function' as const, function: { name: 'f' } };

test('needs no key and requires inline images', () => {
  expect(ollama.auth).toEqual({ kind: 'bearer', optional: true });
  expect(ollama.images).toBe('inline');
});

test('refuses a tool choice it would ignore and leaves out tools for none', () => {
  expect(unsupported({ tools: [tool], tool_choice: 'required' })).toBe('tool_choice');
  expect(unsupported({ tools: [tool], tool_choice: tool })).toBe('tool_choice');
  expect(sent({ tools: [tool], tool_choice: 'none' })).toEqual({});
  expect(sent({ tools: [tool], tool_choice: 'auto', reasoning_effort: 'low' }, { reasoning: true })).toEqual({
    tools: [tool],
    tool_choice: 'auto',
    reasoning_effort: 'low',
  });
});

test('sends efforts only to thinking models, because others answer "does not support thinking"', () => {
  const reasoningEfforts = ['low', 'medium', 'high'];
  expect(sent({ reasoning_effort: 'low' })).toEqual({});
  expect(sent({ reasoning_effort: 'max' }, { reasoning: true, reasoningEfforts })).toEqual({
    reasoning_effort: 'high',
  });
  expect(sent({ reasoning_effort: 'max' }, { reasoning: true })).toEqual({ reasoning_effort: 'max' });
});

test('reads thinking from reasoning', () => {
  expect(choice({ content: 'x', reasoning: 'hm' })?.message).toMatchObject({ content: 'x', reasoning_content: 'hm' });
});

test('maps an unknown model to upstream_error', () => {
  const error = { message: "model 'x' not found", type: 'not_found_error', param: null, code: null };
  expect(failure(404, { error })).toMatchObject({ code: 'upstream_error', domain: 'provider' });
});
