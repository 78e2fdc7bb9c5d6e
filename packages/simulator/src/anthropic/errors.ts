import { jsonReply, type Reply, contentHash } from '@tallyport/sandbox';

export interface AnthropicError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

export type AnthropicFinding = AnthropicError | undefined;

export const anthropicInvalid = (message: string): AnthropicError => ({
  status: 400,
  type: 'invalid_request_error',
  message,
});

export const unauthorized = (message: string): AnthropicError => ({
  status: 401,
  type: 'authentication_error',
  message,
});

export const anthropicUnknownModel = (model: string): AnthropicError => ({
  status: 404,
  type: 'not_found_error',
  message: `model: ${model}`,
});

export function anthropicErrorReply(
  { status, type, message }: AnthropicError,
  headers: Record<string, string> = {},
): Reply {
  const id = `req_sim${contentHash(`${status}/${message}`).slice(0, 20)}`;
  return jsonReply(
    status,
    { type: 'error', error: { type, message }, request_id: id },
    { 'request-id': id, ...headers },
  );
}
