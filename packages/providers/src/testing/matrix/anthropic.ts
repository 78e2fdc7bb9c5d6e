import { anthropic } from '../../anthropic/chat.ts';
import { furtherOfNewest, furtherOfOld, furtherOfThinkingModels } from './anthropic-further.ts';
import { pixel } from './canonical-requests.ts';
import type { Column } from './column.ts';

const text = (said: string) => ({ type: 'text', text: said });
const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });

const weather = {
  name: 'get_weather',
  description: 'The weather of a city.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const time = { name: 'get_time', input_schema: { type: 'object', properties: {} } };
const citySchema = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
};

const bodiesOf = (model: string, most: number) => {
  const head = { model, max_tokens: most };
  return {
    plain: { ...head, messages: [user(text('Hi'))] },
    system: { ...head, system: [text('Be brief.'), text('Be kind.')], messages: [user(text('Hi'))] },
    multiTurn: {
      model,
      max_tokens: 100,
      messages: [user(text('One')), assistant(text('Two')), user(text('Three'), text('Four'))],
    },
    image: {
      ...head,
      messages: [
        user(text('What is this?'), {
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: pixel },
        }),
      ],
    },
    tools: {
      ...head,
      messages: [user(text('Weather in Rome?'))],
      tools: [weather, time],
      tool_choice: { type: 'tool', name: 'get_weather' },
    },
    toolResults: {
      ...head,
      messages: [
        user(text('Weather in Rome?')),
        assistant({ type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Rome' } }),
        user({ type: 'tool_result', tool_use_id: 'call_1', content: [text('Sunny')] }),
      ],
      tools: [weather],
    },
    parallelTools: {
      ...head,
      messages: [
        user(text('Weather and time?')),
        assistant(
          text('Let me see.'),
          { type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Rome' } },
          { type: 'tool_use', id: 'call_2', name: 'get_time', input: {} },
        ),
        user(
          { type: 'tool_result', tool_use_id: 'call_1', content: [text('Sunny')] },
          { type: 'tool_result', tool_use_id: 'call_2', content: [text('12:00')] },
          text('And tomorrow?'),
        ),
      ],
      tools: [weather, time],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    },
    longStopList: { ...head, messages: [user(text('Count.'))], stop_sequences: ['1', '2', '3', '4', '5', '6'] },
    unicode: { ...head, messages: [user(text('Grüße 🌍 "quoted"\n語\u2028\u0000'))] },
  };
};

const newest: Column = {
  title: 'anthropic, newest models',
  provider: anthropic,
  offer: { modelName: 'claude-opus-5', maxOutput: 128_000 },
  further: furtherOfNewest,
  bodies: {
    ...bodiesOf('claude-opus-5', 128_000),
    jsonSchema: {
      model: 'claude-opus-5',
      max_tokens: 128_000,
      messages: [user(text('A city, as JSON.'))],
      output_config: { format: { type: 'json_schema', schema: citySchema } },
    },
    reasoning: {
      model: 'claude-opus-5',
      max_tokens: 50_000,
      messages: [user(text('Think.'))],
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
    },
    sampling: {
      model: 'claude-opus-5',
      max_tokens: 128_000,
      messages: [user(text('Dice.'))],
      metadata: { user_id: 'u-1' },
    },
  },
};

const old: Column = {
  title: 'anthropic, models with a thinking budget and without structured outputs',
  provider: anthropic,
  offer: { modelName: 'claude-sonnet-4-20250514', maxOutput: 64_000 },
  further: furtherOfOld,
  bodies: {
    ...bodiesOf('claude-sonnet-4-20250514', 64_000),
    jsonSchema: {
      model: 'claude-sonnet-4-20250514',
      max_tokens: 64_000,
      messages: [user(text('A city, as JSON.'))],
      tools: [
        {
          name: 'city',
          description: 'Gives the answer. Call it exactly once, with the whole answer as its input.',
          input_schema: citySchema,
        },
      ],
      tool_choice: { type: 'tool', name: 'city' },
    },
    reasoning: {
      model: 'claude-sonnet-4-20250514',
      max_tokens: 50_000,
      messages: [user(text('Think.'))],
      thinking: { type: 'enabled', budget_tokens: 24_576 },
    },
    sampling: {
      model: 'claude-sonnet-4-20250514',
      max_tokens: 64_000,
      messages: [user(text('Dice.'))],
      temperature: 1,
      top_p: 0.9,
      metadata: { user_id: 'u-1' },
    },
  },
};

const { tools: _tools, parallelTools: _parallel, ...ofThinkers } = bodiesOf('claude-opus-5-5', 128_000);
const refusedChoice = { refused: 'unsupported_capability', param: 'tool_choice' };

const thinkers: Column = {
  title: 'anthropic, models that always think',
  provider: anthropic,
  offer: { modelName: 'claude-opus-5-5', maxOutput: 128_000 },
  further: furtherOfThinkingModels,
  bodies: {
    ...ofThinkers,
    tools: refusedChoice,
    parallelTools: refusedChoice,
    jsonSchema: { ...newest.bodies.jsonSchema, model: 'claude-opus-5-5' },
    reasoning: { ...newest.bodies.reasoning, model: 'claude-opus-5-5' },
    sampling: { ...newest.bodies.sampling, model: 'claude-opus-5-5' },
  },
};

export const anthropicColumns: readonly Column[] = [newest, old, thinkers];
