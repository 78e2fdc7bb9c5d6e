import { pixel } from './canonical-requests.ts';
import type { FurtherBodies } from './column.ts';
import { page } from './further-requests.ts';

// From platform.claude.com/docs: "Messages API", "Structured outputs" (JSON Schema limitations), "Define tools"
// (tool_choice, disable_parallel_tool_use), "Images and vision", "PDF support". Hints without a counterpart (seed,
// detail) are left out; `n` takes several requests; these models do not accept audio.

const text = (said: string) => ({ type: 'text', text: said });
const user = (...content: unknown[]) => ({ role: 'user', content });

const tool = (name: string) => ({ name, input_schema: { type: 'object', properties: {} } });
const pair = [tool('one'), tool('two')];
const only = { type: 'any' };

const closedTower = {
  type: 'object',
  properties: {
    size: { type: 'integer', description: 'In metres.\n\nConstraints (JSON Schema): {"minimum":1}' },
    name: { type: 'string' },
  },
  required: ['size'],
  additionalProperties: false,
};
const tower = {
  type: 'object',
  properties: { size: { type: 'integer', description: 'In metres.', minimum: 1 }, name: { type: 'string' } },
  required: ['size'],
};

function commonOf(model: string, most: number) {
  const head = { model, max_tokens: most };
  const go = { ...head, messages: [user(text('Go.'))] };
  const hi = { ...head, messages: [user(text('Hi'))] };
  return {
    jsonObject: {
      ...head,
      system: [text('Answer with one JSON object and nothing else: no explanation, no code fence.')],
      messages: [user(text('A city, as JSON.'))],
    },
    toolChoiceAuto: { ...go, tools: pair, tool_choice: { type: 'auto' } },
    toolChoiceNone: { ...go, tools: pair, tool_choice: { type: 'none' } },
    toolChoiceRequired: { ...go, tools: pair, tool_choice: only },
    toolChoiceAllowed: { ...go, tools: [tool('two')], tool_choice: only },
    oneNamedTool: { ...go, tools: pair, tool_choice: { type: 'tool', name: 'two', disable_parallel_tool_use: true } },
    functions: { ...go, tools: [tool('one')], tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    callsWithoutTools: {
      ...head,
      messages: [
        user(text('Go.')),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'one', input: {} }] },
        user({ type: 'tool_result', tool_use_id: 'call_1', content: [text('Gone')] }, text('Sum up.')),
      ],
      tools: [tool('one')],
      tool_choice: { type: 'none' },
    },
    choices: hi,
    seed: hi,
    stop: { ...hi, stop_sequences: ['END'] },
    imageDetail: {
      ...head,
      messages: [user({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } })],
    },
    pdf: {
      ...head,
      messages: [
        user({
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: page },
          title: 'a.pdf',
        }),
      ],
    },
    audio: { refused: 'unsupported_capability', param: 'messages' },
  };
}

const towerAsked = (model: string, most: number) => ({ model, max_tokens: most, messages: [user(text('A tower.'))] });

export const furtherOfNewest: FurtherBodies = {
  ...commonOf('claude-opus-5', 128_000),
  openSchema: {
    ...towerAsked('claude-opus-5', 128_000),
    output_config: { format: { type: 'json_schema', schema: closedTower } },
  },
  strictTool: {
    ...towerAsked('claude-opus-5', 128_000),
    tools: [{ name: 'build', input_schema: closedTower, strict: true }],
  },
};

export const furtherOfOld: FurtherBodies = {
  ...commonOf('claude-sonnet-4-20250514', 64_000),
  openSchema: {
    ...towerAsked('claude-sonnet-4-20250514', 64_000),
    tools: [
      {
        name: 'tower',
        description: 'Gives the answer. Call it exactly once, with the whole answer as its input.',
        input_schema: tower,
      },
    ],
    tool_choice: { type: 'tool', name: 'tower' },
  },
  // Supported from 4.5 on.
  strictTool: { ...towerAsked('claude-sonnet-4-20250514', 64_000), tools: [{ name: 'build', input_schema: tower }] },
};

const refusedChoice = { refused: 'unsupported_capability', param: 'tool_choice' };

/** "Forced tool use is not supported" (What's new in Claude Opus 5.5). */
export const furtherOfThinkingModels: FurtherBodies = {
  ...commonOf('claude-opus-5-5', 128_000),
  openSchema: { ...furtherOfNewest.openSchema, model: 'claude-opus-5-5' },
  strictTool: { ...furtherOfNewest.strictTool, model: 'claude-opus-5-5' },
  toolChoiceRequired: refusedChoice,
  toolChoiceAllowed: refusedChoice,
  oneNamedTool: refusedChoice,
};
