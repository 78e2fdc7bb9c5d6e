import type { IncomingExchange } from '@tallyport/bus';
import type { RealtimeCall } from '@tallyport/providers';
import type { SocketMessage } from '@tallyport/wire';
import type { AskedSession } from './asked-session.ts';
import type { ClientEvent } from './client-event.ts';
import type { RealtimeDialect } from './dialect.ts';

/** What a client asks for when it opens a session. */
export interface SessionOpening extends AskedSession {
  call: RealtimeCall;
  dialect: RealtimeDialect;
  /** What was read of the session already; absent if it begins without a message of the client. */
  setup?: ClientEvent;
  /** The client's messages behind that. */
  incoming: AsyncIterable<SocketMessage>;
}

/** Throws a GatewayError for what opens no session. */
export type ReadOpening = (
  exchange: Pick<IncomingExchange, 'head' | 'body'>,
  mostMessageBytes: number,
) => SessionOpening | Promise<SessionOpening>;
