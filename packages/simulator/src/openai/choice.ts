export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

/** One alternative of an answer, before it takes the form of JSON or of a stream. */
export interface Choice {
  readonly reasoning: string;
  /** `null` when the choice is tool calls only. */
  readonly content: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
}
