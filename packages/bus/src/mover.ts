/** The part that differs between the links: publish and subscribe for bytes by subject. */
export interface Mover {
  /** Unique among all connections; a single subject token. */
  readonly id: string;
  /** Delivers at most once. If no one listens and `reply` is set, a message with `unheard` is delivered there. */
  publish(subject: string, payload: Uint8Array, reply?: string): void;
  subscribe(subject: string, handler: MessageHandler): Unsubscribe;
  /** Registers a service whose replicas share each subject's messages. */
  serve(service: ServiceEndpoints): Promise<{ stop(): Promise<void> }>;
  connected(): boolean;
  /** The handler runs after an interruption in which frames may have been lost in both directions. */
  onReconnect(handler: () => void): void;
  /** How long frames of busy streams may wait to be sent together; 0 for no waiting. */
  readonly gatherMs: number;
  close(): Promise<void>;
}

export interface Message {
  subject: string;
  reply: string;
  payload: Uint8Array;
  /** Set by the broker: a message that was published with this subject as its reply had no listener. */
  unheard: boolean;
}

export type MessageHandler = (message: Message) => void;
type Unsubscribe = () => void;

export interface ServiceEndpoints {
  name: string;
  version: string;
  endpoints: readonly { name: string; subject: string; handler: MessageHandler }[];
  /** Figures for NATS tooling, in addition to the broker's own. */
  statistics(): Record<string, number>;
}
