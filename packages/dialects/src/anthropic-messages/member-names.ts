import type { MemberNames } from '../client-words.ts';

/** What the Messages API calls the members of a chat. */
export const messagesMemberNames: MemberNames = {
  max_completion_tokens: ['max_tokens'],
  parallel_tool_calls: ['tool_choice.disable_parallel_tool_use'],
  reasoning: ['thinking', 'output_config.effort'],
  reasoning_effort: ['output_config.effort', 'thinking'],
  response_format: ['output_config.format', 'output_format'],
  stop: ['stop_sequences'],
  user: ['metadata.user_id'],
};
