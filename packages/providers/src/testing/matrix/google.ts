import { google } from '../../google/chat.ts';
import { pixel } from './canonical-requests.ts';
import type { Column } from './column.ts';
import { furtherOfGemini, furtherOfOldGemini, furtherOfSigningGemini } from './google-further.ts';

const user = (...parts: unknown[]) => ({ role: 'user', parts });
const model = (...parts: unknown[]) => ({ role: 'model', parts });
const text = (said: string) => ({ text: said });

const weatherSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const described = { name: 'get_weather', description: 'The weather of a city.' };
const weather = { ...described, parametersJsonSchema: weatherSchema };
const oldWeather = { ...described, parameters: weatherSchema };
const time = { name: 'get_time' };

const citySchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

/** The vendor's placeholder for a lost signature. */
const lost = { thoughtSignature: 'skip_thought_signature_validator' };

const common = {
  plain: { contents: [user(text('Hi'))] },
  system: {
    contents: [user(text('Hi'))],
    systemInstruction: { parts: [text('Be brief.'), text('Be kind.')] },
  },
  multiTurn: {
    contents: [user(text('One')), model(text('Two')), user(text('Three'), text('Four'))],
    generationConfig: { maxOutputTokens: 100 },
  },
  image: {
    contents: [user(text('What is this?'), { inlineData: { mimeType: 'image/png', data: pixel } })],
  },
  sampling: {
    contents: [user(text('Dice.'))],
    generationConfig: { temperature: 1.5, topP: 0.9, seed: 7 },
  },
  longStopList: { refused: 'unsupported_capability', param: 'stop' },
  unicode: { contents: [user(text('Grüße 🌍 "quoted"\n語\u2028\u0000'))] },
};

const toolBodiesOf = (weatherTool: object, signature: object) => ({
  tools: {
    contents: [user(text('Weather in Rome?'))],
    tools: [{ functionDeclarations: [weatherTool, time] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['get_weather'] } },
  },
  toolResults: {
    contents: [
      user(text('Weather in Rome?')),
      model({ functionCall: { name: 'get_weather', args: { city: 'Rome' } }, ...signature }),
      user({ functionResponse: { name: 'get_weather', response: { result: 'Sunny' } } }),
    ],
    tools: [{ functionDeclarations: [weatherTool] }],
  },
  // What a user says right behind results belongs to them.
  parallelTools: {
    contents: [
      user(text('Weather and time?')),
      model(
        text('Let me see.'),
        { functionCall: { name: 'get_weather', args: { city: 'Rome' } }, ...signature },
        { functionCall: { name: 'get_time', args: {} } },
      ),
      user(
        { functionResponse: { name: 'get_weather', response: { result: 'Sunny' } } },
        { functionResponse: { name: 'get_time', response: { result: '12:00' } } },
        text('And tomorrow?'),
      ),
    ],
    tools: [{ functionDeclarations: [weatherTool, time] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  },
});

const jsonBody = (schema: object) => ({
  contents: [user(text('A city, as JSON.'))],
  generationConfig: { responseMimeType: 'application/json', ...schema },
});

const reasoningBody = (thinkingConfig?: object) => ({
  contents: [user(text('Think.'))],
  generationConfig: { maxOutputTokens: 50_000, ...(thinkingConfig && { thinkingConfig }) },
});

const third: Column = {
  title: 'google, models with signed calls',
  provider: google,
  offer: { modelName: 'gemini-3-pro-preview' },
  further: furtherOfSigningGemini,
  bodies: {
    ...common,
    ...toolBodiesOf(weather, lost),
    jsonSchema: jsonBody({ responseJsonSchema: { ...citySchema, additionalProperties: false } }),
    reasoning: reasoningBody({ includeThoughts: true, thinkingLevel: 'HIGH' }),
  },
};

const second: Column = {
  title: 'google, models with a thinking budget',
  provider: google,
  offer: { modelName: 'gemini-2.5-pro' },
  further: furtherOfGemini,
  bodies: {
    ...common,
    ...toolBodiesOf(weather, {}),
    jsonSchema: jsonBody({ responseJsonSchema: { ...citySchema, additionalProperties: false } }),
    reasoning: reasoningBody({ includeThoughts: true, thinkingBudget: 24_576 }),
  },
};

const old: Column = {
  title: 'google, models with their own schema dialect',
  provider: google,
  offer: { modelName: 'gemini-2.0-flash', maxOutput: 8_192 },
  further: furtherOfOldGemini,
  bodies: {
    ...common,
    sampling: {
      ...common.sampling,
      generationConfig: { ...common.sampling.generationConfig, presencePenalty: -0.5, frequencyPenalty: 0.5 },
    },
    ...toolBodiesOf(oldWeather, {}),
    jsonSchema: jsonBody({ responseSchema: citySchema }),
    reasoning: { contents: [user(text('Think.'))], generationConfig: { maxOutputTokens: 8_192 } },
  },
};

export const googleColumns: readonly Column[] = [third, second, old];
