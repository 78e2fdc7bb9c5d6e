import type { MemberNames } from '../client-words.ts';

/** What the Responses API calls the members of a chat. */
export const responsesMemberNames: MemberNames = {
  logprobs: ['top_logprobs', 'include'],
  max_completion_tokens: ['max_output_tokens'],
  messages: ['input'],
  reasoning_effort: ['reasoning.effort'],
  response_format: ['text.format'],
  verbosity: ['text.verbosity'],
};
