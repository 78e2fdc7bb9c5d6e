import { GatewayError } from '@tallyport/contracts';
import type { ChatRequest, NativeRequest } from '@tallyport/wire';
import { isPlainObject, type PlainObject } from './plain-object.ts';

/** A request that may be passed on, before it is known whether it can be translated as well. */
export type PassedRequest = Omit<NativeRequest, 'isUntranslatable'>;

/** A request of an API as a chat, and as it arrived. */
export interface ReadEither<Chat> {
  chat: Chat;
  native?: NativeRequest;
  untranslatable?: GatewayError;
}

interface Reading<Chat> {
  /** Absent if the request must not be passed on; it has to be translated then. */
  passed: PassedRequest | undefined;
  translate(): Chat;
  /** Stands in for the translation of a request that a chat cannot express. */
  outline(passed: PassedRequest): Chat;
}

/** What a chat cannot express is no error as long as the request may be passed on. */
export function readEither<Chat>({ passed, translate, outline }: Reading<Chat>): ReadEither<Chat> {
  if (passed === undefined) return { chat: translate() };
  try {
    return { chat: translate(), native: { ...passed, isUntranslatable: false } };
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    return { chat: outline(passed), native: { ...passed, isUntranslatable: true }, untranslatable: thrown };
  }
}

interface OutlinedRequest {
  model: string;
  stream: boolean;
  limit: number | undefined;
  /** The members whose texts are the prompt. */
  prompt: readonly unknown[];
  /** The service tier that it asks, in OpenAI's words. */
  tier: string | undefined;
}

/** A chat of the same size, for estimates and limits. */
export const outlineOf = ({ model, stream, limit, prompt, tier }: OutlinedRequest): ChatRequest => ({
  model,
  messages: [{ role: 'user', content: textsIn(prompt).join('\n') }],
  ...(limit !== undefined && { max_completion_tokens: limit }),
  ...(tier !== undefined && { service_tier: tier }),
  ...(stream && { stream, stream_options: { include_usage: true } }),
});

/** Every string, except files and images in base64. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isPlainObject(value) ? membersOf(value).flatMap(textsIn) : [];
}

const membersOf = (value: PlainObject): unknown[] =>
  Object.entries(value).flatMap(([name, member]) => (name === 'data' ? [] : [member]));

/** A limit on tokens; `undefined` for anything that is not one. */
export const tokenLimit = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
