import { hash } from 'node:crypto';
import type { ChatRequest } from '@tallyport/wire';

interface KeyedChat {
  accountId: string;
  modelId: string;
  request: ChatRequest;
}

/** Chats with the same key share a cached prompt. `undefined` for a chat that is too short to be cached. */
export const conversationKey = (chat: KeyedChat, characters: number): string | undefined =>
  nameKey(chat) ?? beginningKey(chat, characters);

/** `undefined` for a chat that its client does not name. */
export function nameKey(chat: KeyedChat): string | undefined {
  const name = clientsName(chat.request);
  return name === undefined ? undefined : keyOf(chat, ['name', name]);
}

/** Chats with the same key begin in the same way, in one conversation or in several. `undefined` for a shorter chat. */
export function beginningKey(chat: KeyedChat, characters: number): string | undefined {
  const start = beginningOf(chat.request, characters);
  return start === undefined ? undefined : keyOf(chat, ['beginning', start]);
}

/** Ids have no zero characters. */
const keyOf = ({ accountId, modelId }: KeyedChat, start: readonly string[]): string =>
  hash('sha256', [accountId, modelId, ...start].join('\0'), 'base64url');

/** How the client names its conversation or its user. `user` is `metadata.user_id` of Anthropic's API. */
export function clientsName({
  prompt_cache_key: key,
  session_id: session,
  metadata,
  user,
}: ChatRequest): string | undefined {
  return [key, session, metadata?.['user_id'], user].find(
    (each): each is string => typeof each === 'string' && each !== '',
  );
}

/** What vendors cache first: the tools, then the messages. `undefined` for a shorter chat. */
function beginningOf({ tools, functions, messages }: ChatRequest, characters: number): string | undefined {
  const text = withTexts('', [tools, functions, messages], characters);
  return text.length === characters ? text : undefined;
}

/** Members that differ between the turns of one conversation, or between two forms of the same message. */
const changing = new Set([
  'cache_control',
  'prompt_cache_breakpoint',
  'reasoning_content',
  'reasoning_details',
  'type',
]);

/** The text followed by the texts in a value, up to a number of characters. */
function withTexts(text: string, value: unknown, characters: number): string {
  if (typeof value === 'string') return text + value.slice(0, characters - text.length);
  if (typeof value !== 'object' || value === null) return text;
  let longer = text;
  for (const [name, member] of Object.entries(value)) {
    if (longer.length === characters) break;
    if (!changing.has(name)) longer = withTexts(longer, member, characters);
  }
  return longer;
}
