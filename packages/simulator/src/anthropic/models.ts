/** The features a model supports; it refuses all others. */
export interface AnthropicRules {
  readonly maxOutput: number;
  readonly thinking: readonly ('enabled' | 'adaptive')[];
  /** Whether temperature, top_p and top_k may differ from their defaults. */
  readonly sampling: boolean;
  /** Whether temperature and top_p may be combined. */
  readonly bothSamplings: boolean;
  readonly efforts: readonly string[];
  readonly jsonFormat: boolean;
  /** Efforts with which thinking may be disabled. */
  readonly effortsWithoutThinking: readonly string[];
  /** Whether a tool call may be forced. */
  readonly forcedTools: boolean;
  /** Whether the last message may be the assistant's. */
  readonly prefill: boolean;
  /** Whether there may be instructions after a turn of the user. */
  readonly systemTurns: boolean;
}

const oldest: AnthropicRules = {
  maxOutput: 8_192,
  thinking: [],
  sampling: true,
  bothSamplings: true,
  efforts: [],
  jsonFormat: false,
  effortsWithoutThinking: ['low', 'medium', 'high', 'xhigh', 'max'],
  forcedTools: true,
  prefill: true,
  systemTurns: false,
};

const four: AnthropicRules = { ...oldest, maxOutput: 64_000, thinking: ['enabled'] };
const fourFive: AnthropicRules = {
  ...four,
  bothSamplings: false,
  efforts: ['low', 'medium', 'high', 'max'],
  jsonFormat: true,
};
const fourSix: AnthropicRules = {
  ...fourFive,
  maxOutput: 128_000,
  thinking: ['enabled', 'adaptive'],
  prefill: false,
  systemTurns: true,
};
const newest: AnthropicRules = {
  ...fourSix,
  thinking: ['adaptive'],
  sampling: false,
  efforts: [...fourSix.efforts, 'xhigh'],
};

/** By minimum version, newest first. */
const five: AnthropicRules = { ...newest, effortsWithoutThinking: ['low', 'medium', 'high'] };
const lines: readonly (readonly [from: number, rules: AnthropicRules])[] = [
  [5, five],
  [4.7, newest],
  [4.6, fourSix],
  [4.5, fourFive],
  [4.1, { ...four, maxOutput: 32_000, bothSamplings: false }],
  [4, four],
  [3.7, { ...oldest, maxOutput: 64_000, thinking: ['enabled'] }],
  [0, oldest],
];

/** `undefined` for an unknown model. */
export function anthropicRulesOf(model: string): AnthropicRules | undefined {
  const version = versionOf(model);
  const rules = version === undefined ? undefined : lines.find(([from]) => version >= from)?.[1];
  // These models always think and do not support forced tool calls.
  if (/^claude-((opus|sonnet)-5[-.]5|(fable|mythos)-5[-.][1-9])/.test(model))
    return { ...five, effortsWithoutThinking: [], forcedTools: false };
  // The first Opus 4 has a lower output limit than Sonnet of the same version.
  const isFirstOpus = /^claude-opus-4(-0|-\d{8})?$/.test(model);
  return rules && { ...rules, maxOutput: isFirstOpus ? 32_000 : rules.maxOutput };
}

/** `claude-opus-4-7`, `claude-sonnet-4-20250514`, `claude-3-7-sonnet-latest`: dates are longer than versions. */
function versionOf(model: string): number | undefined {
  const [, major, minor = '0'] = /^claude-(?:[a-z]+-)?(\d)(?:[-.](\d)(?!\d))?(?:-|$)/.exec(model) ?? [];
  return major === undefined ? undefined : Number(`${major}.${minor}`);
}
