import type { RequestHead } from '@tallyport/contracts';
import { estimatePrompt } from '@tallyport/pricing';
import { type RouteGround, routeTools, type RouteTools } from '@tallyport/serving';
import type { ChatRequest } from '@tallyport/wire';
import { endUserOfChat, type ReadRequest } from '../read-request.ts';
import { lastUserText } from './last-user-text.ts';
import { stableKeyOf } from './stable-key.ts';

interface RoutedExchange {
  head: RequestHead;
  /** Absent if the chat is only explained. */
  signal?: AbortSignal;
}

/** How the names of a chat are resolved. */
export function chatRoutes(ground: RouteGround, { head, signal }: RoutedExchange, read: ReadRequest): RouteTools {
  const { request, api = 'chat', onRoute } = read;
  const endUser = endUserOfChat(head, read);
  return routeTools(ground, {
    head,
    endUser,
    facts: {
      tokens: () => estimatePrompt(request),
      modalities: () => modalitiesOf(request),
      tools: () => toolsOf(request),
      structuredOutput: request.response_format?.type === 'json_schema',
      stream: request.stream === true,
      api,
    },
    text: () => lastUserText(request),
    signal,
    stableKey: () => stableKeyOf({ request, endUser, requestId: head.requestId }),
    onRoute,
  });
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
