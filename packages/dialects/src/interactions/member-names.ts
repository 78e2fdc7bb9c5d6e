import type { MemberNames } from '../client-words.ts';

/** What the Interactions API calls the members of a chat. */
export const interactionMemberNames: MemberNames = {
  image_config: ['response_format', 'generation_config.image_config'],
  max_completion_tokens: ['generation_config.max_output_tokens'],
  messages: ['input'],
  modalities: ['response_modalities', 'response_format'],
  previous_response_id: ['previous_interaction_id'],
  reasoning_effort: ['generation_config.thinking_level'],
  response_format: ['response_format', 'response_mime_type'],
  seed: ['generation_config.seed'],
  stop: ['generation_config.stop_sequences'],
  temperature: ['generation_config.temperature'],
  tool_choice: ['generation_config.tool_choice'],
  top_p: ['generation_config.top_p'],
};
