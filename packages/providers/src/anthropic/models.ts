import type { MessagesEffort } from '@switchyard/wire';

/** What one generation of models takes; what it does not is refused by the vendor. */
export interface ClaudeRules {
  /** `budget`: tokens to think with. `adaptive`: the model decides, guided by an effort. */
  thinking: 'none' | 'budget' | 'adaptive';
  /** Guides an adaptive model. */
  efforts: readonly MessagesEffort[];
  /** `one`: temperature or top_p, never both. */
  sampling: 'all' | 'one' | 'none';
  /** Answers by a schema, and tools whose input keeps to theirs, without the detour of a forced tool. */
  schemas: boolean;
  maxOutput: number;
}

const budget = { thinking: 'budget', efforts: [], sampling: 'all', schemas: false, maxOutput: 64_000 } as const;
const adaptive = {
  thinking: 'adaptive',
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  sampling: 'none',
  schemas: true,
  maxOutput: 128_000,
} as const;

/** By name, the first that fits; whatever is newer than this table follows the newest. */
const generations: readonly (readonly [RegExp, ClaudeRules])[] = [
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
