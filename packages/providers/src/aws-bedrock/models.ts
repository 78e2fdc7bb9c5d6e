import type { Offer } from '@switchyard/contracts';

/** How a model is asked to think: with a budget of tokens, by itself with an effort, or by one member of its own. */
export type ThinkingStyle = 'none' | 'budget' | 'adaptive' | 'adaptive-xhigh' | 'effort' | 'reasoning-config';

/** What sets one model family apart behind the API that all share. Sent wrongly, each of these is refused. */
export interface BedrockRules {
  thinking: ThinkingStyle;
  /** `one`: not temperature and top_p together. `none`: neither. */
  sampling: 'both' | 'one' | 'none';
  /** What tools the model can be held to. `none`: it takes no choice at all. */
  toolChoice: 'all' | 'any' | 'none';
  /** Whether it follows a JSON schema by itself; else the schema becomes a tool it has to call. */
  nativeSchema: boolean;
  cachePoints: boolean;
  /** Takes back the ids it gives out although they break the API's pattern, such as `functions.x:0`. */
  ownCallIds: boolean;
  /** Can be told to make one call at a time. */
  singleCalls: boolean;
}

const usual: BedrockRules = {
  thinking: 'none',
  sampling: 'both',
  toolChoice: 'all',
  nativeSchema: false,
  cachePoints: false,
  ownCallIds: false,
  singleCalls: false,
};

const claude: BedrockRules = { ...usual, cachePoints: true, singleCalls: true };
const claudeWithSchema: BedrockRules = { ...claude, sampling: 'one', nativeSchema: true };

/** The first that matches counts. Names may have a region before them (`us.`) and a version behind. */
const families: readonly { models: RegExp; rules: BedrockRules }[] = [
  { models: /claude-3-7/, rules: { ...claude, thinking: 'budget' } },
  { models: /claude-(3|v2|instant)/, rules: { ...claude, cachePoints: false } },
  { models: /claude-(sonnet|opus)-4-20/, rules: { ...claude, thinking: 'budget' } },
  { models: /claude-opus-4-1/, rules: { ...claude, sampling: 'one', thinking: 'budget' } },
  { models: /claude-\w+-4-5/, rules: { ...claudeWithSchema, thinking: 'budget' } },
  { models: /claude-\w+-4-6/, rules: { ...claudeWithSchema, thinking: 'adaptive' } },
  { models: /claude/, rules: { ...claudeWithSchema, sampling: 'none', thinking: 'adaptive-xhigh' } },
  { models: /amazon\.nova-2/, rules: { ...usual, cachePoints: true, thinking: 'reasoning-config' } },
  { models: /amazon\.nova/, rules: { ...usual, cachePoints: true } },
  { models: /openai\./, rules: { ...usual, thinking: 'effort' } },
  { models: /moonshot/, rules: { ...usual, ownCallIds: true } },
  { models: /mistral/, rules: { ...usual, toolChoice: 'any' } },
  { models: /meta\./, rules: { ...usual, toolChoice: 'none' } },
];

export const bedrockRules = ({ modelName }: Offer): BedrockRules =>
  families.find(({ models }) => models.test(modelName))?.rules ?? usual;

/** Models that sign what they think want it back with its signature, and do not think while held to something. */
export const signsThinking = ({ thinking }: BedrockRules): boolean =>
  thinking === 'budget' || thinking === 'adaptive' || thinking === 'adaptive-xhigh';
