import { knownEfforts, noThinking, thinkingSwitch, thinks } from '../openai-compatible/efforts.ts';
import type { ConditionalRules } from '../openai-compatible/request-rules.ts';
import { lacksThinking } from '../openai-compatible/thinking-memory.ts';

/** From these models on sampling is fixed, and any other value is refused. */
const newer = /^kimi-k(2\.[5-9]|[3-9])/;
/** Models that require the thinking before calls back. */
export const thinkers = /^kimi-k(2\.[5-9]|[3-9])|thinking/;
const sampling = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'];

export const modelRules: readonly ConditionalRules[] = [
  { models: newer, drop: sampling, efforts: thinkingSwitch },
  { models: /^kimi-k3/, efforts: knownEfforts('low', 'high', 'max') },
  { models: /^(?!kimi-k2\.6|kimi-k2\.7-code|kimi-k3)/, drop: ['thinking.keep'] },
  // If thinking before a call is lost, the model can continue only without thinking.
  { models: newer, when: lacksThinking, ...noThinking },
  { when: thinks, toolChoices: ['auto', 'none', 'named'] },
];
