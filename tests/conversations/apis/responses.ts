import { type JsonObject, objectsOf } from '../../../packages/sandbox/src/index.ts';
import type { Part, Step } from '../turns.ts';
import type { ApiClient } from './api-client.ts';
import { objectAt, objectIn, textAt } from './json.ts';
import { toolSchema } from './tool-schema.ts';

/** OpenAI's Responses API. */
export const responses: ApiClient = {
  title: 'Responses',
  path: () => '/v1/responses',
  body: ({ model, steps, tools, stream }) => ({
    model,
    input: steps.flatMap(itemsOf),
    tools: tools.map((name) => ({ type: 'function', name, parameters: toolSchema, strict: false })),
    store: false,
    stream,
  }),
  whole: (text) => objectsOf(objectIn(text).output).flatMap(partsOf),
  streamed: (events) =>
    events
      .map(objectIn)
      .filter(({ type }) => type === 'response.output_item.done')
      .toSorted((left, right) => Number(left.output_index) - Number(right.output_index))
      .flatMap(({ item }) => partsOf(objectAt(item))),
};

function partsOf({ type, content, call_id: id, name, arguments: input }: JsonObject): Part[] {
  if (type === 'message') return objectsOf(content).map(({ text }) => ({ text: textAt(text) }));
  return type === 'function_call' ? [{ call: { id: textAt(id), name: textAt(name), input: textAt(input) } }] : [];
}

function itemsOf(step: Step): object[] {
  switch (step.role) {
    case 'user':
      return [{ role: 'user', content: step.text }];
    case 'model':
      return step.calls.map(({ id, name, input }) => ({ type: 'function_call', call_id: id, name, arguments: input }));
    case 'results':
      return step.calls.map(({ id }, index) => ({
        type: 'function_call_output',
        call_id: id,
        output: step.texts[index],
      }));
    default:
      return step satisfies never;
  }
}
