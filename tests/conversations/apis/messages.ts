import { exactJson, type JsonObject, objectsOf } from '../../../packages/sandbox/src/index.ts';
import type { Part, Step } from '../turns.ts';
import type { ApiClient } from './api-client.ts';
import { objectAt, objectIn, textAt } from './json.ts';
import { toolSchema } from './tool-schema.ts';

/** Anthropic's Messages API. */
export const messages: ApiClient = {
  title: 'Messages',
  path: () => '/v1/messages',
  body: ({ model, steps, tools, stream }) => ({
    model,
    max_tokens: 1_000,
    messages: steps.map(messageOf),
    tools: tools.map((name) => ({ name, input_schema: toolSchema })),
    stream,
  }),
  whole: (text) => objectsOf(objectIn(text).content).flatMap((block) => partOf(block, JSON.stringify(block.input))),
  streamed(events) {
    const blocks: { start: JsonObject; said: string }[] = [];
    for (const event of events.map(objectIn)) {
      const index = Number(event.index);
      if (event.type === 'content_block_start') blocks[index] = { start: objectAt(event.content_block), said: '' };
      const { text, partial_json: input } = objectAt(event.delta);
      const block = blocks[index];
      if (event.type === 'content_block_delta' && block) block.said += textAt(text) + textAt(input);
    }
    return blocks.flatMap(({ start, said }) => partOf({ ...start, text: said }, said === '' ? '{}' : said));
  },
};

function partOf({ type, text, id, name }: JsonObject, input: string): Part[] {
  if (type === 'text') return [{ text: textAt(text) }];
  return type === 'tool_use' ? [{ call: { id: textAt(id), name: textAt(name), input } }] : [];
}

function messageOf(step: Step): object {
  switch (step.role) {
    case 'user':
      return { role: 'user', content: step.text };
    case 'model': {
      const content = step.calls.map(({ id, name, input }) => ({
        type: 'tool_use',
        id,
        name,
        input: exactJson(input),
      }));
      return { role: 'assistant', content };
    }
    case 'results': {
      const content = step.calls.map(({ id }, index) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: step.texts[index],
      }));
      return { role: 'user', content };
    }
    default:
      return step satisfies never;
  }
}
