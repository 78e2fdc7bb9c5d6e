import type { RequestHead } from '@tallyport/contracts';
import {
  type Dialect,
  geminiDialect,
  geminiInteractions,
  messagesDialect,
  openAiCompact,
  openAiCompletions,
  openAiResponses,
} from '@tallyport/dialects';
import { askedRouting } from '@tallyport/serving';
import { asChatRequest } from '../parse-request.ts';
import type { ReadRequest } from '../read-request.ts';
import { chatOfCall, dialectRequest } from '../dialects/speak-dialect.ts';
import { explainedAddress, type ExplainedExchange } from './explained-address.ts';

/** Other formats of chats than OpenAI's. */
const dialects = {
  compactResponse: openAiCompact,
  completeText: openAiCompletions,
  generateContent: geminiDialect,
  interact: geminiInteractions,
  messages: messagesDialect,
  responses: openAiResponses,
} as const satisfies Partial<Record<ExplainedExchange, Dialect>>;

export type DialectExchange = keyof typeof dialects;

const dialectOf: Readonly<Partial<Record<ExplainedExchange, Dialect>>> = dialects;

/**
 * A request of another API than chat completions: `path` in the query is the address that it would be sent to.
 * `undefined` without that. Throws like the dialect.
 */
export function explainedChat(head: RequestHead, body: Uint8Array): ReadRequest | undefined {
  const address = explainedAddress(head);
  const dialect = address && dialectOf[address.exchange];
  if (address === undefined || dialect === undefined) return undefined;
  const request = dialectRequest({ headers: head.headers, path: address.rest }, body);
  const { standIns, preferences } = request;
  return { ...chatOfCall(dialect.read(request)), api: dialect.name, standIns, preferences };
}

/** A chat in OpenAI's format. */
export function plainChat(value: unknown, head: RequestHead): ReadRequest {
  const { body, standIns, preferences } = askedRouting(value, head);
  return { request: asChatRequest(body), standIns, preferences };
}
