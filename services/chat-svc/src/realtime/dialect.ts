import type { SessionErrors } from '@tallyport/contracts';
import type { SocketMessage } from '@tallyport/wire';
import type { ClientEvent } from './client-event.ts';
import type { ServerEvent } from './server-event.ts';

/** What the messages of a session mean in the API of a vendor. Of one session, because a meaning may depend on earlier messages. */
export interface RealtimeDialect extends SessionErrors {
  /** What a message of the client may cost. Throws a GatewayError for one that is not passed on. */
  readClient(message: DataMessage): ClientEvent;
  /** What a message of the vendor means for money. */
  readVendor(bytes: Buffer): ServerEvent;
  /** The message that cancels a response. */
  cancel(id: string): string;
}

export type DataMessage = Exclude<SocketMessage, { kind: 'close' }>;
