import { decodeEntry, encodeEntry, type Entry, EventLog } from '@tallyport/serving/cache';
import { fold } from '@tallyport/providers';
import type { ChatCompletion, CompletionMessage } from '@tallyport/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunksOf } from './chunks-of.ts';
import { keptCompletion } from './kept-completion.ts';

const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
const completionWith = (message: Partial<CompletionMessage>, changes: object = {}): ChatCompletion => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'a/b',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: null, refusal: null, ...message },
      logprobs: null,
      finish_reason: 'stop',
      ...changes,
    },
  ],
  system_fingerprint: 'fp_1',
});

const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' }, index: 0 };
const token = { token: 'Hi', logprob: -0.1, bytes: [72, 105], top_logprobs: [] };

const answers: [string, ChatCompletion][] = [
  ['text', completionWith({ content: 'Hello. '.repeat(100) })],
  ['thinking', completionWith({ content: 'Hello', reasoning_content: 'Well… '.repeat(50) })],
  [
    'signed thinking, citations and a refusal',
    completionWith({
      content: 'Hello',
      refusal: 'No.',
      reasoning_content: 'Well… '.repeat(50),
      reasoning_details: [{ type: 'reasoning.text', text: 'Well… '.repeat(50), signature: 'c2ln', index: 0 }],
      annotations: [
        { type: 'url_citation', url_citation: { start_index: 0, end_index: 2, title: 'A', url: 'https://a.example' } },
      ],
    }),
  ],
  ['a refusal', completionWith({ content: null, refusal: 'No.' })],
  [
    'calls of tools',
    completionWith(
      {
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'f', arguments: JSON.stringify({ a: 'b'.repeat(200) }) },
          },
          { id: 'call_2', type: 'function', function: { name: 'g', arguments: '{}' }, extra_content: { a: 1 } },
          { id: 'call_3', type: 'custom', custom: { name: 'h', input: 'x' } },
        ],
      },
      { finish_reason: 'tool_calls' },
    ),
  ],
  ['probabilities', completionWith({ content: 'Hi' }, { logprobs: { content: [token], refusal: null } })],
  ['images', completionWith({ content: 'See:', images: [image, { ...image, index: 1 }] })],
  ['a length', completionWith({ content: 'Hel' }, { finish_reason: 'length' })],
  [
    'several choices',
    {
      ...completionWith({ content: 'one' }),
      choices: [0, 1, 2].map((index) => ({ ...completionWith({ content: `${index}` }).choices[0]!, index })),
    },
  ],
];

test.each(answers)('is the same after chunking and folding: %s', (_, completion) => {
  expect(fold(chunksOf(completion))).toEqual(completion);
});

test('any text survives chunking', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }), (content) => {
      const completion = completionWith({ content });
      const chunks = [...chunksOf(completion)];
      expect(
        chunks.every(({ choices }) => (choices[0]?.delta.content ?? '').isWellFormed() || !content.isWellFormed()),
      ).toBe(true);
      expect(fold(chunks)).toEqual(completion);
    }),
  );
});

const document = (completion: ChatCompletion): Entry => ({
  form: 'document',
  provider: 'a',
  body: Buffer.from(JSON.stringify(completion)),
});

function events(completion: ChatCompletion): Entry {
  const log = new EventLog();
  for (const chunk of chunksOf(completion)) log.push(Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`));
  return { form: 'events', provider: 'a', usage, body: log.bytes() };
}

describe.each([
  ['a document', document],
  ['events', events],
])('stored as %s', (_, entryOf) => {
  test.each(answers)('it is restored: %s', (__, completion) => {
    const back = decodeEntry(encodeEntry(entryOf(completion)), 1_000_000);
    const told = entryOf === events ? { ...completion, usage } : completion;
    expect(back && keptCompletion(back)).toEqual(told);
  });

  test('throws for anything that was cut off or modified', () => {
    const bytes = encodeEntry(entryOf(completionWith({ content: 'Hello. '.repeat(300) })));
    for (let length = 0; length < bytes.length; length += 7) {
      expect(decodeEntry(bytes.subarray(0, length), 1_000_000)).toBeUndefined();
    }
    for (let at = 0; at < bytes.length; at += 3) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      expect(decodeEntry(changed, 1_000_000)).toBeUndefined();
    }
  });

  test('throws for an entry that unpacks beyond the size limit', () => {
    const entry = entryOf(completionWith({ content: 'a'.repeat(200_000) }));
    const bytes = encodeEntry(entry);
    expect(decodeEntry(bytes, entry.body.length)?.body.length).toBe(entry.body.length);
    expect(decodeEntry(bytes, 1_000)).toBeUndefined();
  });
});
