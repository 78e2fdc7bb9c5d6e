import { canonicalRequests as asked } from './canonical-requests.ts';
import type { Column } from './column.ts';
import { furtherRequests as further, page } from './further-requests.ts';
import { openAiFormatColumn as column, parallelTurns, refused, toolTurns, turns } from './openai-format.ts';

const noCall = refused('tool_choice');
/** Most vendors accept up to four. */
const fewerStops = { longStopList: refused('stop') };
/** The thinking that led to the calls is lost. */
const unthinking = { thinking: { type: 'disabled' } };
const described = asked.parallelTools.tools.map((tool) => ({
  ...tool,
  function: { parameters: { type: 'object', properties: {} }, ...tool.function },
}));
/** The vendor's nine-character ids for `call_1` and `call_2`. */
const [first, second] = ['74196fe72', '1b68f83fa'] as const;

/** At Mistral no question follows a result of a tool: the model has said something in between. */
const withBridge = (messages: readonly object[]): object[] => [
  ...messages.slice(0, -1),
  { role: 'assistant', content: 'Understood.' },
  ...messages.slice(-1),
];

/** Vendors without a forced tool choice. */
const ownChoice = {
  tools: noCall,
  parallelTools: noCall,
  toolChoiceRequired: noCall,
  toolChoiceAllowed: noCall,
  oneNamedTool: noCall,
};
/** Vendors without tool choice `none`. */
const withoutTools = { toolChoiceNone: { tools: undefined, tool_choice: undefined } };
const { tools: both, tool_choice: amongAllowed } = further.toolChoiceAllowed;
const allowed = { tools: both, tool_choice: amongAllowed };
const noTools = refused('tools');

const empty = further.toolChoiceAuto.tools.map(({ type, function: { name } }) => ({
  type,
  function: { name, parameters: { type: 'object', properties: {} } },
}));
/** Vendors without the old form of tools. */
const functionsAsTools = {
  functions: undefined,
  function_call: undefined,
  tools: [{ type: 'function', function: { name: 'one' } }],
  tool_choice: 'auto',
  parallel_tool_calls: false,
};
const towerSchema = further.openSchema.response_format.json_schema.schema;
const closedTower = {
  type: 'function',
  function: { name: 'build', strict: true, parameters: { ...towerSchema, additionalProperties: false } },
};
const withFirstId = JSON.parse(JSON.stringify(further.callsWithoutTools.messages).replaceAll('call_1', first));

// From the vendors' references of chat completions: docs.mistral.ai/api, console.groq.com/docs/api-reference,
// inference-docs.cerebras.ai, api-docs.deepseek.com, platform.moonshot.ai/docs, docs.z.ai, docs.x.ai,
// docs.perplexity.ai, help.aliyun.com (compatible mode), Ollama's "OpenAI compatibility". Everything not listed is the
// same as at OpenAI.

