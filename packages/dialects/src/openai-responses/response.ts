import type { ServiceTier } from '@tallyport/wire';
import type { ResponsesError } from '@tallyport/contracts';
import type { ResponsesOutputItem, ResponsesUsage } from './output-types.ts';
import type { ResponsesRequest } from './request-schema.ts';

/** What changes while a response is written. */
export interface ResponseProgress {
  status: 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';
  output: readonly ResponsesOutputItem[];
  usage: ResponsesUsage | null;
  /** Unix seconds, of a response that was completed. */
  completed_at?: number;
  incomplete_details?: { reason: 'max_output_tokens' | 'content_filter' };
  error?: ResponsesError;
  service_tier?: ServiceTier | null | undefined;
}

/** Of a response that is made in the background: clients know it before it is made. */
export type BackgroundIdentity = Pick<ResponseIdentity, 'id' | 'created_at'>;

export interface ResponseIdentity {
  id: string;
  created_at: number;
  /** That the response is a turn of. */
  conversation: { id: string } | null;
}

/** The object that the API answers with: the progress, and the request's own members or their defaults. */
export function responseObject(request: ResponsesRequest, identity: ResponseIdentity, progress: ResponseProgress) {
  const { status, output, usage, completed_at = null, incomplete_details = null, error = null } = progress;
  return {
    id: identity.id,
    object: 'response' as const,
    created_at: identity.created_at,
    completed_at,
    status,
    error,
    incomplete_details,
    output: [...output],
    usage,
    ...repeatedMembers(request),
    conversation: identity.conversation,
    service_tier: progress.service_tier ?? request.service_tier ?? ('auto' as const),
  };
}

export type ResponsesResponse = ReturnType<typeof responseObject>;

function repeatedMembers(request: ResponsesRequest) {
  return {
    model: request.model,
    access_programs: null,
    background: request.background === true,
    previous_response_id: request.previous_response_id ?? null,
    prompt: null,
    store: request.store === true,
    truncation: 'disabled' as const,
    ...repeatedLabels(request),
    ...repeatedSettings(request),
  };
}

function repeatedLabels(request: ResponsesRequest) {
  return {
    instructions: request.instructions ?? null,
    metadata: request.metadata ?? {},
    prompt_cache_key: request.prompt_cache_key ?? null,
    prompt_cache_retention: request.prompt_cache_retention ?? null,
    safety_identifier: request.safety_identifier ?? null,
    tool_choice: request.tool_choice ?? ('auto' as const),
    tools: request.tools ?? [],
    user: request.user ?? null,
  };
}

function repeatedSettings(request: ResponsesRequest) {
  return {
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    reasoning: { effort: null, summary: null, ...request.reasoning },
    temperature: request.temperature ?? null,
    text: { ...request.text, format: request.text?.format ?? { type: 'text' as const } },
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? null,
  };
}
