import { pixel } from './canonical-requests.ts';
import type { FurtherBodies } from './column.ts';
import { page } from './further-requests.ts';

// From docs.aws.amazon.com/bedrock: "Converse" (API reference: ToolChoice, ToolSpecification, ImageBlock,
// DocumentBlock, InferenceConfiguration), "Get validated JSON results from models", "Call a tool with the Converse
// API". There is no tool choice `none`; calls in the conversation require a toolConfig; a member of Claude's own API
// must not repeat a Converse setting.

const text = (said: string) => ({ text: said });
const user = (...content: unknown[]) => ({ role: 'user', content });

const tool = (name: string) => ({ toolSpec: { name, inputSchema: { json: { type: 'object', properties: {} } } } });
const pair = [tool('one'), tool('two')];
const go = { messages: [user(text('Go.'))] };
const hi = { messages: [user(text('Hi'))] };
const built = { messages: [user(text('A tower.'))] };
const build = (rest: object) => ({ ...built, toolConfig: { tools: [{ toolSpec: { name: 'build', ...rest } }] } });

const tower = {
  type: 'object',
  properties: { size: { type: 'integer', description: 'In metres.', minimum: 1 }, name: { type: 'string' } },
  required: ['size'],
};
const closedTower = {
  type: 'object',
  properties: {
    size: { type: 'integer', description: 'In metres.\n\nConstraints (JSON Schema): {"minimum":1}' },
    name: { type: 'string' },
  },
  required: ['size'],
  additionalProperties: false,
};

const common: Omit<FurtherBodies, 'openSchema' | 'strictTool' | 'oneNamedTool' | 'functions'> = {
  jsonObject: {
    system: [text('Answer with one valid JSON object and nothing else.')],
    messages: [user(text('A city, as JSON.'))],
  },
  toolChoiceAuto: { ...go, toolConfig: { tools: pair, toolChoice: { auto: {} } } },
  toolChoiceNone: go,
  toolChoiceRequired: { ...go, toolConfig: { tools: pair, toolChoice: { any: {} } } },
  toolChoiceAllowed: { ...go, toolConfig: { tools: [tool('two')], toolChoice: { any: {} } } },
  callsWithoutTools: {
    messages: [
      user(text('Go.')),
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'call_1', name: 'one', input: {} } }] },
      user({ toolResult: { toolUseId: 'call_1', content: [text('Gone')] } }, text('Sum up.')),
    ],
    toolConfig: { tools: [tool('one')] },
  },
  choices: hi,
  seed: hi,
  stop: { ...hi, inferenceConfig: { stopSequences: ['END'] } },
  imageDetail: { messages: [user({ image: { format: 'png', source: { bytes: pixel } } })] },
  pdf: { messages: [user({ document: { format: 'pdf', name: 'a', source: { bytes: page } } })] },
  audio: { refused: 'unsupported_capability', param: 'messages' },
};

const single = { tool_choice: { disable_parallel_tool_use: true } };
const named = { ...go, toolConfig: { tools: pair, toolChoice: { tool: { name: 'two' } } } };
const called = { ...go, toolConfig: { tools: [tool('one')], toolChoice: { auto: {} } } };

export const furtherOfClaude: FurtherBodies = {
  ...common,
  openSchema: {
    ...built,
    outputConfig: {
      textFormat: {
        type: 'json_schema',
        structure: { jsonSchema: { schema: JSON.stringify(closedTower), name: 'tower' } },
      },
    },
  },
  strictTool: build({ inputSchema: { json: closedTower }, strict: true }),
  oneNamedTool: { ...named, additionalModelRequestFields: single },
  functions: { ...called, additionalModelRequestFields: single },
};

export const furtherOfOldClaude: FurtherBodies = {
  ...furtherOfClaude,
  openSchema: {
    ...built,
    toolConfig: {
      tools: [
        {
          toolSpec: {
            name: 'answer_as_json',
            description: 'Gives the answer. Call it exactly once, with the whole answer as its input.',
            inputSchema: { json: tower },
          },
        },
      ],
      toolChoice: { tool: { name: 'answer_as_json' } },
    },
  },
  strictTool: build({ inputSchema: { json: tower } }),
};

const refusedChoice = { refused: 'unsupported_capability', param: 'tool_choice' };

export const furtherOfLlama: FurtherBodies = {
  ...common,
  openSchema: {
    ...built,
    system: [
      text(`Answer with one JSON object and nothing else. It has to follow this JSON schema: ${JSON.stringify(tower)}`),
    ],
  },
  strictTool: build({ inputSchema: { json: tower }, strict: true }),
  toolChoiceAuto: { ...go, toolConfig: { tools: pair } },
  toolChoiceRequired: refusedChoice,
  toolChoiceAllowed: refusedChoice,
  oneNamedTool: refusedChoice,
  functions: { ...go, toolConfig: { tools: [tool('one')] } },
};
