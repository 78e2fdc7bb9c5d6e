import type { RequestHead } from '@tallyport/contracts';
import { askedRouting } from '@tallyport/serving';
import { asChatRequest, parseBody } from '../../services/chat-svc/src/parse-request.ts';
import type { ReadRequest } from '../../services/chat-svc/src/read-request.ts';
import { explainedChat } from '../../services/chat-svc/src/routing/explained-chat.ts';
import type { RouteCase } from './case-file.ts';

/** What arrives with the body: as if a key of the account sent it. */
export function headOf({ headers, path, allowedModels, key, project }: RouteCase): RequestHead {
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    requestId: 'case',
    timeoutMs: 1_000,
    headers: Object.fromEntries(lowerCase),
    ...(path !== undefined && { query: new URLSearchParams({ path }).toString() }),
    principal: {
      accountId: 'default',
      keyId: key,
      ...(project !== '' && { projectId: project }),
      ...(allowedModels && { allowedModels }),
    },
  };
}

/** Reads the request in its own API. Throws like the API. */
export function readRequest({ request, tokens }: RouteCase, head: RequestHead): ReadRequest {
  const bytes = Buffer.from(JSON.stringify(typeof request === 'string' ? chatWith(request, tokens) : request));
  const addressed = explainedChat(head, bytes);
  if (addressed !== undefined) return addressed;
  const { body, standIns, preferences } = askedRouting(parseBody(bytes), head);
  return { request: asChatRequest(body), standIns, preferences };
}

const chatWith = (model: string, tokens = 1): object => ({
  model,
  messages: [{ role: 'user', content: 'words '.repeat(tokens) }],
});

export const timeOf = ({ at }: RouteCase): number => (at === undefined ? Date.now() : Date.parse(at));
