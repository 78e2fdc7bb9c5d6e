import { describe, expect, test } from 'vitest';
import { fold } from '../fold/fold.ts';
import { callOf, contextOf, translate } from '../testing/translate.ts';
import { openAiCompatible } from './chat.ts';

/** Deviations from the format that vendors have shown, each as a test. */
const vendor = openAiCompatible({ id: 'vendor', baseUrl: 'https://vendor.example', keyVariable: 'VENDOR' });

const event = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const delta = (said: unknown, finish: string | null = null) => ({
  choices: [{ index: 0, delta: said, finish_reason: finish }],
});
const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };

const stream = (...events: unknown[]) => translate(vendor, [Buffer.from(events.map(event).join(''))]);
const folded = (...events: unknown[]) => fold(stream(...events));
const answer = (body: unknown) => vendor.response(body, contextOf(vendor, callOf({}, false)));
const answerWith = (message: unknown, rest: object = {}) =>
  answer({ choices: [{ index: 0, message, finish_reason: 'stop' }], ...rest }).choices[0];

describe('heads', () => {
  test('generates a missing id, object, created and model', () => {
    expect(stream(delta({ content: 'x' }, 'stop'))[0]).toMatchObject({
      id: 'chatcmpl-ours',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'vendor-model',
    });
    expect(answer({ choices: [{ message: { content: 'x' } }] })).toEqual({
      id: 'chatcmpl-ours',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'vendor-model',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'x', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
    });
  });

  test('truncates a fractional created and keeps one id for the whole stream', () => {
    const chunks = stream(
      { id: 'a', created: 12.9, ...delta({ content: 'x' }) },
      { id: 'b', created: 13.9, ...delta({}, 'stop') },
    );
    expect(chunks.map(({ id, created }) => [id, created])).toEqual(chunks.map(() => ['a', 12]));
  });

  test('keeps unknown members and drops null ones and padding', () => {
    const whole = folded(
      { ...delta({ content: 'x' }), citations: ['u'], kv: null, obfuscation: 'abc' },
      { ...delta({}, 'stop'), service_tier: 'default' },
    );
    expect(whole).toMatchObject({ citations: ['u'], service_tier: 'default' });
    expect(whole).not.toHaveProperty('kv');
    expect(whole).not.toHaveProperty('obfuscation');
    expect(answer({ choices: [{ message: {} }], citations: ['u'], kv: null })).toMatchObject({ citations: ['u'] });
  });
});

describe('usage', () => {
  test.each([
    ['in the finish chunk', [delta({ content: 'x' }), { ...delta({}, 'stop'), usage }]],
    ['in a separate chunk', [delta({ content: 'x' }), delta({}, 'stop'), { choices: [], usage }]],
    ['before the finish reason', [{ ...delta({ content: 'x' }), usage }, delta({}, 'stop')]],
    ['in the choice', [delta({ content: 'x' }), { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] }]],
    [
      'on every chunk, growing',
      [
        { ...delta({ content: 'x' }), usage: { prompt_tokens: 5, completion_tokens: 1 } },
        { ...delta({}, 'stop'), usage },
      ],
    ],
    ['without choices at all', [delta({ content: 'x' }, 'stop'), { usage }]],
  ])('is returned once and last if it is %s', (_name, events) => {
    const chunks = stream(...events, '[DONE]');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage });
    expect(chunks.filter((chunk) => chunk.usage)).toHaveLength(1);
  });

  test('is absent if the stream has none', () => {
    expect(stream(delta({ content: 'x' }, 'stop')).some((chunk) => 'usage' in chunk)).toBe(false);
  });
});

