import { startChild } from '../support/child.ts';
import { messageOf } from '../support/messages.ts';

/** A server with TLS, a round trip away. */
export interface VendorOrder {
  kind: 'open';
  certificate: string;
  key: string;
  roundTripMs: number;
  /** Idle connections are closed after this time, or after any time up to it. */
  idleMs: number;
  closes: 'after' | 'within';
  /** The time is announced in a header. */
  announces: boolean;
  /** From reading a request to answering it. */
  workMs: number;
}

export interface VendorReport {
  kind: 'report';
  connections: number;
  /** Connections whose session of TLS was resumed. */
  resumed: number;
  /** Connections that were closed while they were idle. */
  closed: number;
  requests: number;
  /** Requests that were read more than once. */
  readAgain: number;
}

interface Opened {
  kind: 'opened';
  port: number;
}

interface Vendor {
  port: number;
  report(): Promise<VendorReport>;
  stop(): Promise<void>;
}

const startMs = 10_000;

/** Starts one in a process of its own. */
export async function startVendor(order: Omit<VendorOrder, 'kind'>): Promise<Vendor> {
  const child = startChild(new URL('vendor-process.ts', import.meta.url));
  const receive = <Kind extends string, Message extends { kind: Kind }>(kind: Kind): Promise<Message> =>
    child.receive(messageOf<Kind, Message>(kind), startMs);
  await receive('ready');
  child.send({ ...order, kind: 'open' });
  const { port } = await receive<'opened', Opened>('opened');
  return {
    port,
    report() {
      child.send({ kind: 'report' });
      return receive<'report', VendorReport>('report');
    },
    stop: child.stop,
  };
}
