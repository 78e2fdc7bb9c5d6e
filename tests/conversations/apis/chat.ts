import { objectsOf } from '../../../packages/sandbox/src/index.ts';
import type { Call, Part, Step } from '../turns.ts';
import type { ApiClient } from './api-client.ts';
import { objectAt, objectIn, textAt } from './json.ts';
import { toolSchema } from './tool-schema.ts';

/** Chat completions. A message has one text before all of its calls, so that their order is the same everywhere. */
export const chat: ApiClient = {
  title: 'chat completions',
  path: () => '/v1/chat/completions',
  body: ({ model, steps, tools, stream }) => ({
    model,
    messages: steps.flatMap(messagesOf),
    tools: tools.map((name) => ({ type: 'function', function: { name, parameters: toolSchema } })),
    stream,
  }),
  whole(text) {
    const message = objectAt(objectAt(objectsOf(objectIn(text).choices)[0]).message);
    return partsOf(textAt(message.content), objectsOf(message.tool_calls).map(callOf));
  },
  streamed(events) {
    const deltas = events
      .map(objectIn)
      .flatMap(({ choices }) => objectsOf(choices))
      .map(({ delta }) => objectAt(delta));
    const calls: Call[] = [];
    for (const piece of deltas.flatMap(({ tool_calls: pieces }) => objectsOf(pieces))) {
      const { id, name, input } = callOf(piece);
      const call = (calls[Number(piece.index)] ??= { id: '', name: '', input: '' });
      Object.assign(call, { id: call.id || id, name: call.name + name, input: call.input + input });
    }
    return partsOf(deltas.map(({ content }) => textAt(content)).join(''), calls);
  },
};

const partsOf = (text: string, calls: readonly Call[]): Part[] => [
  ...(text === '' ? [] : [{ text }]),
  ...calls.map((call) => ({ call })),
];

function callOf({ id, function: called }: Readonly<Record<string, unknown>>): Call {
  const { name, arguments: input } = objectAt(called);
  return { id: textAt(id), name: textAt(name), input: textAt(input) };
}

function messagesOf(step: Step): object[] {
  switch (step.role) {
    case 'user':
      return [{ role: 'user', content: step.text }];
    case 'model': {
      const calls = step.calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: input },
      }));
      return [{ role: 'assistant', content: null, tool_calls: calls }];
    }
    case 'results':
      return step.calls.map(({ id }, index) => ({ role: 'tool', tool_call_id: id, content: step.texts[index] }));
    default:
      return step satisfies never;
  }
}
