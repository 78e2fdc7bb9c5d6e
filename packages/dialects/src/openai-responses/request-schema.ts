import { z } from 'zod';
import { parsedBody } from '../parsed-body.ts';
import { anyMembers, reasoningEffort, textFormat } from './format-schema.ts';
import { responsesItemSchema } from './item-schema.ts';
import { responsesToolChoiceSchema, responsesToolSchema } from './tool-schema.ts';
import { refusedNames, refuseUntranslatable } from './refused-members.ts';

const text = z.string();
const count = z.int().min(1);

/**
 * A request as clients send it. PlainObject that are not named here are those of `refusedMembers`, or pass unread:
 * `max_tool_calls` counts calls of hosted tools only, `stream_options` asks for padding that is never sent,
 * `client_metadata` and `access_programs` address the vendor, and clients add further ones of that kind.
 */
export const responsesRequestSchema = z.looseObject({
  model: text.min(1),
  background: z.boolean().nullish(),
  input: z.union([text, z.array(responsesItemSchema)], { error: 'must be a string or an array of items' }),
  instructions: text.nullish(),
  include: z.array(text).nullish(),
  max_output_tokens: count.nullish(),
  max_tool_calls: count.nullish(),
  metadata: z.record(text, text).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  previous_response_id: text.min(1).nullish(),
  prompt_cache_key: text.nullish(),
  prompt_cache_options: z.looseObject({ mode: text.nullish(), ttl: text.nullish() }).nullish(),
  prompt_cache_retention: z.enum(['in_memory', '24h']).nullish(),
  reasoning: z.looseObject({ effort: reasoningEffort.nullish(), summary: text.nullish() }).nullish(),
  safety_identifier: text.nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']).nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: anyMembers.nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  text: z
    .looseObject({ format: textFormat.nullish(), verbosity: z.enum(['low', 'medium', 'high']).nullish() })
    .nullish(),
  tool_choice: responsesToolChoiceSchema.nullish(),
  tools: z.array(responsesToolSchema).nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  user: text.nullish(),
});

/** With those that change nothing, and those that are refused. */
export const responsesMembersRead: ReadonlySet<string> = new Set([
  ...Object.keys(responsesRequestSchema.shape),
  ...refusedNames,
  'access_programs',
  'client_metadata',
]);

export type ResponsesRequest = z.infer<typeof responsesRequestSchema>;

/** Throws `invalid_parameters` with the path of the first member that is wrong or cannot be translated. */
export function parseResponsesRequest(body: unknown): ResponsesRequest {
  const request = parsedBody(responsesRequestSchema, body);
  refuseUntranslatable(request);
  return request;
}
