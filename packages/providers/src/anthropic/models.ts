import type { MessagesEffort } from '@tallyport/wire';

/** Features of one generation of models. The vendor refuses what a model does not support. */
export interface ClaudeRules {
  /** `budget`: a token budget for thinking. `adaptive`: the model decides, guided by an effort. */
  thinking: 'none' | 'budget' | 'adaptive';
  /** Efforts that an adaptive model accepts. */
  efforts: readonly MessagesEffort[];
  /** `one`: temperature or top_p, never both. */
  sampling: 'all' | 'one' | 'none';
  /** Structured outputs and strict tools. */
  schemas: boolean;
  /** Whether a tool call can be forced, of any tool or of a named one. */
  forcedTools: boolean;
  /** Whether the model continues an assistant message at the end of the conversation. */
  prefill: boolean;
  /** Whether thinking can be switched off. */
  thinkingOff: boolean;
  maxOutput: number;
}

const budget = {
  thinking: 'budget',
  efforts: [],
  sampling: 'all',
  schemas: false,
  forcedTools: true,
  prefill: true,
  thinkingOff: true,
  maxOutput: 64_000,
} as const;
const adaptive = {
  thinking: 'adaptive',
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  sampling: 'none',
  schemas: true,
  forcedTools: true,
  prefill: false,
  thinkingOff: true,
  maxOutput: 128_000,
} as const;
/** Models that always think. Thinking excludes forced tool calls. */
const thinker = { ...adaptive, forcedTools: false, thinkingOff: false } as const;

/** The first pattern that matches a model's name applies; models newer than this table use the newest generation. */
const generations: readonly (readonly [RegExp, ClaudeRules])[] = [
  [/(opus|sonnet)-5[-.]5|(fable|mythos)-5[-.][1-9]/, thinker],
  [/claude-3[-.]7/, budget],
  [/claude-3[-.]5/, { ...budget, thinking: 'none', maxOutput: 8_192 }],
  [/claude-(2|3|instant)/, { ...budget, thinking: 'none', maxOutput: 4_096 }],
  [/opus-4[-.]1(\D|$)/, { ...budget, sampling: 'one', maxOutput: 32_000 }],
  [/(haiku|sonnet|opus)-4[-.]5(\D|$)/, { ...budget, sampling: 'one', schemas: true }],
  [/(sonnet|opus)-4[-.]6(\D|$)/, { ...adaptive, sampling: 'one', efforts: ['low', 'medium', 'high', 'max'] }],
  [/opus-4([-.]0)?(-\d{6,}|@|$)/, { ...budget, maxOutput: 32_000 }],
  [/sonnet-4([-.]0)?(-\d{6,}|@|$)/, budget],
];

export const claudeRules = (modelName: string): ClaudeRules =>
  generations.find(([names]) => names.test(modelName))?.[1] ?? adaptive;
