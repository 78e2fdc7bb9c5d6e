import type { RequestHead } from '@tallyport/contracts';
import type { ChatChunk, ChatCompletion, ChatRequest } from '@tallyport/wire';
import { chunkWithoutReasoning, hidesReasoning, withoutReasoning } from './hidden-reasoning.ts';

type Asked = Pick<RequestHead, 'headers'>;

/** Edge passes on the `user-agent` of OpenRouter's SDKs only. */
export const isOpenRouterClient = ({ headers }: Asked): boolean => headers['user-agent'] !== undefined;

/** How a client gets the thinking in an answer. */
export interface ReasoningView {
  completion(completion: ChatCompletion): ChatCompletion;
  /** `undefined` for a chunk that the client does not get. */
  chunk(chunk: ChatChunk): ChatChunk | undefined;
}

const asReported: ReasoningView = { completion: (completion) => completion, chunk: (chunk) => chunk };

/**
 * Thinking has OpenRouter's name as well, `reasoning`, for its clients and for those that use its member `reasoning`. A
 * client may also exclude it.
 */
export function reasoningViewFor(request: ChatRequest, head: Asked): ReasoningView {
  if (hidesReasoning(request)) return { completion: withoutReasoning, chunk: chunkWithoutReasoning };
  if (request.reasoning == null && !isOpenRouterClient(head)) return asReported;
  return { completion: completionWithReasoning, chunk: chunkWithReasoning };
}

const completionWithReasoning = (completion: ChatCompletion): ChatCompletion => ({
  ...completion,
  choices: completion.choices.map((choice) => ({ ...choice, message: named(choice.message) })),
});

const chunkWithReasoning = (chunk: ChatChunk): ChatChunk => ({
  ...chunk,
  choices: chunk.choices.map((choice) => ({ ...choice, delta: named(choice.delta) })),
});

/** The canonical form of a chunk that was sent to such a client. */
export const chunkWithReasoningOnce = (chunk: ChatChunk): ChatChunk => ({
  ...chunk,
  choices: chunk.choices.map((choice) => ({ ...choice, delta: unnamed(choice.delta) })),
});

export const completionWithReasoningOnce = (completion: ChatCompletion): ChatCompletion => ({
  ...completion,
  choices: completion.choices.map((choice) => ({ ...choice, message: unnamed(choice.message) })),
});

interface Thinking {
  reasoning_content?: string;
  [member: string]: unknown;
}

const named = <Said extends Thinking>(said: Said): Said =>
  said.reasoning_content === undefined ? said : { ...said, reasoning: said.reasoning_content };

function unnamed<Said extends Thinking>(said: Said): Said {
  if (said.reasoning_content === undefined || !('reasoning' in said)) return said;
  const copy = { ...said };
  delete copy['reasoning'];
  return copy;
}
