import type { ExchangeAnswer } from '@tallyport/bus';
import { leastCountedBytes } from '@tallyport/outbound';
import type { LifeStep } from '../life-step.ts';
import type { AnswerMemory } from './answer-memory.ts';
import type { AnswerRoom } from './answer-room.ts';
import { withCleanup } from './with-cleanup.ts';

/** Whole answers count towards the memory until they have been sent or the client has left. */
export const holdUntilSent =
  (memory: AnswerMemory): LifeStep =>
  (next) =>
  async (exchange) => {
    const answer = await next(exchange);
    const bytes = Number(answer.head.headers['content-length'] ?? 0);
    return bytes < leastCountedBytes ? answer : held(answer, bytes, memory.open(exchange.signal));
  };

function held({ head, body }: ExchangeAnswer, bytes: number, room: AnswerRoom): ExchangeAnswer {
  room.add(bytes);
  return { head, body: withCleanup(body, room.release) };
}
