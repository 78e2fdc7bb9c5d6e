import type { Offer } from '@tallyport/contracts';

/** How thinking is requested: a token budget, an effort for an adaptive model, or a member of the model's own API. */
export type ThinkingStyle =
  | 'none'
  | 'budget'
  | 'adaptive'
  | 'adaptive-xhigh'
  /** The same, but thinking cannot be switched off. */
  | 'adaptive-always'
  | 'effort'
  | 'reasoning-config';

/**
 * What differs between model families behind the shared API. The vendor refuses a request that breaks any of these
 * rules.
 */
export interface BedrockRules {
  thinking: ThinkingStyle;
  /** `one`: temperature or top_p, not both. `none`: neither. */
  sampling: 'both' | 'one' | 'none';
  /** The tool choices the model accepts. `none`: no tool choice at all. */
  toolChoice: 'all' | 'any' | 'none';
  /** Whether the model supports structured outputs; if not, the schema becomes a forced tool. */
  nativeSchema: boolean;
  /**
   * How tool schemas are sent. `claude`: in Claude's dialect, strict if requested; `claude-loose`: the same, but never
   * strict.
   */
  toolSchemas: 'as sent' | 'claude' | 'claude-loose';
  /** Whether the model continues an assistant message at the end of the conversation. */
  prefill: boolean;
  cachePoints: boolean;
  /** Whether the model accepts the ids it generates, which break the API's pattern, such as `functions.x:0`. */
  ownCallIds: boolean;
  /** Whether the model can be limited to one call at a time. */
  singleCalls: boolean;
  /** Whether the model reports which stop text ended its answer. */
  namesStop: boolean;
}

const usual: BedrockRules = {
  thinking: 'none',
  sampling: 'both',
  toolChoice: 'all',
  nativeSchema: false,
  toolSchemas: 'as sent',
  prefill: true,
  cachePoints: false,
  ownCallIds: false,
  singleCalls: false,
  namesStop: false,
};

const claude: BedrockRules = {
  ...usual,
  toolSchemas: 'claude-loose',
  cachePoints: true,
  singleCalls: true,
  namesStop: true,
};
const claudeWithSchema: BedrockRules = { ...claude, sampling: 'one', nativeSchema: true, toolSchemas: 'claude' };
const newestClaude: BedrockRules = {
  ...claudeWithSchema,
  sampling: 'none',
  prefill: false,
  thinking: 'adaptive-xhigh',
};

/** The first pattern that matches applies. A name may have a region prefix (`us.`) and a version suffix. */
const families: readonly { models: RegExp; rules: BedrockRules }[] = [
  { models: /claude-3-7/, rules: { ...claude, thinking: 'budget' } },
  { models: /claude-(3|v2|instant)/, rules: { ...claude, cachePoints: false } },
  { models: /claude-(sonnet|opus)-4-20/, rules: { ...claude, thinking: 'budget' } },
  { models: /claude-opus-4-1/, rules: { ...claude, sampling: 'one', thinking: 'budget' } },
  { models: /claude-\w+-4-5/, rules: { ...claudeWithSchema, thinking: 'budget' } },
  { models: /claude-\w+-4-6/, rules: { ...claudeWithSchema, prefill: false, thinking: 'adaptive' } },
  {
    models: /claude-((opus|sonnet)-5-5|(fable|mythos)-5-[1-9])/,
    rules: { ...newestClaude, toolChoice: 'none', thinking: 'adaptive-always' },
  },
  { models: /claude/, rules: newestClaude },
  { models: /amazon\.nova-2/, rules: { ...usual, cachePoints: true, thinking: 'reasoning-config' } },
  { models: /amazon\.nova/, rules: { ...usual, cachePoints: true } },
  { models: /openai\./, rules: { ...usual, thinking: 'effort' } },
  { models: /moonshot/, rules: { ...usual, ownCallIds: true } },
  { models: /mistral/, rules: { ...usual, toolChoice: 'any' } },
  { models: /meta\./, rules: { ...usual, toolChoice: 'none' } },
];

export const bedrockRules = ({ modelName }: Offer): BedrockRules =>
  families.find(({ models }) => models.test(modelName))?.rules ?? usual;

/** Models that sign their thinking require it back with its signature, and do not think while a tool call is forced. */
export const signsThinking = ({ thinking }: BedrockRules): boolean =>
  thinking === 'budget' || thinking.startsWith('adaptive');
