import { type ChatRequest, type Usage, byteLengthWithLongStrings } from '@switchyard/wire';
import type { GatewayError, Offer } from '@switchyard/contracts';
import type { FailureType } from './failure.ts';
import type { PlainAnswer } from './plain-answer.ts';

/** One upstream call, as the answer's `metadata.routing` shows it. */
export interface AttemptRecord {
  provider: string;
  model: string;
  status_code: number | null;
  error_type: FailureType | 'none';
  succeeded: boolean;
  duration_ms: number;
  /** The account's own key went with it, and pays for what it brought. */
  own_key?: true;
}

/** Why a request ended, in the words of the stream termination metric. */
export type EndReason = 'done' | 'client_gone' | 'upstream_cut' | 'stall' | 'max_duration' | 'error' | 'shutdown';

/** Everything there is to tell about one logical request, once, when it is over. */
export interface Outcome {
  attempts: readonly AttemptRecord[];
  /** The offer that served; absent when none did. */
  served: Offer | undefined;
  /** What was served went out with the account's own key: the service owes its provider nothing for it. */
  ownKey: boolean;
  usage: Usage | undefined;
  /** The figures are ours: the provider told none before the end. */
  usageEstimated: boolean;
  /** Frames of a stream that could not be read and were left out. */
  skippedFrames: number;
  /** Images that were delivered. */
  images: number;
  /** From the start of the request to the first content, or to the whole answer when it is not streamed. */
  firstContentMs: number | undefined;
  durationMs: number;
  endReason: EndReason;
  /** What the client was told, when it did not end well. */
  error: GatewayError | undefined;
}

/** Four bytes to a token: good enough to bill a stream whose provider never told. */
const bytesPerToken = 4;

export function estimateUsage(request: ChatRequest, deliveredBytes: number): Usage {
  const promptTokens = Math.ceil(promptLength(request) / bytesPerToken);
  const completionTokens = Math.ceil(deliveredBytes / bytesPerToken);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

/** Characters of text in what is asked. */
export function promptLength({ messages }: ChatRequest): number {
  let length = 0;
  for (const { content } of messages) {
    if (typeof content === 'string') length += content.length;
    else if (Array.isArray(content)) for (const part of content) length += part.type === 'text' ? part.text.length : 0;
  }
  return length;
}

export const imagesOf = ({ completion }: PlainAnswer): number =>
  completion.choices.reduce((sum, { message }) => sum + (message.images?.length ?? 0), 0);

/** Bytes of text in a whole answer, for the estimate when the provider tells no usage. */
export function answerBytes({ completion, longStrings }: PlainAnswer): number {
  const lengthOf = (text: string): number => byteLengthWithLongStrings(text, longStrings);
  let bytes = 0;
  for (const { message } of completion.choices) {
    bytes += lengthOf(message.content ?? '') + lengthOf(message.reasoning_content ?? '');
    if (message.tool_calls !== undefined) bytes += lengthOf(JSON.stringify(message.tool_calls));
  }
  return bytes;
}
