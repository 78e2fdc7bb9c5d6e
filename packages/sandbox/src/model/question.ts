export interface QuestionTool {
  readonly name: string;
  readonly parameters: unknown;
}

/** What a chat asks, in our words, whichever format it came in. Made from a body that passed its family's checks. */
export interface ChatQuestion {
  readonly model: string;
  readonly stream: boolean;
  /** Whether a stream reports the usage, where a format leaves the choice. */
  readonly includeUsage: boolean;
  readonly n: number;
  readonly stop: readonly string[];
  readonly maxTokens: number;
  /** Tools that may be called now; empty when the client forbids it. */
  readonly tools: readonly QuestionTool[];
  readonly parallelToolCalls: boolean;
  /** `free`: as the model likes. */
  readonly reasoning: 'off' | 'free' | 'asked';
  /** `undefined`: plain text. */
  readonly json: { readonly schema: unknown } | undefined;
  readonly lastRole: 'user' | 'tool' | 'other';
  readonly lastText: string;
  /** The tool results at the end of the conversation. */
  readonly toolResults: readonly string[];
  readonly promptCharacters: number;
}

/** What an image, audio or file part counts as. */
export const charactersOfMedia = 340;
