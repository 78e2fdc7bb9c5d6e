import { randomUUID } from 'node:crypto';
import type { RequestHead } from '@switchyard/contracts';
import type { ChatJob, ChatOutcome, Dispatch, Plan } from '@switchyard/dispatch';
import { chatSettlement } from '@switchyard/metering';
import type { PaidAnswer, RequestLife } from '@switchyard/serving';
import type { ChatRequest } from '@switchyard/wire';
import { chunkRenderer } from './answer/chunk.ts';
import { completionSlices } from './answer/completion.ts';
import type { ChatEvents } from './events.ts';
import type { SignatureMemory } from './signatures/signature-memory.ts';

export interface ChatAttemptTools {
  dispatch: Dispatch;
  signatures: SignatureMemory;
  events: ChatEvents;
}

/** A chat that was read and planned. */
export interface PlannedChat {
  head: RequestHead;
  request: ChatRequest;
  plan: Plan;
  stream: boolean;
}

/** Calls providers until one answers; the outcome settles the request's life, also when it throws. */
export async function attemptChat(tools: ChatAttemptTools, chat: PlannedChat, life: RequestLife): Promise<PaidAnswer> {
  const { head, request, plan, stream } = chat;
  const conversation = { accountId: head.principal?.accountId, plan, request };
  const signatures = await tools.signatures.recall(conversation);
  const keepSignature = tools.signatures.keeper(conversation);
  const ended = tools.events.begin({ head, plan, stream });
  let outcome: ChatOutcome | undefined;
  const job: ChatJob = {
    call: { request, stream, ...(signatures && { signatures }) },
    plan,
    signal: life.signal,
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
  const { offer, routing } = answer;
  const slices = completionSlices({ ...chat, offer, completionId: job.completionId }, answer);
  return { offer, attempts: routing.length, content: { kind: 'whole', document: () => slices, complete: true } };
}

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
  const { offer } = source;
  const includeUsage = chat.request.stream_options?.include_usage === true;
  const served = { ...chat, offer, completionId: job.completionId };
  source.render(chunkRenderer({ served, stream: source, includeUsage }));
  return { offer, attempts: source.routing().length, content: { kind: 'stream', source, ending } };
}
