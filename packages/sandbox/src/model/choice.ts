export interface ChoiceToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

export interface Citation {
  readonly url: string;
  readonly title: string;
  readonly quote: string;
}

/** One choice of an answer, independent of JSON and stream formats. */
export interface Choice {
  readonly reasoning: string;
  /** `null` if the choice has only tool calls, or is a refusal. */
  readonly content: string | null;
  readonly refusal: string | null;
  readonly toolCalls: readonly ChoiceToolCall[];
  /** `draft`: not part of the answer (Google). */
  readonly images: readonly { readonly mediaType: string; readonly base64: string; readonly draft?: boolean }[];
  readonly citations: readonly Citation[];
  readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'refusal';
  /** The stop sequence that ended the text. */
  readonly stoppedBy: string | null;
}
