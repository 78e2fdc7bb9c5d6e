import type { RequestHead } from '@tallyport/contracts';
import type { StoredResponses } from './stored-responses.ts';

export interface SocketResponses {
  /** `undefined` if this gateway stores no responses. */
  stored: StoredResponses | undefined;
  /** Responses that are not stored, while the socket that they were made on may be open. */
  ofSockets: StoredResponses;
}

/** The responses that a request may continue: those that are stored, and those of its socket. */
export function continuable(
  { socket }: Pick<RequestHead, 'socket'>,
  { stored, ofSockets }: SocketResponses,
): StoredResponses | undefined {
  if (socket === undefined) return stored;
  return {
    ...(stored ?? ofSockets),
    find: async (owner, id) =>
      (await ofSockets.find({ ...owner, socketId: socket.id }, id)) ?? (await stored?.find(owner, id)),
  };
}
