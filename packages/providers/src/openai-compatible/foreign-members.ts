/**
 * Other vendors' hints that clients send to every model and that strict vendors refuse. Unlisted members are sent, so
 * that new members of a vendor work without a change here.
 */
export const foreignMembers: readonly string[] = [
  'chat_template_kwargs',
  'enable_thinking',
  'extra_body',
  'include_reasoning',
  'min_p',
  'min_tokens',
  'mirostat',
  'mirostat_eta',
  'mirostat_tau',
  'num_ctx',
  'reasoning_format',
  'reasoning_split',
  'repeat_penalty',
  'repetition_penalty',
  'safe_prompt',
  'thinking',
  'thinking_budget',
  'top_a',
  'top_k',
  'typical_p',
  'usage',
];

/** The list without members this vendor supports. */
export const foreignExcept = (...own: readonly string[]): string[] =>
  foreignMembers.filter((name) => !own.includes(name));
