import { exactJson, jsonOf } from '../json.ts';

export interface ChoiceToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

interface Citation {
  readonly url: string;
  readonly title: string;
  readonly quote: string;
}

/** One choice of an answer, independent of JSON and stream formats. */
export interface Choice {
  readonly reasoning: string;
  /** `null` if the choice has only tool calls, or is a refusal. */
  readonly content: string | null;
  /** Text between the first two calls, of models that write texts and calls in any order. */
  readonly between: string;
  readonly refusal: string | null;
  readonly toolCalls: readonly ChoiceToolCall[];
  /** `draft`: not part of the answer (Google). */
  readonly images: readonly { readonly mediaType: string; readonly base64: string; readonly draft?: boolean }[];
  readonly citations: readonly Citation[];
  readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'refusal';
  /** The stop sequence that ended the text. */
  readonly stoppedBy: string | null;
}

/** The arguments of a call for formats that have them as JSON: their models never write anything else. */
export function argumentsIn({ arguments: text }: ChoiceToolCall): unknown {
  return jsonOf(text) === undefined ? {} : exactJson(text);
}

/** A text or a call of an answer. */
export type SpokenPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ChoiceToolCall; readonly index: number };

/** Texts and calls in the order in which the model writes them, for formats that have it. */
export function spokenParts({ content, between, toolCalls }: Choice): SpokenPart[] {
  const [first, ...others] = toolCalls.map((call, index) => ({ kind: 'call' as const, call, index }));
  return [...textPart(content ?? ''), ...(first ? [first] : []), ...textPart(between), ...others];
}

const textPart = (text: string): SpokenPart[] => (text === '' ? [] : [{ kind: 'text', text }]);
