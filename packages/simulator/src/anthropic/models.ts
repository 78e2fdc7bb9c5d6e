/** What a model takes, and refuses. */
export interface AnthropicRules {
  readonly maxOutput: number;
  readonly thinking: readonly ('enabled' | 'adaptive')[];
  /** Whether temperature, top_p and top_k may differ from their defaults. */
  readonly sampling: boolean;
  /** Whether temperature and top_p may come together. */
  readonly bothSamplings: boolean;
  readonly efforts: readonly string[];
  readonly jsonFormat: boolean;
  /** The efforts with which thinking may be disabled. */
  readonly effortsWithoutThinking: readonly string[];
}

const oldest: AnthropicRules = {
  maxOutput: 8_192,
  thinking: [],
  sampling: true,
  bothSamplings: true,
  efforts: [],
  jsonFormat: false,
  effortsWithoutThinking: ['low', 'medium', 'high', 'xhigh', 'max'],
};

const four: AnthropicRules = { ...oldest, maxOutput: 64_000, thinking: ['enabled'] };
const fourFive: AnthropicRules = {
  ...four,
  bothSamplings: false,
  efforts: ['low', 'medium', 'high', 'max'],
  jsonFormat: true,
};
const fourSix: AnthropicRules = { ...fourFive, maxOutput: 128_000, thinking: ['enabled', 'adaptive'] };
const newest: AnthropicRules = {
  ...fourSix,
  thinking: ['adaptive'],
  sampling: false,
  efforts: [...fourSix.efforts, 'xhigh'],
};

/** From which version on, newest first. */
const lines: readonly (readonly [from: number, rules: AnthropicRules])[] = [
  [5, { ...newest, effortsWithoutThinking: ['low', 'medium', 'high'] }],
  [4.7, newest],
  [4.6, fourSix],
  [4.5, fourFive],
  [4.1, { ...four, maxOutput: 32_000, bothSamplings: false }],
  [4, four],
  [3.7, { ...oldest, maxOutput: 64_000, thinking: ['enabled'] }],
  [0, oldest],
];

/** `undefined`: the model is unknown. */
export function anthropicRulesOf(model: string): AnthropicRules | undefined {
  const version = versionOf(model);
  const rules = version === undefined ? undefined : lines.find(([from]) => version >= from)?.[1];
  // The first Opus 4 gives less than its sister of the same version.
  const isFirstOpus = /^claude-opus-4(-0|-\d{8})?$/.test(model);
  return rules && { ...rules, maxOutput: isFirstOpus ? 32_000 : rules.maxOutput };
}

/** `claude-opus-4-7`, `claude-sonnet-4-20250514`, `claude-3-7-sonnet-latest`: dates are longer than versions. */
function versionOf(model: string): number | undefined {
  const [, major, minor = '0'] = /^claude-(?:[a-z]+-)?(\d)(?:[-.](\d)(?!\d))?(?:-|$)/.exec(model) ?? [];
  return major === undefined ? undefined : Number(`${major}.${minor}`);
}
