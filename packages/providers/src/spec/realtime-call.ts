/** A session of messages in both directions, in OpenAI's form. */
export interface RealtimeCall {
  /** The header `OpenAI-Beta` of the client: it has the shapes of before general availability. */
  readonly beta: string | undefined;
  /** The session has no responses: it writes down what it hears. */
  readonly transcribes: boolean;
}
