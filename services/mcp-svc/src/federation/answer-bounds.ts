/** Bounds of one call or list, over all that a server sends and causes in it. */
export const answerBounds = {
  /** Messages and other events. */
  messages: 2_000,
  /** Our requests to the server, with answers to its pings and resumed streams. */
  requests: 200,
  /** Of the body of an HTTP error; the rest is not read. */
  errorBytes: 64 * 1024,
  /** Of the id of a ping, which is sent back. */
  idLength: 256,
} as const;

/** A server did what no server needs to. Ends the call or list. */
export class ServerMisuse extends Error {
  /** Follows the name of the server in what callers read. */
  readonly says: string;

  constructor(says: string) {
    super(says);
    this.name = 'ServerMisuse';
    this.says = says;
  }
}

/** Counts what one call or list costs. Its functions throw ServerMisuse beyond the bounds. */
export interface AnswerCount {
  message(): void;
  request(): void;
  bytes(count: number): void;
}

export function countAnswers(maxBytes: number): AnswerCount {
  let messages = 0;
  let requests = 0;
  let bytes = 0;
  return {
    message() {
      messages += 1;
      if (messages > answerBounds.messages) throw new ServerMisuse('sent too many messages.');
    },
    request() {
      requests += 1;
      if (requests > answerBounds.requests) throw new ServerMisuse('caused too many requests.');
    },
    bytes(count) {
      bytes += count;
      if (bytes > maxBytes) throw new ServerMisuse('sent a response that is too large.');
    },
  };
}
