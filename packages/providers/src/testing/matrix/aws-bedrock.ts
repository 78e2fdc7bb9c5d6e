import { awsBedrock } from '../../aws-bedrock/chat.ts';
import { pixel } from './canonical-requests.ts';
import { furtherOfClaude, furtherOfLlama, furtherOfOldClaude } from './aws-bedrock-further.ts';
import type { Column } from './column.ts';

const text = (said: string) => ({ text: said });
const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });

const use = (toolUseId: string, name: string, input: object) => ({ toolUse: { toolUseId, name, input } });
const result = (toolUseId: string, said: string) => ({ toolResult: { toolUseId, content: [text(said)] } });

const weather = {
  toolSpec: {
    name: 'get_weather',
    description: 'The weather of a city.',
    inputSchema: { json: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
  },
};
const time = { toolSpec: { name: 'get_time', inputSchema: { json: { type: 'object', properties: {} } } } };
const citySchema = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
};

const parallelTools = {
  messages: [
    user(text('Weather and time?')),
    assistant(text('Let me see.'), use('call_1', 'get_weather', { city: 'Rome' }), use('call_2', 'get_time', {})),
    user(result('call_1', 'Sunny'), result('call_2', '12:00'), text('And tomorrow?')),
  ],
  toolConfig: { tools: [weather, time], toolChoice: { any: {} } },
};

const common = {
  plain: { messages: [user(text('Hi'))] },
  system: { system: [text('Be brief.'), text('Be kind.')], messages: [user(text('Hi'))] },
  multiTurn: {
    messages: [user(text('One')), assistant(text('Two')), user(text('Three'), text('Four'))],
    inferenceConfig: { maxTokens: 100 },
  },
  image: { messages: [user(text('What is this?'), { image: { format: 'png', source: { bytes: pixel } } })] },
  tools: {
    messages: [user(text('Weather in Rome?'))],
    toolConfig: { tools: [weather, time], toolChoice: { tool: { name: 'get_weather' } } },
  },
  toolResults: {
    messages: [
      user(text('Weather in Rome?')),
      assistant(use('call_1', 'get_weather', { city: 'Rome' })),
      user(result('call_1', 'Sunny')),
    ],
    toolConfig: { tools: [weather] },
  },
  longStopList: {
    messages: [user(text('Count.'))],
    inferenceConfig: { stopSequences: ['1', '2', '3', '4', '5', '6'] },
  },
  unicode: { messages: [user(text('Grüße 🌍 "quoted"\n語\u2028\u0000'))] },
};

const dice = { messages: [user(text('Dice.'))], requestMetadata: { user: 'u-1' } };
const think = { messages: [user(text('Think.'))], inferenceConfig: { maxTokens: 50_000 } };
const city = { messages: [user(text('A city, as JSON.'))] };

const claude: Column = {
  title: 'aws-bedrock, newest Claude',
  provider: awsBedrock,
  offer: { modelName: 'us.anthropic.claude-opus-4-8', maxOutput: 128_000 },
  further: furtherOfClaude,
  bodies: {
    ...common,
    longStopList: { ...common.longStopList, additionalModelResponseFieldPaths: ['/stop_sequence'] },
    parallelTools: {
      ...parallelTools,
      additionalModelRequestFields: { tool_choice: { disable_parallel_tool_use: true } },
    },
    jsonSchema: {
      ...city,
      outputConfig: {
        textFormat: {
          type: 'json_schema',
          structure: { jsonSchema: { schema: JSON.stringify(citySchema), name: 'city' } },
        },
      },
    },
    reasoning: {
      ...think,
      additionalModelRequestFields: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    },
    sampling: dice,
  },
};

const oldClaude: Column = {
  title: 'aws-bedrock, Claude models with a thinking budget and without structured outputs',
  provider: awsBedrock,
  offer: { modelName: 'us.anthropic.claude-sonnet-4-20250514-v1:0', maxOutput: 64_000 },
  further: furtherOfOldClaude,
  bodies: {
    ...claude.bodies,
    jsonSchema: {
      ...city,
      toolConfig: {
        tools: [
          {
            toolSpec: {
              name: 'answer_as_json',
              description: 'Gives the answer. Call it exactly once, with the whole answer as its input.',
              inputSchema: { json: citySchema },
            },
          },
        ],
        toolChoice: { tool: { name: 'answer_as_json' } },
      },
    },
    reasoning: {
      ...think,
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 24_576 } },
    },
    sampling: { ...dice, inferenceConfig: { temperature: 1, topP: 0.9 } },
  },
};

const llama: Column = {
  title: 'aws-bedrock, models without tool choice',
  provider: awsBedrock,
  offer: { modelName: 'us.meta.llama4-maverick-17b-instruct-v1:0', maxOutput: 8_192 },
  further: furtherOfLlama,
  bodies: {
    ...common,
    tools: { refused: 'unsupported_capability', param: 'tool_choice' },
    parallelTools: { refused: 'unsupported_capability', param: 'tool_choice' },
    jsonSchema: {
      ...city,
      system: [
        text(
          `Answer with one JSON object and nothing else. It has to follow this JSON schema: ${JSON.stringify(citySchema)}`,
        ),
      ],
    },
    reasoning: { ...think, inferenceConfig: { maxTokens: 8_192 } },
    sampling: { ...dice, inferenceConfig: { temperature: 1, topP: 0.9 } },
  },
};

export const bedrockColumns: readonly Column[] = [claude, oldClaude, llama];
