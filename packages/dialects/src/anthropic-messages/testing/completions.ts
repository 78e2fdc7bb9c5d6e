import type { ChatChunk, ChatCompletion, ChunkDelta, CompletionMessage } from '@tallyport/wire';
import { chunksOf as streamedChunks, inPieces, mixedChunksOf as mixedStreamedChunks } from '../../testing/chunks.ts';
import { completionsWith, functionCall, interleaved } from '../../testing/completion.ts';

const completionOf = completionsWith({
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
  completion_tokens_details: { reasoning_tokens: 5 },
});

/** Anthropic's answers state their service tier. */
const completion = (...about: Parameters<typeof completionOf>): ChatCompletion => ({
  ...completionOf(...about),
  service_tier: 'default',
});

const format = 'anthropic-claude-v1';
const first = { type: 'reasoning.text', text: 'First.', signature: 'c2ln', format, index: 0 };
const hidden = { type: 'reasoning.encrypted', data: 'aGlk', format, index: 1 };
const second = { type: 'reasoning.text', text: 'Second.', signature: 'c2lnMg==', format, index: 2 };
const untold = { type: 'reasoning.text', signature: 'c2lnMw==', format, index: 3 };

/** One completion of each kind. */
export const completions: Readonly<Record<string, ChatCompletion>> = {
  interleaved: completion(interleaved, 'tool_calls'),
  text: completion({ content: 'Hello, "wörld".' }),
  'a tool': completion({ tool_calls: [functionCall('a', '{"q":"x","n":[1,{"m":"}"}]}')] }, 'tool_calls'),
  'text and parallel tools': completion(
    {
      content: 'Looking.',
      tool_calls: [functionCall('a', '{"q":1}'), functionCall('b', '{}'), functionCall('c', '{"q":{"r":"\\""}}')],
    },
    'tool_calls',
  ),
  'parallel tools without arguments': completion(
    { tool_calls: [functionCall('a', '{}'), functionCall('b', '{}')] },
    'tool_calls',
  ),
  'plain reasoning': completion({ reasoning_content: 'Hmm.', content: 'Yes.' }),
  'signed reasoning': completion(
    {
      reasoning_content: 'First.Second.',
      reasoning_details: [first, hidden, second, untold],
      content: 'Done.',
      tool_calls: [functionCall('a', '{}')],
    },
    'tool_calls',
  ),
  refusal: completion({ refusal: 'I will not.' }),
  length: completion({ content: 'Half of' }, 'length'),
  content_filter: completion({ content: 'Some' }, 'content_filter'),
  empty: completion({ content: '' }),
  citations: completion({
    content: 'It rains.',
    annotations: [
      { type: 'url_citation', url_citation: { start_index: 0, end_index: 2, title: 'Weather', url: 'https://w.test' } },
    ],
  }),
};

/** The completion as a vendor streams it, in small pieces. */
export const chunksOf = (completion: ChatCompletion): ChatChunk[] => streamedChunks(completion, saidDeltas);

/** The same with the pieces of parallel calls mixed. */
export const mixedChunksOf = (completion: ChatCompletion): ChatChunk[] => mixedStreamedChunks(completion, saidDeltas);

function saidDeltas({ content, refusal, reasoning_content, reasoning_details, annotations }: CompletionMessage) {
  const thinking = Array.isArray(reasoning_details)
    ? reasoning_details.flatMap(detailDeltas)
    : inPieces(reasoning_content).map((piece): ChunkDelta => ({ reasoning_content: piece }));
  return [
    ...thinking,
    ...inPieces(content).map((piece): ChunkDelta => ({ content: piece })),
    ...(annotations ? [{ annotations }] : []),
    ...inPieces(refusal).map((piece): ChunkDelta => ({ refusal: piece })),
  ];
}

type Detail = typeof first | typeof hidden | typeof untold;

function detailDeltas(detail: Detail): ChunkDelta[] {
  if ('data' in detail) return [{ reasoning_details: [detail] }];
  const { signature, ...unsigned } = detail;
  const text = 'text' in unsigned ? String(unsigned.text) : '';
  return [
    ...inPieces(text).map((piece) => ({ reasoning_content: piece, reasoning_details: [{ ...unsigned, text: piece }] })),
    { reasoning_details: [{ type: detail.type, signature, format, index: detail.index }] },
  ];
}
