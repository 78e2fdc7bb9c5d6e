import { describe, expect, test } from 'vitest';
import {
  compactionsOf,
  openAiCompact,
  openAiResponses,
  openedCompaction,
  sealedSummaryOf,
  sinceCompaction,
} from './index.ts';
import { chunksOf, completionOf, eventsOf } from './testing/calls.ts';
import { foldEvents, sdkEvent } from './testing/fold-events.ts';

const user = { type: 'message', role: 'user', content: 'Hi' };
const trigger = { type: 'compaction_trigger' };
const sealSummary = (summary: string) => `tallyport-1.sealed ${summary}`;

function requestOf(body: object) {
  let ids = 0;
  return {
    body: { model: 'm', ...body },
    bytes: Buffer.from(JSON.stringify({ model: 'm', ...body })),
    path: '',
    query: new URLSearchParams(),
    headers: {},
    now: () => 1_700_000_000,
    newId: () => String(++ids).padStart(32, '0'),
  };
}
const state = { earlier: [], referenced: new Map(), stores: true, sealSummary };
const respond = (body: object) => openAiResponses.read(requestOf(body), state);

describe('a response that compacts its conversation', () => {
  const written = completionOf({ content: 'They said hi.', reasoning_content: 'Short.' });
  const item = { type: 'compaction', id: expect.any(String), encrypted_content: 'tallyport-1.sealed They said hi.' };

  test('is the same whole and as events', () => {
    const events = eventsOf(respond({ input: [user, trigger], stream: true }), chunksOf(written));
    const answer = respond({ input: [user, trigger] }).answer(written);
    expect(answer).toMatchObject({ status: 'completed', output: [item] });
    expect(foldEvents(events)).toEqual(answer.output);
    expect(sdkEvent(events.at(-1) ?? { data: null })).toMatchObject({ type: 'response.completed', response: answer });
  });

  test.each([
    ['without text', completionOf({ content: ' \n' }), 'it answered without text'],
    ['that was cut', completionOf({ content: 'They' }, { finish_reason: 'length' }), 'its answer was cut'],
    [
      'that a filter stopped',
      completionOf({ content: 'T' }, { finish_reason: 'content_filter' }),
      'its answer was cut',
    ],
    ['that is too long', completionOf({ content: 'x'.repeat(200_001) }), 'it wrote more than 200000 characters'],
  ])('fails with a summary %s', (_name, completion, why) => {
    const error = { code: 'upstream_error', message: expect.stringContaining(why) };
    expect(() => respond({ input: [user, trigger] }).answer(completion)).toThrow(expect.objectContaining(error));
    expect(eventsOf(respond({ input: [user, trigger] }), chunksOf(completion)).at(-1)).toMatchObject({
      event: 'response.failed',
      data: { response: { status: 'failed', output: [], error: { message: error.message } } },
    });
  });

  test('takes a summary of the greatest length', () => {
    const answer = respond({ input: [user, trigger] }).answer(completionOf({ content: 'x'.repeat(200_000) }));
    expect(answer.status).toBe('completed');
  });

  test('asks for a text, also where answers have another form', () => {
    const { chat } = respond({
      input: [user, trigger],
      tools: [{ type: 'function', name: 'read', parameters: { type: 'object' } }],
      text: { format: { type: 'json_object' }, verbosity: 'low' },
      top_logprobs: 2,
    });
    expect(chat).toEqual({
      model: 'm',
      max_completion_tokens: 16_384,
      tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' }, strict: false } }],
      tool_choice: 'none',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'user', content: expect.stringMatching(/^Summarize/) },
      ],
    });
  });

  test('has its conversation without the request to compact as its input', () => {
    expect(respond({ input: [user, trigger] }).input()).toMatchObject([{ role: 'user' }]);
  });
});

describe('the request to compact alone', () => {
  test('keeps the tools that Codex sends with it', () => {
    const tools = [{ type: 'function', name: 'read', parameters: { type: 'object' } }];
    const call = { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' };
    const input = [user, call, { type: 'function_call_output', call_id: 'c', output: 'text' }];
    const { chat } = openAiCompact.read(requestOf({ input, tools, instructions: 'Code.' }), state);
    expect(chat).toMatchObject({
      tools: [{ function: { name: 'read' } }],
      tool_choice: 'none',
      messages: [
        { role: 'developer', content: 'Code.' },
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ id: 'c' }] },
        { role: 'tool', content: 'text' },
        { role: 'user', content: expect.stringMatching(/^Summarize/) },
      ],
    });
  });

  test('has calls and results as texts if it declares no tools', () => {
    const input = [
      user,
      { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: 'a' },
      {
        type: 'custom_tool_call_output',
        call_id: 'c',
        output: [
          { type: 'input_text', text: 'done' },
          { type: 'input_image', image_url: 'data:image/png;base64,AA' },
        ],
      },
    ];
    const { chat, native } = openAiCompact.read(requestOf({ input }), state);
    expect(native).toMatchObject({ dialect: 'openai-compact', isUntranslatable: false });
    expect(chat.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: expect.stringMatching(/^\[Call c of the tool patch: .*a.*\]$/) },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Result of the call c:' },
          { type: 'text', text: 'done' },
        ],
      },
      {
        role: 'user',
        content: [expect.objectContaining({ type: 'text' }), expect.objectContaining({ type: 'image_url' })],
      },
      { role: 'user', content: expect.stringMatching(/^Summarize/) },
    ]);
  });
});

describe('compactions', () => {
  const ours = { type: 'compaction', id: 'cmp_1', encrypted_content: 'tallyport-1.x' };

  test('are recognised by their seal, also under the name that Codex gives them', () => {
    expect(sealedSummaryOf(ours)).toBe('tallyport-1.x');
    expect(sealedSummaryOf({ ...ours, type: 'context_compaction' })).toBe('tallyport-1.x');
    expect(sealedSummaryOf({ ...ours, encrypted_content: 'gAAAA' })).toBeUndefined();
    expect(sealedSummaryOf({ ...ours, type: 'reasoning' })).toBeUndefined();
    expect(compactionsOf({ input: ['x', ours, null, user, ours] })).toEqual([
      { sealed: 'tallyport-1.x', at: 1 },
      { sealed: 'tallyport-1.x', at: 4 },
    ]);
    expect(compactionsOf({ input: 'x' })).toEqual([]);
    expect(compactionsOf(7)).toEqual([]);
  });

  test('stand for what was before them, except what the user said', () => {
    const answer = { type: 'message', role: 'assistant', content: 'Hello' };
    expect(sinceCompaction([user, answer])).toEqual([user, answer]);
    expect(sinceCompaction([user, answer, ours, user, answer, ours, answer])).toEqual([user, user, ours, answer]);
    expect(sinceCompaction([answer, openedCompaction('Said.'), ours])).toEqual([ours]);
  });
});
