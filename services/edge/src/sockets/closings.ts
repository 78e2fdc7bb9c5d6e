/** Why a socket has ended. The words are labels of a metric. */
export const closings = {
  client: { what: 'closed by its client' },
  session: { what: 'its session ended' },
  lost: { what: 'its connection broke' },
  silent: { what: 'its client neither answered nor read for too long' },
  invalid: { what: 'its client broke the protocol' },
  too_large: { code: 1009, what: 'a message was larger than the limit' },
  too_fast: { code: 1008, what: 'its client sent more messages in a second than the limit' },
  memory: { code: 1013, what: 'its message found no memory' },
  unread: { code: 1008, what: 'its client did not read what was sent' },
  key: { code: 1008, what: 'its key has ended' },
  age: { code: 1001, what: 'it was open for the longest time' },
  restart: { code: 1012, what: 'this process is shutting down' },
} as const satisfies Record<string, { code?: number; what: string }>;

export type Closing = keyof typeof closings;

/** Those of sockets that finish their work first. */
export type Ending = 'age' | 'key' | 'restart';

export const closeTexts: Readonly<Record<Ending, string>> = {
  age: 'This socket has been open for an hour. Open another one.',
  key: 'The API key of this socket is revoked or has expired.',
  restart: 'Service restart: reconnect.',
};

/** Those that this process begins, with a close frame. */
export type OwnClosing = {
  [Reason in Closing]: (typeof closings)[Reason] extends { code: number } ? Reason : never;
}[Closing];
