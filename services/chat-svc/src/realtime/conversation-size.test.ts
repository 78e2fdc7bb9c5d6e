import { expect, test } from 'vitest';
import { readRealtimeEvent } from './client-event.ts';
import { ConversationSize } from './conversation-size.ts';

const event = (json: object) => readRealtimeEvent(Buffer.from(JSON.stringify(json)), 'realtime');
const update = (session: object) => event({ type: 'session.update', session });
const create = (response: object = {}) => event({ type: 'response.create', response });

function limitsAfter(...events: ReturnType<typeof event>[]): (number | undefined)[] {
  const size = new ConversationSize();
  return events.map((each) => {
    size.add(each);
    return size.next.mostOutput;
  });
}

test('the limit of one response is not that of the next ones', () => {
  const limits = limitsAfter(create({ max_output_tokens: 5 }), create(), update({ max_output_tokens: 50 }), create());
  expect(limits).toEqual([5, undefined, 50, 50]);
  expect(limitsAfter(update({ max_output_tokens: 50 }), create({ max_output_tokens: 5 }), create())).toEqual([
    50, 5, 50,
  ]);
  const append = event({ type: 'input_audio_buffer.append', audio: 'AAAA' });
  expect(limitsAfter(create({ max_output_tokens: 5 }), append)).toEqual([5, undefined]);
});

test('the limit of one response is not that of what is held again later', () => {
  const size = new ConversationSize();
  size.add(create({ max_output_tokens: 5 }));
  size.held();
  expect(size.next.mostOutput).toBeUndefined();
});

test('a limit is taken back, also for one response', () => {
  const limited = update({ max_response_output_tokens: 50 });
  expect(limitsAfter(limited, update({ instructions: 'Be brief.' }))).toEqual([50, 50]);
  for (const none of ['inf', null]) {
    expect(limitsAfter(limited, update({ max_output_tokens: none }))).toEqual([50, undefined]);
    expect(limitsAfter(limited, create({ max_output_tokens: none }), create())).toEqual([50, undefined, 50]);
  }
});
