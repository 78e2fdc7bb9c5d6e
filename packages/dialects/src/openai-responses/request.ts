import type { ChatRequest } from '@tallyport/wire';
import type { PlacedItem } from './conversation.ts';
import type { ResponsesTextFormat } from './format-schema.ts';
import { inputMessages } from './input.ts';
import type { ResponsesItemOf } from './item-schema.ts';
import type { ResponsesRequest } from './request-schema.ts';
import { readToolChoice } from './tool-choice.ts';
import type { ToolNames } from './tool-names.ts';
import { readDeclaredTools } from './tools.ts';

/**
 * The request as a chat, with the items of its conversation. Not part of it: `store`, since the vendor stores nothing,
 * and `metadata`, which the response repeats.
 * `reasoning.summary` and `.context` are ignored: thinking is shown where the model shows it, and comes back with the input.
 */
export function toChatRequest(request: ResponsesRequest, items: readonly PlacedItem[], names: ToolNames): ChatRequest {
  const tools = readDeclaredTools(request, items, names);
  const settings = readSettings(request, items);
  return {
    model: request.model,
    ...definedOf({
      max_completion_tokens: request.max_output_tokens,
      prompt_cache_key: request.prompt_cache_key,
      prompt_cache_options: cacheOptions(request),
      prompt_cache_retention: request.prompt_cache_retention,
      reasoning_effort: settings.effort,
      response_format: settings.format && responseFormat(settings.format),
      safety_identifier: request.safety_identifier,
      service_tier: request.service_tier,
      temperature: request.temperature,
      tool_choice: request.tool_choice && readToolChoice(request.tool_choice, names, tools.length > 0),
      top_p: request.top_p,
      user: request.user,
      verbosity: request.text?.verbosity,
      ...(tools.length > 0 && { tools, parallel_tool_calls: request.parallel_tool_calls }),
    }),
    ...logprobs(request),
    ...(request.stream === true && { stream: true, stream_options: { include_usage: true } }),
    // After the tools, whose names its calls have.
    messages: inputMessages(request, items, names),
  };
}

/** Without the members that say nothing. */
function definedOf<Values extends object>(values: Values): { [Name in keyof Values]?: NonNullable<Values[Name]> };
function definedOf(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null));
}

interface Settings {
  effort: NonNullable<ResponsesRequest['reasoning']>['effort'];
  format: ResponsesTextFormat | null | undefined;
}

/** Each setting stays in effect until a later update in the history replaces it. */
function readSettings({ reasoning, text }: ResponsesRequest, items: readonly PlacedItem[]): Settings {
  const updates = items.map(({ item }) => item).filter((item) => item.type === 'configuration_update');
  const last = <Value>(read: (item: ResponsesItemOf<'configuration_update'>) => Value) =>
    updates.map(read).findLast((value) => value != null);
  return {
    effort: last((item) => item.reasoning?.effort) ?? reasoning?.effort,
    format: last((item) => item.text?.format) ?? text?.format,
  };
}

function responseFormat(format: ResponsesTextFormat): NonNullable<ChatRequest['response_format']> {
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, description, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, ...definedOf({ description, schema, strict }) } };
}

function cacheOptions({ prompt_cache_options: options }: ResponsesRequest) {
  return options && definedOf({ mode: options.mode, ttl: options.ttl });
}

/** Other values of `include` name results of hosted tools, and state that every response has. */
const wantsLogprobs = ({ include, top_logprobs: top }: ResponsesRequest): boolean =>
  (top ?? 0) > 0 || include?.includes('message.output_text.logprobs') === true;

const logprobs = (request: ResponsesRequest) =>
  wantsLogprobs(request) && { logprobs: true, ...definedOf({ top_logprobs: request.top_logprobs }) };
