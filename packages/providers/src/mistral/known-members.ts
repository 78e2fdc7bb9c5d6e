/** All members the vendor supports; any other is refused with 422. */
export const knownMembers = [
  'model',
  'messages',
  'stream',
  'temperature',
  'top_p',
  'max_tokens',
  'stop',
  'random_seed',
  'n',
  'presence_penalty',
  'frequency_penalty',
  'response_format',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'prediction',
  'prompt_mode',
  'prompt_cache_key',
  'reasoning_effort',
  'safe_prompt',
];

export const knownMessageMembers = ['content', 'tool_calls', 'tool_call_id', 'prefix'];
