import { endUserOf, type Principal, type RequestHead } from '@tallyport/contracts';
import { askedFallback } from '@tallyport/dispatch';
import { estimatePrompt } from '@tallyport/pricing';
import type { RouteFacts } from '@tallyport/routes';
import type { NamedRoutes, RouteTools } from '@tallyport/serving';
import type { ChatRequest } from '@tallyport/wire';
import type { ReadRequest } from '../read-request.ts';
import { stableKeyOf } from './stable-key.ts';

export interface ChatRouteTools {
  routes: NamedRoutes;
  /** In USD; infinite without a budget. */
  budgetLeft(principal: Principal | undefined): number | Promise<number>;
}

/** How the names of a chat are resolved. */
export function chatRoutes(tools: ChatRouteTools, head: RequestHead, read: ReadRequest): RouteTools {
  const { request } = read;
  const endUser = endUserOf(head, read.endUser === undefined ? request : { user: read.endUser });
  const { principal, requestId } = head;
  const key = (): string => `${principal?.accountId ?? ''}\0${stableKeyOf({ request, endUser, requestId })}`;
  const question = (budgetLeft: number) => ({ facts: factsOf({ tools, head, read, endUser, budgetLeft }), key });
  return {
    onlyFirst: askedFallback(head) === 'never',
    find: (name) => tools.routes.find(name, principal),
    question({ compiled }) {
      read.onRoute?.();
      const left = compiled.readsBudget ? tools.budgetLeft(principal) : Number.POSITIVE_INFINITY;
      return left instanceof Promise ? left.then(question) : question(left);
    },
  };
}

interface KnownOfChat {
  tools: ChatRouteTools;
  head: RequestHead;
  read: ReadRequest;
  endUser: string | undefined;
  budgetLeft: number;
}

function factsOf({ tools, head, read, endUser = '', budgetLeft }: KnownOfChat): RouteFacts {
  const { request, api = 'chat' } = read;
  const { principal } = head;
  return {
    request: {
      tokens: () => estimatePrompt(request),
      modalities: () => modalitiesOf(request),
      tools: () => toolsOf(request),
      structuredOutput: request.response_format?.type === 'json_schema',
      stream: request.stream === true,
      headers: () => tools.routes.headersOf(head),
      endUser,
      api,
    },
    keyId: principal?.keyId ?? '',
    projectId: principal?.projectId ?? '',
    accountId: principal?.accountId ?? '',
    budgetLeft,
    now: new Date(),
  };
}

const modalities: Readonly<Record<string, string>> = { image_url: 'image', input_audio: 'audio', file: 'file' };

function modalitiesOf({ messages }: ChatRequest): string[] {
  const found = new Set(['text']);
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue;
    for (const { type } of content) found.add(modalities[type] ?? 'text');
  }
  return [...found];
}

function toolsOf({ tools, functions }: ChatRequest): string[] {
  const named = (tools ?? []).map((tool) => (tool.type === 'function' ? tool.function.name : tool.type));
  return [...named, ...(functions ?? []).map(({ name }) => name)];
}
