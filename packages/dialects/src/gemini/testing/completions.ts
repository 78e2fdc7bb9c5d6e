import type { ChatChunk, ChatCompletion, ChunkDelta, CompletionMessage } from '@tallyport/wire';
import { chunksOf as streamedChunks, inPieces, mixedChunksOf as mixedStreamedChunks } from '../../testing/chunks.ts';
import { completionsWith, functionCall, interleaved } from '../../testing/completion.ts';

const completion = completionsWith({
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 60 },
  completion_tokens_details: { reasoning_tokens: 5 },
});

const google = { thought_signature: 'c2ln' };
const signed = { extra_content: { google } };
const detail = { type: 'reasoning.encrypted', data: 'dGV4dA==', format: 'google-gemini-v1', index: 0 };

/** Signed thinking of another vendor's model. */
const foreign = [
  { type: 'reasoning.text', text: 'Hmm.', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.encrypted', data: 'dGV4dA==', format: 'anthropic-claude-v1', index: 1 },
];

/** One completion of each kind. */
export const completions: Readonly<Record<string, ChatCompletion>> = {
  interleaved: completion(interleaved, 'tool_calls'),
  text: completion({ content: 'Hello, "wörld".' }),
  'a signed call': completion({ tool_calls: [{ ...functionCall('a', '{"q":"x"}'), ...signed }] }, 'tool_calls'),
  'text and parallel tools': completion(
    { content: 'Looking.', tool_calls: [{ ...functionCall('a', '{"q":1}'), ...signed }, functionCall('b', '{}')] },
    'tool_calls',
  ),
  'parallel tools without arguments': completion(
    { tool_calls: [functionCall('a', '{}'), functionCall('b', '{}')] },
    'tool_calls',
  ),
  'signed reasoning': completion({ reasoning_content: 'Hmm.', content: 'Yes.', reasoning_details: [detail] }),
  'calls after thinking that another vendor signed': completion(
    {
      reasoning_content: 'Hmm.',
      reasoning_details: foreign,
      tool_calls: [functionCall('a', '{"q":1}'), functionCall('b', '{}')],
    },
    'tool_calls',
  ),
  'only a signature': completion({ content: '', reasoning_details: [detail] }),
  image: completion({
    content: 'Here.',
    images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' }, index: 0, ...signed }],
  }),
  refusal: completion({ refusal: 'I will not.' }, 'content_filter'),
  length: completion({ content: 'Half of' }, 'length'),
  empty: completion({ content: '' }),
  citations: completion({
    content: 'It rains.',
    annotations: [
      { type: 'url_citation', url_citation: { start_index: 0, end_index: 2, title: 'Weather', url: 'https://w.test' } },
    ],
  }),
};

/** The completion as a vendor streams it, in small pieces. */
export const chunksOf = (completed: ChatCompletion): ChatChunk[] => streamedChunks(completed, saidDeltas);

/** The same with the pieces of parallel calls mixed. */
export const mixedChunksOf = (completed: ChatCompletion): ChatChunk[] => mixedStreamedChunks(completed, saidDeltas);

const saidDeltas = (message: CompletionMessage): ChunkDelta[] => [
  ...inPieces(message.reasoning_content).map((piece) => ({ reasoning_content: piece })),
  ...inPieces(message.content).map((piece) => ({ content: piece })),
  ...(message.reasoning_details === undefined ? [] : [{ reasoning_details: message.reasoning_details }]),
  ...(message.images ? [{ images: message.images }] : []),
  ...(message.annotations ? [{ annotations: message.annotations }] : []),
  ...inPieces(message.refusal).map((piece) => ({ refusal: piece })),
];
