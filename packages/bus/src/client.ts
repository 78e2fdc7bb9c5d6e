import {
  type Call,
  type Exchange,
  GatewayError,
  type Journal,
  type Notice,
  type Operation,
  type RequestHead,
  type ServiceContract,
} from '@switchyard/contracts';
import { decodeJson } from './json.ts';
import type { ConsumeOptions, Consumer, ExchangeRequest, ExchangeResponse, Link } from './link.ts';
import { journalSubject, operationSubject } from './subject.ts';

export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  requestId?: string;
  traceparent?: string;
}

export interface NoticeClient<Payload> {
  publish(payload: Payload): void;
  /** Payloads that do not fit the contract are dropped: a newer version may send more than we know. `missed` is told when some may have been lost. */
  subscribe(handler: (payload: Payload) => void, missed?: () => void): () => void;
}

/** An entry as it lies in the journal, and why it is no entry of the contract. */
export interface Unreadable {
  entry: Uint8Array;
  error: unknown;
}

export interface JournalOptions extends ConsumeOptions {
  /**
   * Given what does not fit the contract, before the rest of its batch; the batch comes again when this rejects. Without
   * it such entries are told to `onFailure` and gone.
   */
  onUnreadable?: (entries: readonly Unreadable[]) => Promise<void>;
}

export interface JournalClient<Entry> {
  /** Resolves when the entry is stored for good. */
  append(entry: Entry): Promise<void>;
  /** Batches, at least once. */
  consume(handler: (entries: readonly Entry[]) => Promise<void>, options?: JournalOptions): Promise<Consumer>;
}

type ClientOperation<O extends Operation> =
  O extends Call<infer Input, infer Output>
    ? (input: Input, options?: CallOptions) => Promise<Output>
    : O extends Exchange
      ? (request: ExchangeRequest) => Promise<ExchangeResponse>
      : O extends Notice<infer Payload>
        ? NoticeClient<Payload>
        : O extends Journal<infer Entry>
          ? JournalClient<Entry>
          : never;

export type Client<Operations extends Record<string, Operation>> = {
  [Name in keyof Operations]: ClientOperation<Operations[Name]>;
};

const defaultCallMs = 5_000;
/** A call's answer is one JSON value; more than this is an exchange in disguise. */
const maxAnswerBytes = 16 * 1024 * 1024;

/** What a service offers, as functions: derived from its contract. */
export function createClient<Operations extends Record<string, Operation>>(
  link: Link,
  contract: ServiceContract<Operations>,
): Client<Operations> {
  const operations = Object.entries(contract.operations).map(([name, operation]) => [
    name,
    clientOperation(link, { service: contract.name, name }, operation),
  ]);
  return Object.fromEntries(operations) as Client<Operations>;
}

function clientOperation(link: Link, named: { service: string; name: string }, operation: Operation): unknown {
  const subject = operationSubject(named.service, named.name);
  const journal = journalSubject(named.service, named.name);
  switch (operation.kind) {
    case 'call':
      return (input: unknown, options?: CallOptions) => callOnce({ link, subject, operation, input, options });
    case 'exchange':
      return (request: ExchangeRequest) => link.open(subject, request);
    case 'notice':
      return noticeClient(link, subject, operation);
    case 'journal':
      return journalClient(link, journal, operation);
  }
}

interface CallOnce {
  link: Link;
  subject: string;
  operation: Call;
  input: unknown;
  options: CallOptions | undefined;
}

async function callOnce({ link, subject, operation, input, options = {} }: CallOnce): Promise<unknown> {
  const { signal, timeoutMs = defaultCallMs, requestId = '', traceparent } = options;
  const head: RequestHead = { requestId, timeoutMs, headers: {}, ...(traceparent && { traceparent }) };
  const body = Buffer.from(JSON.stringify(input));
  const response = await link.open(subject, { head, body, ...(signal && { signal }) });
  const answer = operation.output.safeParse(decodeJson(await response.body.bytes(maxAnswerBytes)));
  if (answer.success) return answer.data;
  throw new GatewayError('internal_error', 'A service answered in a form that cannot be read.', {
    cause: answer.error,
  });
}

function noticeClient(link: Link, subject: string, operation: Notice): NoticeClient<unknown> {
  return {
    publish: (payload) => link.notify(subject, Buffer.from(JSON.stringify(payload))),
    subscribe(handler, missed) {
      function hear(bytes: Uint8Array): void {
        const payload = operation.payload.safeParse(decodeJson(bytes));
        if (payload.success) handler(payload.data);
      }
      return link.subscribe(subject, hear, missed);
    },
  };
}

function journalClient(link: Link, subject: string, operation: Journal): JournalClient<{ id: string }> {
  return {
    append: (entry) => link.journals.append(subject, entry.id, Buffer.from(JSON.stringify(entry))),
    consume(handler, { onUnreadable, ...options } = {}) {
      const leaveOut = async (unreadable: readonly Unreadable[]): Promise<void> =>
        unreadable.forEach(({ error }) => options.onFailure?.(error));
      async function take(entries: readonly Uint8Array[]): Promise<void> {
        const readable: { id: string }[] = [];
        const unreadable: Unreadable[] = [];
        for (const entry of entries) {
          const read = operation.entry.safeParse(decodeJson(entry));
          if (read.success) readable.push(read.data);
          else unreadable.push({ entry, error: read.error });
        }
        if (unreadable.length > 0) await (onUnreadable ?? leaveOut)(unreadable);
        if (readable.length > 0) await handler(readable);
      }
      return link.journals.consume(subject, take, options);
    },
  };
}
