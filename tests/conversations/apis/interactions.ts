import { exactJson, type JsonObject, objectsOf } from '../../../packages/sandbox/src/index.ts';
import type { Part, Step } from '../turns.ts';
import type { ApiClient } from './api-client.ts';
import { objectAt, objectIn, textAt } from './json.ts';
import { toolSchema } from './tool-schema.ts';

/** Google's Interactions API. */
export const interactions: ApiClient = {
  title: 'Interactions',
  path: () => '/v1beta/interactions',
  body: ({ model, steps, tools, stream }) => ({
    model,
    input: steps.flatMap(stepsOf),
    tools: tools.map((name) => ({ type: 'function', name, parameters: toolSchema })),
    store: false,
    stream,
  }),
  whole: (text) => objectsOf(objectIn(text).steps).flatMap(partsOf),
  streamed: (events) => steppedIn(events.map(objectIn)).flatMap(partsOf),
};

function partsOf({ type, content, id, name, arguments: input }: JsonObject): Part[] {
  if (type === 'model_output') return objectsOf(content).map(({ text }) => ({ text: textAt(text) }));
  if (type !== 'function_call') return [];
  const written = typeof input === 'string' ? input : JSON.stringify(input);
  return [{ call: { id: textAt(id), name: textAt(name), input: written } }];
}

/** The steps that events amount to; the arguments of a call stay text. */
function steppedIn(events: readonly JsonObject[]): JsonObject[] {
  return events
    .filter(({ event_type: type }) => type === 'step.start')
    .map(({ index, step }) => {
      const deltas = events.filter((event) => event.event_type === 'step.delta' && event.index === index);
      const joined = (name: string) => deltas.map(({ delta }) => textAt(objectAt(delta)[name])).join('');
      return { ...objectAt(step), content: [{ text: joined('text') }], arguments: joined('arguments') };
    });
}

function stepsOf(step: Step): object[] {
  switch (step.role) {
    case 'user':
      return [{ type: 'user_input', content: [{ type: 'text', text: step.text }] }];
    case 'model':
      return step.calls.map(({ id, name, input }) => ({
        type: 'function_call',
        id,
        name,
        arguments: exactJson(input),
      }));
    case 'results':
      return step.calls.map(({ id, name }, index) => ({
        type: 'function_result',
        call_id: id,
        name,
        result: exactJson(step.texts[index] ?? ''),
      }));
    default:
      return step satisfies never;
  }
}
