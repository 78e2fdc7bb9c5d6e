import type { ChatRequest } from '@tallyport/wire';
import type { DialectRequest } from '../dialect.ts';
import { outlineOf, type PassedRequest, type ReadEither, readEither, tokenLimit } from '../passed-request.ts';
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { readCountTokensBody, readMessagesBody } from './request.ts';
import { tierOfMessages } from './service-tier.ts';
import { withoutThread } from './thread.ts';

type ArrivedMessages = Pick<DialectRequest, 'body' | 'bytes' | 'headers'>;

/** The request as a chat, and as it is for Anthropic's own API. */
export function readMessagesRequest(arrived: ArrivedMessages): ReadEither<ChatRequest> {
  const request = withoutThread(arrived);
  return readEither({ passed: passedRequest(request), translate: () => readMessagesBody(request.body), outline });
}

/** The same for a request that only counts its tokens. */
export const readMessagesCount = (request: ArrivedMessages): ReadEither<ChatRequest> =>
  readEither({ passed: passedRequest(request), translate: () => readCountTokensBody(request.body), outline });

function outline({ members, model, limit }: PassedRequest): ChatRequest {
  const { system, messages, tools, stream } = members;
  return outlineOf({
    model,
    limit,
    stream: stream === true,
    prompt: [system, messages, tools],
    tier: tierOfMessages(members),
  });
}

function passedRequest({ body, bytes, headers }: ArrivedMessages): PassedRequest | undefined {
  if (!isPlainObject(body) || typeof body.model !== 'string' || body.model === '') return undefined;
  if (concernsAccount(body)) return undefined;
  const own = ['anthropic-beta', 'anthropic-version'].flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    dialect: 'anthropic-messages',
    body: bytes,
    members: body,
    headers: Object.fromEntries(own),
    model: body.model,
    limit: tokenLimit(body.max_tokens),
  };
}

/**
 * Members that concern the account with the vendor, which belongs to the gateway: what it keeps, which other accounts
 * could read, and what it pays besides the price of a token.
 */
const accountMembers = [
  'billing_policy',
  'container',
  'fallback_credit_token',
  'fallbacks',
  'inference_geo',
  'user_profile_id',
  'workspace_id',
];

const concernsAccount = (body: PlainObject): boolean =>
  accountMembers.some((name) => body[name] != null) || namesFile(body.messages);

/** A file that is kept by the vendor, in a block of a message or of a tool's result. */
function namesFile(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesFile);
  if (!isPlainObject(value)) return false;
  const { content, file_id: id, source } = value;
  return id != null || namesFile(source) || namesFile(content);
}
