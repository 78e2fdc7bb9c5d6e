/** The smallest thing that differs between the links: it carries bytes from a subject to whoever listens there. */
export interface Mover {
  /** Unique among all connections; a single subject token. */
  readonly id: string;
  /** Delivered at most once. With `reply`, an unheard message comes back there as `unheard`. */
  publish(subject: string, payload: Uint8Array, reply?: string): void;
  subscribe(subject: string, handler: MessageHandler): Unsubscribe;
  /** Registers a service whose replicas share each subject's messages. */
  serve(service: ServiceEndpoints): Promise<{ stop(): Promise<void> }>;
  connected(): boolean;
  /** After frames may have been lost in both directions. */
  onReconnect(handler: () => void): void;
  /** How long outgoing frames of all streams may wait for company while the connection is busy. */
  readonly gatherMs: number;
  close(): Promise<void>;
}

export interface Message {
  subject: string;
  reply: string;
  payload: Uint8Array;
  /** The broker says that nobody listened to what was published with this subject as its reply. */
  unheard: boolean;
}

export type MessageHandler = (message: Message) => void;
export type Unsubscribe = () => void;

export interface ServiceEndpoints {
  name: string;
  version: string;
  endpoints: readonly { name: string; subject: string; handler: MessageHandler }[];
  /** What tooling sees beside the broker's own figures. */
  statistics(): Record<string, number>;
}
