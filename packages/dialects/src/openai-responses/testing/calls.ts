import type { ChatChunk, ChatCompletion, ChunkDelta, CompletionMessage, Usage } from '@tallyport/wire';
import type { DialectCall, DialectEvent } from '../../dialect.ts';
import { mixedChunksOf, saidInOrder } from '../../testing/chunks.ts';
import { openAiResponses } from '../index.ts';

/** Throws what makes a request untranslatable. Ids count up, so that two readings of one request make the same ids. */
export function readBody(body: unknown): DialectCall {
  let ids = 0;
  const newId = () => String(++ids).padStart(32, '0');
  const call = openAiResponses.read({
    bytes: Buffer.from(JSON.stringify(body) ?? ''),
    body,
    path: '',
    query: new URLSearchParams(),
    headers: {},
    now: () => 1_700_000_000,
    newId,
  });
  if (call.untranslatable !== undefined) throw call.untranslatable;
  return call;
}

export const usage: Usage = {
  prompt_tokens: 10,
  completion_tokens: 5,
  total_tokens: 15,
  prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 3 },
};

export function completionOf(
  message: Partial<CompletionMessage>,
  choice: Partial<ChatCompletion['choices'][number]> = {},
): ChatCompletion {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_001,
    model: 'vendor-model',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: null, refusal: null, ...message },
        logprobs: null,
        finish_reason: 'stop',
        ...choice,
      },
    ],
    usage,
  };
}

export function chunkOf(delta: ChunkDelta, finish: ChatChunk['choices'][number]['finish_reason'] = null): ChatChunk {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_001,
    model: 'vendor-model',
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}

/** The chunks of a stream that amounts to the completion: in small pieces, and those of parallel calls mixed. */
export const chunksOf = (completion: ChatCompletion): ChatChunk[] => mixedChunksOf(completion, saidInOrder);

export function eventsOf(call: DialectCall, chunks: readonly ChatChunk[]): DialectEvent[] {
  const stream = call.stream();
  return [...chunks.flatMap((chunk) => stream.chunk(chunk)), ...stream.end()];
}
