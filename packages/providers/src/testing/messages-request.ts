import type { NativeRequest } from '@tallyport/wire';

/** A request of a client of the Messages API, as the dialect reads it. */
export function messagesRequest(json: string, headers: Record<string, string> = {}): NativeRequest {
  const members = JSON.parse(json);
  const { model, max_tokens: limit } = members;
  return {
    dialect: 'anthropic-messages',
    body: Buffer.from(json),
    members,
    headers,
    model,
    limit,
    isUntranslatable: false,
  };
}
