import type { ExchangeHandler, IncomingExchange } from '@switchyard/bus';
import type { Model, Principal, RequestHead } from '@switchyard/contracts';
import { type ModelIndex, type PlanGround, resolveModel } from '@switchyard/dispatch';
import { estimateChat } from '@switchyard/pricing';
import { type PaidRequest, servePaid, type ServingTools } from '@switchyard/serving';
import type { ChatRequest } from '@switchyard/wire';
import { attemptChat, type ChatAttemptTools } from './attempt-chat.ts';
import { chatCacheTerms } from './cache/cache-terms.ts';
import { type ImageChatTools, readImageChat } from './image-chat.ts';
import { onlyPaints } from './images/only-paints.ts';
import { withImagesAsked } from './images/speaks-and-paints.ts';
import { parseRequest } from './parse-request.ts';
import { planWords } from './planning.ts';

export interface CompleteTools extends ServingTools, ImageChatTools, ChatAttemptTools {
  /** Throws `unavailable` while there is no catalogue. */
  index(): ModelIndex;
  /** Everything a plan is made from now, with the account's own keys where it has any. */
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
  maxBodyBytes: number;
}

/** `POST /v1/chat/completions`. */
export const completeChat = (tools: CompleteTools): ExchangeHandler =>
  servePaid(tools, { events: tools.events, read: (exchange) => readChat(tools, exchange) });

async function readChat(tools: CompleteTools, { head, body }: IncomingExchange): Promise<PaidRequest> {
  const startedAt = performance.now();
  const bytes = await body.bytes(tools.maxBodyBytes);
  const request = parseRequest(bytes);
  const { model } = resolveModel(request.model, tools.index());
  const chat = { head, request, bodyBytes: bytes.length, startedAt };
  if (onlyPaints(model)) return readImageChat(tools, chat);
  return planChatRequest(tools, { ...chat, request: withImagesAsked(request, model), model });
}

/** A chat in words that was read and whose model is known. */
interface ReadChat {
  head: RequestHead;
  request: ChatRequest;
  model: Model;
  /** Length of the body as received. */
  bodyBytes: number;
  startedAt: number;
}

async function planChatRequest(tools: CompleteTools, chat: ReadChat): Promise<PaidRequest> {
  const { head, request, startedAt } = chat;
  const stream = request.stream === true;
  const plan = planWords(chat, tools.imageTargets, await tools.groundFor(head.principal));
  const planMs = performance.now() - startedAt;
  return {
    operation: 'chat',
    plan,
    planMs,
    stream,
    cache: chatCacheTerms({ ...chat, plan, planMs }, tools.keepAliveMs),
    estimate: () => estimateChat(request),
    attempt: (life) => attemptChat(tools, { head, request, plan, stream }, life),
  };
}
