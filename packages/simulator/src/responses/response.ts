import type { JsonObject } from '@tallyport/sandbox';
import type { OutputItem } from './output.ts';
import type { ResponsesUse } from './usage.ts';

/** A complete answer, before it is written as JSON or as a stream. */
export interface ResponsesAnswer {
  readonly id: string;
  readonly created: number;
  readonly body: JsonObject;
  readonly output: readonly OutputItem[];
  readonly isCut: boolean;
  readonly use: ResponsesUse;
}

export const endedResponse = (answer: ResponsesAnswer) => ({
  ...responseOf(answer, answer.isCut ? 'incomplete' : 'completed'),
  completed_at: answer.created,
  incomplete_details: answer.isCut ? { reason: 'max_output_tokens' } : null,
  output: answer.output,
  service_tier: answer.use.tier,
  usage: answer.use.usage,
  ...(answer.use.toolUsage && { tool_usage: answer.use.toolUsage }),
});

export const begunResponse = (answer: ResponsesAnswer) => responseOf(answer, 'in_progress');

const responseOf = ({ id, created, body }: ResponsesAnswer, status: string) => ({
  id,
  object: 'response',
  created_at: created,
  completed_at: null,
  status,
  background: false,
  error: null,
  incomplete_details: null,
  model: body.model,
  output: [],
  previous_response_id: null,
  service_tier: 'default',
  usage: null,
  ...Object.fromEntries(Object.entries(repeated).map(([name, usual]) => [name, body[name] ?? usual])),
});

/** Members of the request that the response repeats, and their defaults. */
const repeated: JsonObject = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  store: true,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
};
