import type { ChatRequest } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { chatProviders } from '../chat-providers.ts';
import { customProvider } from '../custom/custom-provider.ts';
import { callOf, vendorOffer } from '../testing/translate.ts';
import { leaveOutCacheMarks } from './cache-marks.ts';

const cache_control = { type: 'ephemeral' };
const prompt_cache_breakpoint = { mode: 'explicit' };
const part = { type: 'text' as const, text: 'Hello' };
const tool = { type: 'function' as const, function: { name: 'weather' } };

test('removes marks from the body, messages, parts and tools, and changes nothing else', () => {
  const untouched = { role: 'user', content: [part] };
  const messages = [
    { role: 'system', content: 'Be brief.', cache_control },
    { role: 'user', content: [part, { ...part, cache_control, prompt_cache_breakpoint }] },
    untouched,
    { role: 'tool', tool_call_id: 'a', content: [{ ...part, prompt_cache_breakpoint }] },
  ];
  const body: Record<string, unknown> = { messages, tools: [tool, { ...tool, cache_control }], cache_control };
  leaveOutCacheMarks(body);
  expect(body).toEqual({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [part, part] },
      untouched,
      { role: 'tool', tool_call_id: 'a', content: [part] },
    ],
    tools: [tool, tool],
  });
  expect((body.messages as unknown[])[2]).toBe(untouched);
  expect(messages[1]?.content[1]).toHaveProperty('cache_control');
});

test('each mark is sent only to vendors that read it', () => {
  const marked = { ...part, cache_control, prompt_cache_breakpoint };
  const request: Partial<ChatRequest> = { messages: [{ role: 'user', content: [marked] }] };
  const custom = customProvider({ id: 'acme', baseUrl: 'https://acme.example', keyVariable: 'ACME' });
  const receivers = (mark: string) =>
    [...chatProviders, custom]
      .filter(({ dialect }) => dialect === 'openai')
      .filter((provider) => provider.request(callOf(request), vendorOffer(provider)).body.includes(mark))
      .map(({ id }) => id);
  expect(receivers('cache_control')).toEqual(['alibaba', 'openrouter', 'acme']);
  expect(receivers('prompt_cache_breakpoint')).toEqual(['azure', 'openai', 'openrouter', 'acme']);
});
