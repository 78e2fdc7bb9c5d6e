import {
  type Call,
  type Exchange,
  GatewayError,
  type Journal,
  type Notice,
  type Operation,
  type RequestHead,
  type ServiceContract,
} from '@tallyport/contracts';
import { decodeJson } from './json.ts';
import { journalClient, type JournalClient } from './journal-client.ts';
import type { ExchangeRequest, ExchangeResponse, Link } from './link.ts';
import { journalSubject, operationSubject } from './subject.ts';

export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  requestId?: string;
  traceparent?: string;
}

interface NoticeClient<Payload> {
  publish(payload: Payload): void;
  /**
   * Returns a function that unsubscribes. Payloads that do not match the contract are dropped: a newer version may send
   * more than we know. `missed` is called when notices may have been lost, for example after a reconnect.
   */
  subscribe(handler: (payload: Payload) => void, missed?: () => void): () => void;
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
/** The output of a call is one JSON value. Anything larger should be an exchange. */
const maxOutputBytes = 16 * 1024 * 1024;

/** Derives a client from a contract: one function, or one object for notices and journals, per operation. */
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

function clientOperation(link: Link, operationName: { service: string; name: string }, operation: Operation): unknown {
  const subject = operationSubject(operationName.service, operationName.name);
  switch (operation.kind) {
    case 'call':
      return (input: unknown, options?: CallOptions) => callOnce({ link, subject, operation, input, options });
    case 'exchange':
      return (request: ExchangeRequest) => link.open(subject, request);
    case 'notice':
      return noticeClient(link, subject, operation);
    case 'journal':
      return journalClient(
        link,
        journalSubject(operation.keptFor ?? operationName.service, operationName.name),
        operation.entry,
      );
  }
}

interface CallParameters {
  link: Link;
  subject: string;
  operation: Call;
  input: unknown;
  options: CallOptions | undefined;
}

async function callOnce({ link, subject, operation, input, options = {} }: CallParameters): Promise<unknown> {
  const { signal, timeoutMs = defaultCallMs, requestId = '', traceparent } = options;
  const head: RequestHead = { requestId, timeoutMs, headers: {}, ...(traceparent && { traceparent }) };
  const body = Buffer.from(JSON.stringify(input));
  const response = await link.open(subject, { head, body, ...(signal && { signal }) });
  const answer = operation.output.safeParse(decodeJson(await response.body.bytes(maxOutputBytes)));
  if (answer.success) return answer.data;
  throw new GatewayError('internal_error', 'A service returned a response that cannot be read.', {
    cause: answer.error,
  });
}

function noticeClient(link: Link, subject: string, operation: Notice): NoticeClient<unknown> {
  return {
    publish: (payload) => link.notify(subject, Buffer.from(JSON.stringify(payload))),
    subscribe(handler, missed) {
      function receive(bytes: Uint8Array): void {
        const payload = operation.payload.safeParse(decodeJson(bytes));
        if (payload.success) handler(payload.data);
      }
      return link.subscribe(subject, receive, missed);
    },
  };
}
