import { type ChatRequest, repeatsMember } from '@tallyport/wire';
import type { DialectRequest } from '../dialect.ts';
import { outlineOf, type PassedRequest, type ReadEither, readEither, tokenLimit } from '../passed-request.ts';
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { itemsOfBody } from './conversation.ts';
import {
  type EarlierItems,
  isReadableReasoning,
  isSealedReasoning,
  placedItems,
  withEarlierItems,
} from './expanded-input.ts';
import { typeOfItem } from './item-schema.ts';

interface ArrivedResponses extends Pick<DialectRequest, 'body' | 'bytes'> {
  items: EarlierItems;
}

/** The request as a chat, and as it is for OpenAI's own API, with the stored items that it refers to. */
export const readResponsesRequest = (
  request: ArrivedResponses,
  translate: () => ChatRequest,
): ReadEither<ChatRequest> => readEither({ passed: passedResponses(request), translate, outline });

function outline({ members, model, limit }: PassedRequest): ChatRequest {
  const { instructions, input, tools, stream } = members;
  return outlineOf({
    model,
    limit,
    stream: stream === true,
    prompt: [instructions, input, tools],
    tier: tierOfResponses(members),
  });
}

export const tierOfResponses = ({ service_tier: tier }: PassedRequest['members']): string | undefined =>
  typeof tier === 'string' ? tier : undefined;

/** The request for OpenAI's own API; `undefined` if it must not be passed on. */
export function passedResponses({ body, bytes, items }: ArrivedResponses): PassedRequest | undefined {
  if (!isPlainObject(body) || typeof body.model !== 'string' || body.model === '') return undefined;
  const placed = placedItems(items);
  const own = itemsOfBody(body).filter((_item, at) => !placed.has(at));
  if (concernsAccount(body, own) || own.some(isLostReasoning)) return undefined;
  // The vendor could read the one that was not checked.
  if (repeatsMember(bytes)) return undefined;
  const expanded = withEarlierItems({ body, bytes }, items);
  return {
    dialect: 'openai-responses',
    ...expanded,
    headers: {},
    model: body.model,
    limit: tokenLimit(body.max_output_tokens),
  };
}

/** Its vendor would look for it among stored items. */
const isLostReasoning = (item: PlainObject): boolean => !isReadableReasoning(item) && !isSealedReasoning(item);

/**
 * Members that concern the account with the vendor, which belongs to the gateway: what it keeps, which other accounts
 * could read.
 */
const concernsAccount = (body: PlainObject, own: readonly PlainObject[]): boolean =>
  body.conversation != null ||
  body.prompt != null ||
  (body.background ?? false) !== false ||
  comparesResponse(body.prompt_cache_options) ||
  own.some((item) => typeOfItem(item) === 'item_reference') ||
  namesStored(own) ||
  namesStored(body.tools);

const comparesResponse = (options: unknown): boolean =>
  isPlainObject(options) && options.comparison_response_id != null;

/** By the name of a member: what the vendor stores under its value, which is an id or a list of ids. */
const storedThings = new Set(['container', 'container_id', 'file_id', 'file_ids', 'skill_id', 'vector_store_ids']);

/** Citations only name where a text is from. */
export function namesStored(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesStored);
  if (!isPlainObject(value)) return false;
  return Object.entries(value).some(([name, member]) => {
    if (name === 'annotations') return false;
    return (storedThings.has(name) && isId(member)) || namesStored(member);
  });
}

const isId = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.some((each) => typeof each === 'string'));