describe('text', () => {
  test('returns the role once and ignores empty chunks', () => {
    const chunks = stream(
      delta({ role: 'assistant', content: '' }),
      delta({ role: 'assistant', content: null }),
      delta({ role: 'assistant', content: 'a', reasoning_content: null, tool_calls: [] }),
      delta({ role: 'assistant', content: 'b' }),
      delta({ role: 'assistant', content: '' }, 'stop'),
    );
    expect(chunks.map((chunk) => chunk.choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { content: 'a' },
      { content: 'b' },
      {},
    ]);
  });

  test('splits content parts into text and thinking', () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    expect(answerWith({ content: parts })?.message).toMatchObject({ content: 'ab', reasoning_content: 'hm' });
    expect(folded(delta({ content: parts }, 'stop')).choices[0]?.message).toMatchObject({
      content: 'ab',
      reasoning_content: 'hm',
    });
  });

  test('returns thinking of either name as reasoning_content', () => {
    expect(folded(delta({ reasoning: 'a' }), delta({ reasoning_content: 'b' }, 'stop')).choices[0]?.message).toEqual({
      role: 'assistant',
      content: '',
      refusal: null,
      reasoning_content: 'ab',
    });
  });

  test('returns thinking in details as reasoning_content and keeps the details', () => {
    const reasoning_details = [
      { type: 'reasoning.summary', summary: 'a' },
      { type: 'reasoning.encrypted', data: 'x' },
      { type: 'reasoning.text', text: 'b' },
    ];
    expect(answerWith({ content: 'c', reasoning_details })?.message).toMatchObject({
      reasoning_content: 'ab',
      reasoning_details,
    });
    expect(answerWith({ content: 'c', reasoning: 'r', reasoning_details })?.message.reasoning_content).toBe('r');
  });

  test('reads a whole message in a stream as a delta', () => {
    expect(
      folded({ choices: [{ index: 0, message: { content: 'x' }, finish_reason: 'stop' }] }).choices[0]?.message.content,
    ).toBe('x');
  });

  test('reads interleaved choices', () => {
    const choice = (index: number, content: string, finish: string | null = null) => ({
      choices: [{ index, delta: { content }, finish_reason: finish }],
    });
    const whole = folded(choice(1, 'b'), choice(0, 'a'), choice(1, 'b', 'stop'), choice(0, 'a', 'length'));
    expect(whole.choices.map(({ message, finish_reason }) => [message.content, finish_reason])).toEqual([
      ['aa', 'length'],
      ['bb', 'stop'],
    ]);
  });
});

describe('tool calls', () => {
  const call = (index: number | undefined, id: string | undefined, name: string | undefined, input: string) => ({
    tool_calls: [
      {
        ...(index !== undefined && { index }),
        ...(id !== undefined && { id }),
        function: { ...(name !== undefined && { name }), arguments: input },
      },
    ],
  });
  const made = (...deltas: unknown[]) =>
    folded(...deltas.map((said) => delta(said)), delta({}, 'tool_calls')).choices[0]?.message.tool_calls;
  const fn = (id: string, name: string, input: string) => ({
    id,
    type: 'function',
    function: { name, arguments: input },
  });

  test.each([
    [
      'as OpenAI does',
      [call(0, 'a', 'f', ''), call(0, undefined, undefined, '{}'), call(1, 'b', 'g', '{}')],
      [fn('a', 'f', '{}'), fn('b', 'g', '{}')],
    ],
    [
      'no index',
      [
        call(undefined, 'a', 'f', '{"x"'),
        call(undefined, undefined, undefined, ':1}'),
        call(undefined, 'b', 'g', '{}'),
      ],
      [fn('a', 'f', '{"x":1}'), fn('b', 'g', '{}')],
    ],
    ['indexes from 1', [call(1, 'a', 'f', '{}'), call(2, 'b', 'g', '{}')], [fn('a', 'f', '{}'), fn('b', 'g', '{}')]],
    [
      'the same index for all',
      [call(0, 'a', 'f', '{}'), call(0, 'b', 'g', '{}')],
      [fn('a', 'f', '{}'), fn('b', 'g', '{}')],
    ],
    ['empty ids in later deltas', [call(0, 'a', 'f', '{'), call(0, '', '', '}')], [fn('a', 'f', '{}')]],
    ['name and id repeated', [call(0, 'a', 'f', '{'), call(0, 'a', 'f', '}')], [fn('a', 'f', '{}')]],
    [
      'no id',
      [call(0, undefined, 'f', '{}'), call(1, undefined, 'g', '{}')],
      [fn('call_ours_0_0', 'f', '{}'), fn('call_ours_0_1', 'g', '{}')],
    ],
    [
      'neither id nor index',
      [call(undefined, undefined, 'f', '{}'), call(undefined, undefined, 'g', '{}')],
      [fn('call_ours_0_0', 'f', '{}'), fn('call_ours_0_1', 'g', '{}')],
    ],
    [
      'the same id for two calls',
      [call(0, 'a', 'f', '{}'), call(1, 'a', 'g', '{"x"'), call(1, 'a', '', ':1}')],
      [fn('a', 'f', '{}'), fn('call_ours_0_1', 'g', '{"x":1}')],
    ],
    ['no arguments', [call(0, 'a', 'f', '')], [fn('a', 'f', '{}')]],
    ['a late name', [call(0, 'a', undefined, ''), call(0, undefined, 'f', '{}')], [fn('a', 'f', '{}')]],
  ])('%s', (_name, deltas, calls) => {
    expect(made(...deltas)).toEqual(calls);
  });

  test('makes ids of two calls in one message unique', () => {
    const calls = [fn('a', 'f', '{}'), fn('a', 'g', '{}'), fn('', 'h', '')];
    expect(answerWith({ tool_calls: calls })?.message.tool_calls).toEqual([
      fn('a', 'f', '{}'),
      fn('call_ours_0_1', 'g', '{}'),
      fn('call_ours_0_2', 'h', '{}'),
    ]);
  });

  test('converts arguments that are an object to text', () => {
    const calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: { x: 1 } } }];
    expect(answerWith({ tool_calls: calls })?.message.tool_calls).toEqual([fn('a', 'f', '{"x":1}')]);
  });

  test('keeps the form of custom tools', () => {
    const custom = { id: 'a', type: 'custom', custom: { name: 'c', input: 'text' } };
    expect(answerWith({ tool_calls: [custom] })?.message.tool_calls).toEqual([custom]);
    expect(
      folded(delta({ tool_calls: [{ index: 0, ...custom }] }, 'tool_calls')).choices[0]?.message.tool_calls,
    ).toEqual([custom]);
  });

  test('maps stop after calls to tool_calls, with null content', () => {
    const calls = [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }];
    const expected = { finish_reason: 'tool_calls', message: { content: null } };
    expect(answerWith({ content: '', tool_calls: calls })).toMatchObject(expected);
    expect(folded(delta({ content: '', tool_calls: calls }), delta({}, 'stop')).choices[0]).toMatchObject(expected);
  });
});

