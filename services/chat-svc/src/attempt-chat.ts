import { randomUUID } from 'node:crypto';
import type { RequestHead } from '@switchyard/contracts';
import type { ChatJob, ChatOutcome, Dispatch, HoldBytes, Plan } from '@switchyard/dispatch';
import { chatSettlement } from '@switchyard/metering';
import type { PaidAnswer, RequestLife } from '@switchyard/serving';
import type { ChatRequest, NativeRequest } from '@switchyard/wire';
import { chunkRenderer } from './answer/chunk.ts';
import { hidesReasoning, withoutReasoning } from './answer/hidden-reasoning.ts';
import { completionSlices } from './answer/completion.ts';
import type { ConversationAffinity } from './affinity/prompt-affinity.ts';
import type { ChatEvents } from './events.ts';
import { laneHeader } from './dialects/lane-header.ts';
import type { SignatureMemory } from './signatures/signature-memory.ts';

export interface ChatAttemptTools {
  dispatch: Dispatch;
  signatures: SignatureMemory;
  events: ChatEvents;
}

/** A chat after reading and planning. */
export interface PlannedChat {
  head: RequestHead;
  request: ChatRequest;
  native: NativeRequest | undefined;
  plan: Plan;
  stream: boolean;
  holdBytes: HoldBytes;
  affinity: ConversationAffinity | undefined;
}

/** Calls providers until one answers. Settles the request with the outcome, also if a provider call throws. */
export async function attemptChat(tools: ChatAttemptTools, chat: PlannedChat, life: RequestLife): Promise<PaidAnswer> {
  const { head, request, native, plan, stream, holdBytes } = chat;
  const conversation = { accountId: head.principal?.accountId, plan, request };
  const signatures = await tools.signatures.recall(conversation);
  const keepSignature = tools.signatures.keeper(conversation);
  const ended = tools.events.begin({ head, plan, stream });
  let outcome: ChatOutcome | undefined;
  const job: ChatJob = {
    call: { request, stream, ...(signatures && { signatures }) },
    native,
    plan,
    signal: life.signal,
    holdBytes,
    completionId: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    created: Math.floor(Date.now() / 1000),
    onOutcome(result) {
      outcome = result;
      life.settle(chatSettlement(result));
      ended(result);
    },
    ...(keepSignature && { keepSignature }),
  };
  return stream ? answerStream(tools, chat, { job, ending: () => outcome }) : answerWhole(tools, chat, job);
}

async function answerWhole({ dispatch }: ChatAttemptTools, chat: PlannedChat, job: ChatJob): Promise<PaidAnswer> {
  const answer = await dispatch.complete(job);
  const { offer, routing, passed } = answer;
  chat.affinity?.served(offer, chat.plan);
  const attempts = routing.length;
  if (passed !== undefined) {
    return {
      offer,
      attempts,
      headers: nativeHeaders,
      content: { kind: 'whole', document: () => [passed], complete: true },
    };
  }
  const completion = hidesReasoning(chat.request) ? withoutReasoning(answer.completion) : answer.completion;
  const slices = completionSlices({ ...chat, offer, completionId: job.completionId }, { ...answer, completion });
  return { offer, attempts, content: { kind: 'whole', document: () => slices, complete: true } };
}

/** Of answers that are passed on as the vendor sent them. */
const nativeHeaders = { [laneHeader]: 'native' };

interface StreamJob {
  job: ChatJob;
  ending(): ChatOutcome | undefined;
}

async function answerStream(
  { dispatch }: ChatAttemptTools,
  chat: PlannedChat,
  { job, ending }: StreamJob,
): Promise<PaidAnswer> {
  const source = await dispatch.stream(job);
  const { offer, isPassed } = source;
  chat.affinity?.served(offer, chat.plan);
  const includeUsage = chat.request.stream_options?.include_usage === true;
  const served = { ...chat, offer, completionId: job.completionId };
  source.render(chunkRenderer({ served, stream: source, includeUsage, hideReasoning: hidesReasoning(chat.request) }));
  const headers = isPassed ? nativeHeaders : {};
  return { offer, attempts: source.routing().length, headers, content: { kind: 'stream', source, ending } };
}
