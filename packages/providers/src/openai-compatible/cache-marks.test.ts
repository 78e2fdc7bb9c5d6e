import { expect, test } from 'vitest';
import { leaveOutCacheMarks } from './cache-marks.ts';

const cache_control = { type: 'ephemeral' };

test('removes marks from messages, parts and tools, and changes nothing else', () => {
  const part = { type: 'text', text: 'Hello' };
  const tool = { type: 'function', function: { name: 'weather' } };
  const untouched = { role: 'user', content: [part] };
  const messages = [
    { role: 'system', content: 'Be brief.', cache_control },
    { role: 'user', content: [part, { ...part, cache_control }] },
    untouched,
  ];
  const body: Record<string, unknown> = { messages, tools: [tool, { ...tool, cache_control }] };
  leaveOutCacheMarks(body);
  expect(body).toEqual({
    messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: [part, part] }, untouched],
    tools: [tool, tool],
  });
  expect((body.messages as unknown[])[2]).toBe(untouched);
  expect(messages[1]?.content[1]).toHaveProperty('cache_control');
});