/** By provider and model: differences from the client's request. */
export const openAiVendorColumns: readonly Column[] = [
  column({
    id: 'alibaba',
    modelName: 'qwen3.7-max',
    differs: {
      parallelTools: noCall,
      toolChoiceRequired: noCall,
      toolChoiceAllowed: noCall,
      reasoning: { reasoning_effort: undefined, enable_thinking: true },
    },
  }),
  column({
    id: 'alibaba',
    modelName: 'qwen3-32b',
    always: { enable_thinking: false },
    differs: {
      parallelTools: noCall,
      toolChoiceRequired: noCall,
      toolChoiceAllowed: noCall,
      reasoning: { reasoning_effort: undefined },
    },
  }),
  column({
    id: 'bytedance',
    modelName: 'seed-1-8-251228',
    differs: { ...fewerStops, reasoning: { reasoning_effort: undefined, thinking: { type: 'enabled' } } },
  }),
  column({
    id: 'cerebras',
    modelName: 'gpt-oss-120b',
    differs: {
      functions: functionsAsTools,
      strictTool: { tools: [closedTower] },
      ...fewerStops,
      multiTurn: { max_tokens: undefined, max_completion_tokens: 100 },
      reasoning: { max_tokens: undefined, max_completion_tokens: 50_000 },
      sampling: { frequency_penalty: undefined, presence_penalty: undefined },
    },
  }),
  column({
    id: 'deepseek',
    modelName: 'deepseek-v4-pro',
    reasoning: true,
    differs: {
      toolResults: unthinking,
      parallelTools: unthinking,
      callsWithoutTools: unthinking,
      jsonSchema: refused('response_format'),
      openSchema: refused('response_format'),
    },
  }),
  column({ id: 'fireworks', modelName: 'accounts/fireworks/models/glm-5p2', differs: fewerStops }),
  column({
    id: 'groq',
    modelName: 'llama-3.3-70b-versatile',
    differs: {
      ...fewerStops,
      reasoning: { reasoning_effort: undefined, max_tokens: undefined, max_completion_tokens: 50_000 },
    },
  }),
  column({
    id: 'groq',
    modelName: 'qwen/qwen3-32b',
    differs: {
      ...fewerStops,
      reasoning: { reasoning_effort: 'default', max_tokens: undefined, max_completion_tokens: 50_000 },
    },
  }),
  column({
    id: 'minimax',
    modelName: 'MiniMax-M3',
    always: { reasoning_split: true },
    differs: { reasoning: { reasoning_effort: undefined }, sampling: { temperature: 1 } },
  }),
  column({
    id: 'mistral',
    modelName: 'mistral-large-2512',
    differs: {
      tools: { tools: asked.tools.tools.slice(0, 1), tool_choice: 'any' },
      toolResults: { messages: toolTurns(first) },
      toolChoiceAuto: { tools: empty },
      toolChoiceNone: { tools: empty },
      toolChoiceRequired: { tools: empty, tool_choice: 'any' },
      toolChoiceAllowed: { tools: empty.slice(1), tool_choice: 'any' },
      oneNamedTool: { tools: empty.slice(1), tool_choice: 'any' },
      functions: { ...functionsAsTools, tools: empty.slice(0, 1) },
      callsWithoutTools: { messages: withBridge(withFirstId) },
      seed: { seed: undefined, random_seed: 7 },
      pdf: {
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'document_url',
                document_url: `data:application/pdf;base64,${page}`,
                document_name: 'a.pdf',
              },
            ],
          },
        ],
      },
      audio: { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: 'UklGRg==' }] }] },
      parallelTools: {
        messages: withBridge(parallelTurns(first, second)),
        tools: described,
        tool_choice: 'any',
      },
      reasoning: { reasoning_effort: undefined },
      sampling: { seed: undefined, random_seed: 7, user: undefined },
    },
  }),
  column({
    id: 'moonshot',
    modelName: 'kimi-k2.6',
    reasoning: true,
    differs: {
      ...fewerStops,
      toolResults: unthinking,
      callsWithoutTools: unthinking,
      parallelTools: noCall,
      toolChoiceRequired: noCall,
      toolChoiceAllowed: noCall,
      reasoning: { reasoning_effort: undefined, thinking: { type: 'enabled' } },
      sampling: { temperature: undefined, top_p: undefined, frequency_penalty: undefined, presence_penalty: undefined },
    },
  }),
  column({ id: 'novita', modelName: 'zai-org/glm-5', reasoning: true, always: { separate_reasoning: true } }),
  column({
    id: 'ollama',
    modelName: 'gpt-oss:120b',
    reasoning: true,
    differs: { ...ownChoice, ...withoutTools },
  }),
  column({
    id: 'openrouter',
    modelName: 'openai/gpt-5',
    differs: { ...fewerStops, toolChoiceAllowed: allowed },
  }),
  column({
    id: 'perplexity',
    modelName: 'sonar-pro',
    differs: {
      multiTurn: { messages: [...turns.slice(0, 2), { role: 'user', content: 'Three\n\nFour' }] },
      tools: noTools,
      toolResults: noTools,
      parallelTools: noTools,
      strictTool: noTools,
      toolChoiceAuto: noTools,
      toolChoiceNone: noTools,
      toolChoiceRequired: noTools,
      toolChoiceAllowed: noTools,
      oneNamedTool: noTools,
      functions: refused('functions'),
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
      stop: refused('stop'),
    },
  }),
  column({
    id: 'zai',
    modelName: 'glm-5.2',
    differs: {
      ...ownChoice,
      ...withoutTools,
      reasoning: { reasoning_effort: undefined, thinking: { type: 'enabled' } },
      sampling: { temperature: 1 },
      longStopList: refused('stop'),
    },
  }),
];
