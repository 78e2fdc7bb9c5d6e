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

/** One alternative of an answer, before it takes the form of JSON or of a stream. */
export interface Choice {
  readonly reasoning: string;
  /** `null` when the choice is tool calls only, or a refusal. */
  readonly content: string | null;
  readonly refusal: string | null;
  readonly toolCalls: readonly ChoiceToolCall[];
  /** A draft is none of the answer (Google). */
  readonly images: readonly { readonly mediaType: string; readonly base64: string; readonly draft?: boolean }[];
  readonly citations: readonly Citation[];
  readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'refusal';
  /** The stop word that ended the text. */
  readonly stoppedBy: string | null;
}
