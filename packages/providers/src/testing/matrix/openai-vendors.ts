import { canonicalRequests as asked } from './canonical-requests.ts';
import type { Column } from './column.ts';
import { openAiFormatColumn as column, parallelTurns, refused, toolTurns, turns } from './openai-format.ts';

const noCall = refused('tool_choice');
/** The thinking that led to the calls is lost. */
const unthinking = { thinking: { type: 'disabled' } };
/** What nine letters or digits become of `call_1` and `call_2`. */
const [first, second] = ['74196fe72', '1b68f83fa'] as const;

/** By provider and model: what differs from what the client sent. */
export const openAiVendorColumns: readonly Column[] = [
  column({
    id: 'alibaba',
    modelName: 'qwen3.7-max',
    differs: { parallelTools: noCall, reasoning: { reasoning_effort: undefined, enable_thinking: true } },
  }),
  column({
    id: 'alibaba',
    modelName: 'qwen3-32b',
    always: { enable_thinking: false },
    differs: { parallelTools: noCall, reasoning: { reasoning_effort: undefined } },
  }),
  column({
    id: 'bytedance',
    modelName: 'seed-1-8-251228',
    differs: { reasoning: { reasoning_effort: undefined, thinking: { type: 'enabled' } } },
  }),
  column({
    id: 'cerebras',
    modelName: 'gpt-oss-120b',
    differs: {
      multiTurn: { max_tokens: undefined, max_completion_tokens: 100 },
      reasoning: { max_tokens: undefined, max_completion_tokens: 50_000 },
      sampling: { frequency_penalty: undefined, presence_penalty: undefined },
    },
  }),
  column({
    id: 'deepseek',
    modelName: 'deepseek-v4-pro',
    reasoning: true,
    differs: { toolResults: unthinking, jsonSchema: refused('response_format') },
  }),
  column({ id: 'fireworks', modelName: 'accounts/fireworks/models/glm-5p2' }),
  column({
    id: 'groq',
    modelName: 'llama-3.3-70b-versatile',
    differs: { reasoning: { reasoning_effort: undefined, max_tokens: undefined, max_completion_tokens: 50_000 } },
  }),
  column({
    id: 'groq',
    modelName: 'qwen/qwen3-32b',
    differs: { reasoning: { reasoning_effort: 'default', max_tokens: undefined, max_completion_tokens: 50_000 } },
  }),
  column({
    id: 'minimax',
    modelName: 'MiniMax-M3',
    always: { reasoning_split: true },
    differs: { reasoning: { reasoning_effort: undefined } },
  }),
  column({
    id: 'mistral',
    modelName: 'mistral-large-2512',
    differs: {
      tools: { tools: asked.tools.tools.slice(0, 1), tool_choice: 'any' },
      toolResults: { messages: toolTurns(first) },
      parallelTools: { messages: parallelTurns(first, second), tool_choice: 'any' },
      reasoning: { reasoning_effort: undefined },
      sampling: { seed: undefined, random_seed: 7, user: undefined },
    },
  }),
  column({
    id: 'moonshot',
    modelName: 'kimi-k2.6',
    reasoning: true,
    differs: {
      toolResults: unthinking,
      parallelTools: noCall,
      reasoning: { reasoning_effort: undefined, thinking: { type: 'enabled' } },
      sampling: { temperature: undefined, top_p: undefined, frequency_penalty: undefined, presence_penalty: undefined },
    },
  }),
  column({ id: 'novita', modelName: 'zai-org/glm-5', reasoning: true, always: { separate_reasoning: true } }),
  column({ id: 'ollama', modelName: 'gpt-oss:120b', differs: { tools: noCall, parallelTools: noCall } }),
  column({ id: 'openrouter', modelName: 'openai/gpt-5' }),
  column({
    id: 'perplexity',
    modelName: 'sonar-pro',
    differs: {
      multiTurn: { messages: [...turns.slice(0, 2), { role: 'user', content: 'Three\n\nFour' }] },
      tools: refused('tools'),
      toolResults: refused('tools'),
      parallelTools: refused('tools'),
      reasoning: { reasoning_effort: undefined },
    },
  }),
  column({ id: 'together', modelName: 'zai-org/GLM-5' }),
  column({
    id: 'vllm',
    modelName: 'own-model',
    differs: { reasoning: { max_tokens: undefined, max_completion_tokens: 50_000 } },
  }),
  column({
    id: 'xai',
    modelName: 'grok-4.3',
    reasoning: true,
    differs: {
      reasoning: { max_tokens: undefined, max_completion_tokens: 50_000 },
      sampling: { frequency_penalty: undefined, presence_penalty: undefined },
      longStopList: refused('stop'),
    },
  }),
  column({
    id: 'zai',
    modelName: 'glm-5.2',
    differs: {
      tools: noCall,
      parallelTools: noCall,
      reasoning: { reasoning_effort: undefined, thinking: { type: 'enabled' } },
      sampling: { temperature: 1 },
      longStopList: refused('stop'),
    },
  }),
];
