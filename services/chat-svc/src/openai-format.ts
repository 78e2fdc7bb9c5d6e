import type { ChatRequest } from '@tallyport/wire';

/**
 * Translates members of other gateways and vendors into OpenAI's: `usage.include` requests the usage of a stream, and a
 * JSON object with a schema becomes a JSON schema. Returns the same request if there is nothing to change.
 */
export function inOpenAiFormat(request: ChatRequest): ChatRequest {
  const format = request.response_format;
  const schema = format?.type === 'json_object' ? format.schema : undefined;
  const wantsUsage = request.stream === true && isObject(request.usage) && request.usage.include === true;
  if (!wantsUsage && !isObject(schema)) return request;
  return {
    ...request,
    ...(wantsUsage && { stream_options: { ...request.stream_options, include_usage: true } }),
    ...(isObject(schema) && {
      response_format: { type: 'json_schema' as const, json_schema: { name: 'answer', schema } },
    }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
