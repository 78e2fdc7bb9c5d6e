/** The bytes of a vendor's stream: the opening events, then text deltas of about 200 bytes; it does not end. */
export interface VendorStream {
  providerId: string;
  modelName: string;
  opening: Buffer;
  chunk(count: number): Buffer;
}

const sse = (data: object, event?: string): Buffer =>
  Buffer.from(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);

/** The text differs per chunk, as in real streams, so that a fast path for repeated text would not help. */
const word = (count: number): string => ` word${count % 1_000}`;

const openAiChunk = (delta: object) => ({
  id: 'chatcmpl-bench0000000000000000000',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'gpt-6-luna',
  system_fingerprint: 'fp_bench',
  choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
});

const geminiChunk = (text: string) => ({
  candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }],
  usageMetadata: { promptTokenCount: 10, totalTokenCount: 10 },
  modelVersion: 'gemini-2.5-flash-lite',
  responseId: 'bench-response',
});

const anthropicMessage = {
  id: 'msg_bench',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 1 },
};

export const vendorStreams: readonly VendorStream[] = [
  {
    providerId: 'openai',
    modelName: 'gpt-6-luna',
    opening: sse(openAiChunk({ role: 'assistant', content: '', refusal: null })),
    chunk: (count) => sse(openAiChunk({ content: word(count) })),
  },
  {
    providerId: 'anthropic',
    modelName: 'claude-haiku-4-5',
    opening: Buffer.concat([
      sse({ type: 'message_start', message: anthropicMessage }, 'message_start'),
      sse({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 'content_block_start'),
    ]),
    chunk: (count) =>
      sse(
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: word(count).padEnd(90) } },
        'content_block_delta',
      ),
  },
  {
    providerId: 'google',
    modelName: 'gemini-2.5-flash-lite',
    opening: Buffer.alloc(0),
    chunk: (count) => sse(geminiChunk(word(count))),
  },
];
