import { exactJson, isObject, type JsonObject, objectsOf } from '../../../packages/sandbox/src/index.ts';
import type { Part, Step } from '../turns.ts';
import type { ApiClient } from './api-client.ts';
import { objectAt, objectIn, textAt } from './json.ts';
import { toolSchema } from './tool-schema.ts';

/** Google's Gemini API. */
export const gemini: ApiClient = {
  title: 'Gemini',
  path: ({ model, stream }) =>
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: ({ steps, tools }) => ({
    contents: steps.map(contentOf),
    tools: [{ functionDeclarations: tools.map((name) => ({ name, parametersJsonSchema: toolSchema })) }],
  }),
  whole: (text) => partsIn(objectIn(text)),
  streamed: (events) => events.map(objectIn).flatMap(partsIn),
};

const partsIn = ({ candidates }: JsonObject): Part[] =>
  objectsOf(objectAt(objectAt(objectsOf(candidates)[0]).content).parts).flatMap(partOf);

function partOf({ text, thought, functionCall }: JsonObject): Part[] {
  if (isObject(functionCall)) {
    const { id, name, args } = functionCall;
    return [{ call: { id: textAt(id), name: textAt(name), input: JSON.stringify(args) } }];
  }
  return thought === true ? [] : [{ text: textAt(text) }];
}

function contentOf(step: Step): object {
  switch (step.role) {
    case 'user':
      return { role: 'user', parts: [{ text: step.text }] };
    case 'model': {
      const parts = step.calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: exactJson(input) } }));
      return { role: 'model', parts };
    }
    case 'results': {
      const parts = step.calls.map(({ id, name }, index) => ({
        functionResponse: { id, name, response: exactJson(step.texts[index] ?? '') },
      }));
      return { role: 'user', parts };
    }
    default:
      return step satisfies never;
  }
}
