import type { ExchangeAnswer, ExchangeHandler } from '@tallyport/bus';
import { byName, namesOf } from '@tallyport/contracts';
import { leastCountedBytes } from '@tallyport/outbound';
import type { AnswerMemory } from './answer-memory.ts';
import type { AnswerRoom } from './answer-room.ts';
import { withCleanup } from './with-cleanup.ts';

/** Handlers whose whole answers count towards the memory until they have been sent or the client has left. */
export const heldUntilSent = <Name extends string>(
  memory: AnswerMemory,
  handlers: Readonly<Record<Name, ExchangeHandler>>,
): Record<Name, ExchangeHandler> =>
  byName(namesOf(handlers), (name) => async (exchange) => {
    const answer = await handlers[name](exchange);
    const bytes = Number(answer.head.headers['content-length'] ?? 0);
    return bytes < leastCountedBytes ? answer : held(answer, bytes, memory.open(exchange.signal));
  });

function held({ head, body }: ExchangeAnswer, bytes: number, room: AnswerRoom): ExchangeAnswer {
  room.add(bytes);
  return { head, body: withCleanup(body, room.release) };
}