describe('the end of a stream', () => {
  test.each([
    ['eos', 'stop'],
    ['max_tokens', 'length'],
    ['whatever', 'stop'],
    ['content_filter', 'content_filter'],
    ['constructor', 'stop'],
  ])('%s is %s', (theirs, ours) => {
    expect(folded(delta({ content: 'x' }, theirs)).choices[0]?.finish_reason).toBe(ours);
  });

  test('may lack [DONE] after a finish reason', () => {
    expect(folded(delta({ content: 'x' }), delta({}, 'stop')).choices[0]?.finish_reason).toBe('stop');
  });

  test('gets a finish reason if [DONE] comes without one', () => {
    expect(folded(delta({ content: 'x' }), '[DONE]').choices[0]?.finish_reason).toBe('stop');
  });

  test('is a fault if there is [DONE] without an answer', () => {
    expect(() => stream('[DONE]')).toThrow(expect.objectContaining({ code: 'upstream_error' }));
  });

  test('is truncated if one of two choices is incomplete', () => {
    const call = callOf({ n: 2 });
    const bytes = [Buffer.from(event(delta({ content: 'x' }, 'stop')))];
    expect(() => translate(vendor, bytes, call)).toThrow(expect.objectContaining({ code: 'stream_truncated' }));
  });

  test('has one finish reason if the vendor sends two', () => {
    const chunks = stream(delta({ content: 'x' }, 'stop'), delta({}, 'stop'), '[DONE]');
    expect(chunks.filter((chunk) => chunk.choices[0]?.finish_reason)).toHaveLength(1);
  });
});

describe('frames that are not chunks', () => {
  test('skips and counts a few, and fails after many', () => {
    const translator = vendor.stream(contextOf(vendor));
    const bad = { event: undefined, id: undefined, data: Buffer.from('not json') };
    for (let count = 1; count <= 10; count += 1) expect(translator.frame(bad)).toEqual([]);
    expect(translator.skipped()).toBe(10);
    expect(() => translator.frame(bad)).toThrow(expect.objectContaining({ code: 'upstream_error' }));
  });

  test('ignores objects without known members', () => {
    expect(folded({ type: 'ping' }, delta({ content: 'x' }, 'stop')).choices[0]?.message.content).toBe('x');
  });
});
