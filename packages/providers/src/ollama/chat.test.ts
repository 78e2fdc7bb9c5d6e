import { expect, test } from 'vitest';
import { vendorOf } from '../testing/openai-vendor.ts';
import { ollama } from './chat.ts';

const { sent, unsupported, choice, failure } = vendorOf(ollama);
const tool = { type: 'function' as const, function: { name: 'f' } };

test('it needs no key, and images inside the request', () => {
  expect(ollama.auth).toEqual({ kind: 'bearer', optional: true });
  expect(ollama.images).toBe('inline');
});

test('a choice of tools it would ignore is refused, or kept by leaving the tools out', () => {
  expect(unsupported({ tools: [tool], tool_choice: 'required' })).toBe('tool_choice');
  expect(unsupported({ tools: [tool], tool_choice: tool })).toBe('tool_choice');
  expect(sent({ tools: [tool], tool_choice: 'none' })).toEqual({});
  expect(sent({ tools: [tool], tool_choice: 'auto', reasoning_effort: 'low' })).toEqual({
    tools: [tool],
    tool_choice: 'auto',
    reasoning_effort: 'low',
  });
});

test('thinking is called reasoning', () => {
  expect(choice({ content: 'x', reasoning: 'hm' })?.message).toMatchObject({ content: 'x', reasoning_content: 'hm' });
});

test('a model that is not there', () => {
  const error = { message: "model 'x' not found", type: 'not_found_error', param: null, code: null };
  expect(failure(404, { error })).toMatchObject({ code: 'upstream_error', domain: 'provider' });
});
