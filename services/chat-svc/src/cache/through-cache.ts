import type { Making, ThroughCache } from '@switchyard/answer-cache';
import type { ExchangeAnswer, IncomingExchange } from '@switchyard/bus';
import type { Plan } from '@switchyard/dispatch';
import type { ChatRequest } from '@switchyard/wire';
import { onlyPaints } from '../images/only-paints.ts';
import { countedMembers } from './counted-members.ts';
import { answerAlong, answerFrom } from './from-entry.ts';

/** A chat that is allowed and planned, and has cost nothing so far. */
export interface PlannedChat {
  exchange: IncomingExchange;
  request: ChatRequest;
  plan: Plan;
  /** Of the body as it came. */
  bodyBytes: number;
  planMs: number;
}

/** Answers a chat with what is there already, or calls `make`, once. */
export type ChatThroughCache = (
  chat: PlannedChat,
  make: (making: Making) => Promise<ExchangeAnswer>,
) => Promise<ExchangeAnswer>;

/** Hashing more than this costs more than it is likely to bring. */
export const mostRequestBytes = 1024 * 1024;

export const chatThroughCache =
  (throughCache: ThroughCache, keepAliveMs: number): ChatThroughCache =>
  ({ request, bodyBytes, ...planned }, make) => {
    const { exchange, plan, planMs } = planned;
    const receiver = { head: exchange.head, request, plan, planMs };
    const stream = request.stream === true;
    const question = {
      ...planned,
      operation: 'chat',
      mode: stream ? 'stream' : 'plain',
      // The vendor is to file this very answer.
      uncacheable: request.store === true || bodyBytes > mostRequestBytes,
      counted: () => countedMembers(request),
      from: (entry) => answerFrom(entry, receiver),
      // Paintings come whole, streamed or not.
      ...(stream &&
        !onlyPaints(plan.model) && { along: (reading) => answerAlong(receiver, { ...reading, keepAliveMs }) }),
    } satisfies Parameters<ThroughCache>[0];
    return throughCache(question, make);
  };
