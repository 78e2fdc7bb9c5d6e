import { GatewayError, type RequestHead } from '@tallyport/contracts';
import {
  type Dialect,
  geminiDialect,
  geminiInteractions,
  messagesDialect,
  openAiCompact,
  openAiCompletions,
  openAiResponses,
} from '@tallyport/dialects';
import { callPaths } from './explained-call.ts';
import { endOfGeminiPath } from './gemini-path.ts';
import { askedRouting } from '@tallyport/serving';
import { asChatRequest } from '../parse-request.ts';
import type { ReadRequest } from '../read-request.ts';
import { chatOfCall, dialectRequest } from '../dialects/speak-dialect.ts';

interface Addressed {
  dialect: Dialect;
  /** The rest of the path. */
  rest: string;
}

const dialects: ReadonlyMap<string, Dialect> = new Map<string, Dialect>([
  ['/v1/messages', messagesDialect],
  ['/v1/responses', openAiResponses],
  ['/v1/responses/compact', openAiCompact],
  ['/v1/completions', openAiCompletions],
  ['/v1beta/interactions', geminiInteractions],
  ['/v1/interactions', geminiInteractions],
]);

/**
 * A request of another API than chat completions: `path` in the query is the address that it would be sent to.
 * `undefined` without that. Throws like the dialect.
 */
export function explainedChat(head: RequestHead, body: Uint8Array): ReadRequest | undefined {
  const path = new URLSearchParams(head.query).get('path');
  if (path === null || path === '/v1/chat/completions') return undefined;
  const { dialect, rest } = addressed(path);
  const request = dialectRequest({ headers: head.headers, path: rest }, body);
  const { standIns, preferences } = request;
  return { ...chatOfCall(dialect.read(request)), api: dialect.name, standIns, preferences };
}

function addressed(path: string): Addressed {
  const dialect = dialects.get(path);
  if (dialect !== undefined) return { dialect, rest: '' };
  const rest = endOfGeminiPath(path);
  if (rest !== undefined) return { dialect: geminiDialect, rest };
  const message = `'path' must be the address of a request, such as ${[...dialects.keys(), ...callPaths].join(', ')}.`;
  throw new GatewayError('invalid_parameters', message, { param: 'path' });
}

/** A chat in OpenAI's format. */
export function plainChat(value: unknown, head: RequestHead): ReadRequest {
  const { body, standIns, preferences } = askedRouting(value, head);
  return { request: asChatRequest(body), standIns, preferences };
}
