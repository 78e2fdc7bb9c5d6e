import { parseChatRequest } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { chunksOf, completionOf, eventsOf, readBody } from './testing/calls.ts';
import { openAiResponses } from './index.ts';
import { foldEvents } from './testing/fold-events.ts';

/** As Codex sends it: the whole history, null for what it leaves out, and members of its own. */
const body = {
  model: 'm',
  instructions: 'You are a coding agent.',
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Sandbox: read-only.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix it.' }] },
    {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Look first.' }],
      content: null,
      encrypted_content: null,
    },
    { type: 'function_call', name: 'read', namespace: 'mcp__files', arguments: '{}', call_id: 'call_1' },
    { type: 'function_call_output', call_id: 'call_1', output: 'text' },
  ],
  tools: [
    { type: 'function', name: 'exec_command', description: 'Runs.', strict: false, parameters: { type: 'object' } },
    {
      type: 'custom',
      name: 'apply_patch',
      description: 'Edits.',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
    },
    { type: 'web_search', external_web_access: false },
    { type: 'tool_search', execution: 'client' },
    {
      type: 'namespace',
      name: 'mcp__files',
      description: '',
      tools: [{ type: 'function', name: 'read', strict: false }],
    },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: null,
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'thread-1',
  service_tier: null,
  client_metadata: { origin: 'cli' },
  stream_options: { reasoning_summary_delivery: 'sequential' },
};

test('a turn of Codex', () => {
  const { chat } = readBody(body);
  expect(parseChatRequest(chat)).toMatchObject({ ok: true });
  expect(chat).toMatchObject({
    stream: true,
    prompt_cache_key: 'thread-1',
    messages: [
      { role: 'developer', content: 'You are a coding agent.' },
      { role: 'developer' },
      { role: 'user' },
      { role: 'assistant', reasoning_content: 'Look first.', tool_calls: [{ function: { name: 'mcp__files__read' } }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'text' },
    ],
    tools: ['exec_command', 'apply_patch', 'tool_search', 'mcp__files__read'].map((name) => ({ function: { name } })),
  });
});

test('its calls come back as it declared them', () => {
  const call = (id: string, name: string, input: string) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: input },
  });
  const completion = completionOf({
    tool_calls: [
      call('call_2', 'apply_patch', '{"input":"*** Begin Patch"}'),
      call('call_3', 'mcp__files__read', '{}'),
    ],
  });
  expect(foldEvents(eventsOf(readBody(body), chunksOf(completion)))).toMatchObject([
    { type: 'custom_tool_call', call_id: 'call_2', name: 'apply_patch', input: '*** Begin Patch', status: 'completed' },
    { type: 'function_call', call_id: 'call_3', name: 'read', namespace: 'mcp__files', arguments: '{}' },
  ]);
});

test('it compacts its conversation with a last item, and gets one item back', () => {
  const call = openAiResponses.read(
    {
      bytes: Buffer.alloc(0),
      body: { ...body, input: [...body.input, { type: 'compaction_trigger' }] },
      path: '',
      query: new URLSearchParams(),
      headers: {},
      now: () => 1_700_000_000,
      newId: () => '1',
    },
    { earlier: [], referenced: new Map(), stores: false, sealSummary: (summary) => `tallyport-1.${summary}` },
  );
  const ordinary = readBody(body).chat;
  expect(call.chat).toEqual({
    ...ordinary,
    max_completion_tokens: 16_384,
    tool_choice: 'none',
    messages: [...ordinary.messages, { role: 'user', content: expect.stringMatching(/^Summarize/) }],
  });
  const events = eventsOf(call, chunksOf(completionOf({ content: 'Fixed a.' })));
  expect(foldEvents(events)).toEqual([
    { type: 'compaction', id: expect.stringMatching(/^cmp_/), encrypted_content: 'tallyport-1.Fixed a.' },
  ]);
});
