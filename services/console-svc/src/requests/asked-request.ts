import type { RequestRecord } from '@tallyport/management';
import { type FieldValues, problemAt } from '@tallyport/pages';
import type { ExplainedRequest } from '../gateway/gateway-api.ts';

/** Reads the request from the fields: a pasted one, or one made of a model. `undefined` if neither is given. */
export function askedRequest({
  body = '',
  model = '',
  kind,
  stream,
  path = '',
}: FieldValues): ExplainedRequest | undefined {
  if (body.trim() !== '') return { body: parsed(body), path: path === '' ? undefined : path };
  if (model.trim() === '') return undefined;
  return { body: bodyFor(model.trim(), kind, stream !== undefined), path: undefined };
}

/** The addresses of APIs that can be explained, by their names. */
export const apiPaths: readonly (readonly [path: string, name: string])[] = [
  ['', 'Chat completions, images or embeddings'],
  ['/v1/messages', 'Messages'],
  ['/v1/responses', 'Responses'],
  ['/v1/completions', 'Completions'],
];

export const kinds = { chat: 'Chat', image: 'Image', embeddings: 'Embeddings' } as const;

/** Routes do not depend on the text. */
function bodyFor(model: string, kind: string | undefined, stream: boolean): object {
  if (kind === 'image') return { model, prompt: 'A lighthouse' };
  if (kind === 'embeddings') return { model, input: 'Hello' };
  return { model, messages: [{ role: 'user', content: 'Hello' }], ...(stream && { stream }) };
}

/** The fields for a request of the ledger, which has no content; `undefined` for operations that have no explanation. */
export function fieldsOfRequest({ requestedModel, operation, stream }: RequestRecord): FieldValues | undefined {
  const kind = kindOf(operation);
  return kind && { model: requestedModel, kind, ...(stream && { stream: 'yes' }) };
}

function kindOf(operation: RequestRecord['operation']): keyof typeof kinds | undefined {
  if (operation === 'chat' || operation === 'embeddings') return operation;
  return operation === 'image_generation' ? 'image' : undefined;
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Answered below.
  }
  throw problemAt(
    'body',
    'This is not a JSON object. Paste the body of a request, such as {"model": "…", "messages": […]}.',
  );
}
