import { pixel } from './canonical-requests.ts';
import type { FurtherBodies } from './column.ts';
import { page } from './further-requests.ts';

// From ai.google.dev/gemini-api/docs: "Function calling" (functionCallingConfig), "Structured output", "Image
// understanding", "Document understanding", "Audio understanding". `n` takes several requests; `strict` and `detail`
// are left out.

const text = (said: string) => ({ text: said });
const user = (...parts: unknown[]) => ({ role: 'user', parts });
const go = { contents: [user(text('Go.'))] };
const hi = { contents: [user(text('Hi'))] };
const asked = { contents: [user(text('A tower.'))] };

const declared = (...names: string[]) => [{ functionDeclarations: names.map((name) => ({ name })) }];
const calling = (mode: string, ...allowedFunctionNames: string[]) => ({
  functionCallingConfig: { mode, ...(allowedFunctionNames.length > 0 && { allowedFunctionNames }) },
});
const inline = (mimeType: string, data: string) => ({ contents: [user({ inlineData: { mimeType, data } })] });

const tower = {
  type: 'object',
  properties: { size: { type: 'integer', description: 'In metres.', minimum: 1 }, name: { type: 'string' } },
  required: ['size'],
};

const furtherOf = (format: object, parameters: object, signature: object = {}): FurtherBodies => ({
  jsonObject: {
    contents: [user(text('A city, as JSON.'))],
    generationConfig: { responseMimeType: 'application/json' },
  },
  openSchema: { ...asked, generationConfig: { responseMimeType: 'application/json', ...format } },
  strictTool: { ...asked, tools: [{ functionDeclarations: [{ name: 'build', ...parameters }] }] },
  toolChoiceAuto: { ...go, tools: declared('one', 'two'), toolConfig: calling('AUTO') },
  toolChoiceNone: { ...go, tools: declared('one', 'two'), toolConfig: calling('NONE') },
  toolChoiceRequired: { ...go, tools: declared('one', 'two'), toolConfig: calling('ANY') },
  toolChoiceAllowed: { ...go, tools: declared('two'), toolConfig: calling('ANY') },
  oneNamedTool: { ...go, tools: declared('one', 'two'), toolConfig: calling('ANY', 'two') },
  functions: { ...go, tools: declared('one'), toolConfig: calling('AUTO') },
  callsWithoutTools: {
    contents: [
      ...go.contents,
      { role: 'model', parts: [{ functionCall: { name: 'one', args: {} }, ...signature }] },
      user({ functionResponse: { name: 'one', response: { result: 'Gone' } } }, text('Sum up.')),
    ],
  },
  choices: hi,
  seed: { ...hi, generationConfig: { seed: 7 } },
  stop: { ...hi, generationConfig: { stopSequences: ['END'] } },
  imageDetail: inline('image/png', pixel),
  pdf: inline('application/pdf', page),
  audio: inline('audio/wav', 'UklGRg=='),
});

export const furtherOfGemini: FurtherBodies = furtherOf({ responseJsonSchema: tower }, { parametersJsonSchema: tower });

/** Models that require the signatures of calls get the vendor's word for a lost one. */
export const furtherOfSigningGemini: FurtherBodies = furtherOf(
  { responseJsonSchema: tower },
  { parametersJsonSchema: tower },
  { thoughtSignature: 'skip_thought_signature_validator' },
);

/** Models before 2.5, with their own schema dialect. */
export const furtherOfOldGemini: FurtherBodies = furtherOf({ responseSchema: tower }, { parameters: tower });
