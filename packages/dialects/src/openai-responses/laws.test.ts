import { type ChatCompletion, deltasInOrder, parseChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { chunksOf, eventsOf, readBody } from './testing/calls.ts';
import { completions, declaredTools } from './testing/completions.ts';
import { foldEvents, sdkEvent } from './testing/fold-events.ts';

const request = { model: 'm', input: 'Hi', tools: declaredTools };
const plain = (completion: ChatCompletion) => JSON.parse(JSON.stringify(readBody(request).answer(completion)));

describe.each(completions)('%s', (_name, completion) => {
  test('what the events amount to is the plain response', () => {
    const events = eventsOf(readBody({ ...request, stream: true }), chunksOf(completion));
    const last = sdkEvent(events.at(-1) ?? { data: null });
    const answer = plain(completion);
    expect(foldEvents(events)).toEqual(answer.output);
    expect(last).toEqual({ type: `response.${answer.status}`, sequence_number: events.length - 1, response: answer });
  });

  test('the output sent back as history is the same message', () => {
    const input = [{ role: 'user', content: 'Hi' }, ...plain(completion).output, { role: 'user', content: 'Go on.' }];
    const { chat } = readBody({ ...request, input });
    expect(chat.messages.slice(1, -1)).toEqual(messageOf(completion));
    expect(parseChatRequest(chat)).toMatchObject({ ok: true });
  });
});

/** As a client of the chat sends it back; nothing where nothing was said. */
function messageOf({ choices }: ChatCompletion): unknown[] {
  return choices.flatMap(({ message }) => {
    const { role, content, refusal, annotations: _annotations, ...rest } = message;
    if (content === null && refusal === null && Object.keys(rest).length === 0) return [];
    const texts = deltasInOrder(message).flatMap(({ content: text }) => (text ? [{ type: 'text', text }] : []));
    return [{ role, content: rest.content_order ? texts : content, ...(refusal !== null && { refusal }), ...rest }];
  });
}
