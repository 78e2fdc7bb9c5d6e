import { endUserOf } from '@tallyport/contracts';
import {
  type Dialect,
  geminiDialect,
  messagesDialect,
  openAiCompact,
  openAiCompletions,
  openAiResponses,
} from '@tallyport/dialects';
import { estimatePrompt } from '@tallyport/pricing';
import type { RouteFacts } from '@tallyport/routes';
import type { ChatRequest } from '@tallyport/wire';
import type { ReadRequest } from '../../services/chat-svc/src/read-request.ts';
import type { RouteCase } from './case-file.ts';
import { headOf, timeOf } from './request-of-case.ts';

/** What the conditions of routes see of the request of a case. */
export function factsOf(each: RouteCase, { request, endUser }: ReadRequest): RouteFacts {
  const head = headOf(each);
  return {
    request: {
      tokens: () => each.tokens ?? estimatePrompt(request),
      modalities: () => modalitiesOf(request),
      tools: () => toolsOf(request),
      structuredOutput: request.response_format?.type === 'json_schema',
      stream: request.stream === true,
      headers: () => new Map(Object.entries(head.headers)),
      endUser: endUserOf(head, endUser === undefined ? request : { user: endUser }) ?? '',
      api: apiOf(each),
    },
    keyId: each.key,
    projectId: each.project,
    accountId: head.principal?.accountId ?? '',
    budgetLeft: each.budgetLeft ?? Number.POSITIVE_INFINITY,
    now: new Date(timeOf(each)),
  };
}

const kinds: Readonly<Record<string, string>> = { image_url: 'image', input_audio: 'audio', file: 'file' };

function modalitiesOf({ messages }: ChatRequest): string[] {
  const parts = messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.map(({ type }) => kinds[type] ?? 'text') : [],
  );
  return [...new Set(['text', ...parts])];
}

const toolsOf = ({ tools, functions }: ChatRequest): string[] => [
  ...(tools ?? []).map((tool) => (tool.type === 'function' ? tool.function.name : tool.type)),
  ...(functions ?? []).map(({ name }) => name),
];

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['/v1/messages', messagesDialect],
  ['/v1/responses', openAiResponses],
  ['/v1/responses/compact', openAiCompact],
  ['/v1/completions', openAiCompletions],
]);

function apiOf({ path }: RouteCase): string {
  if (path === undefined || path === '/v1/chat/completions') return 'chat';
  return (dialects.get(path) ?? geminiDialect).name;
}
