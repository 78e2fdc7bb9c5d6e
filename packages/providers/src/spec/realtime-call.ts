/** A session of messages in both directions. */
export interface RealtimeCall {
  /** The API that the client speaks: sessions are not translated. */
  readonly api: RealtimeApi;
  /** The header `OpenAI-Beta` of the client: it has the shapes of before general availability. */
  readonly beta?: string | undefined;
  /** The session has no responses: it writes down what it hears. */
  readonly transcribes?: boolean;
  /** The first message of clients of Google's API, a JSON document. */
  readonly setup?: Buffer;
}

/** Google's Live API, and OpenAI's Realtime API. */
export type RealtimeApi = 'live' | 'realtime';
