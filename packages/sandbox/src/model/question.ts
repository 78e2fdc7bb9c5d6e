export interface QuestionTool {
  readonly name: string;
  readonly parameters: unknown;
}

/** A chat request, independent of the format it arrived in. Its body has passed the family's checks. */
export interface ChatQuestion {
  readonly model: string;
  readonly stream: boolean;
  /** Whether a stream reports usage, in formats where the client decides. */
  readonly includeUsage: boolean;
  readonly n: number;
  readonly stop: readonly string[];
  readonly maxTokens: number;
  /** Tools that may be called; empty if the client forbids calls. */
  readonly tools: readonly QuestionTool[];
  readonly parallelToolCalls: boolean;
  /** `free`: the model decides. */
  readonly reasoning: 'off' | 'free' | 'asked';
  /** `undefined`: plain text. */
  readonly json: { readonly schema: unknown } | undefined;
  readonly lastRole: 'user' | 'tool' | 'other';
  readonly lastText: string;
  /** The tool results at the end of the conversation. */
  readonly toolResults: readonly string[];
  readonly promptCharacters: number;
}

/** The number of characters an image, audio or file part counts as. */
export const charactersOfMedia = 340;
