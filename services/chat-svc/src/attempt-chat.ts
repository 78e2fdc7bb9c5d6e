import { randomHex, type RequestHead } from '@tallyport/contracts';
import type {
  ChatJob,
  ChatOutcome,
  Dispatch,
  HoldBytes,
  Plan,
  ServedCompletion,
  ServedStream,
} from '@tallyport/dispatch';
import { chatSettlement } from '@tallyport/serving/metering';
import type { PaidAnswer, RequestLife } from '@tallyport/serving';
import { type PromptReuse, shapingMembers } from '@tallyport/providers';
import { type ChatRequest, type NativeRequest, writtenDocument } from '@tallyport/wire';
import { chunkRenderer } from './answer/chunk.ts';
import { reasoningViewFor } from './answer/reasoning-view.ts';
import { usageViewFor } from './answer/usage-view.ts';
import { completionDocument } from './answer/completion.ts';
import type { ConversationAffinity } from './affinity/prompt-affinity.ts';
import type { ChatEvents } from './events.ts';
import { cacheableTokens } from './prompt-uses/cacheable-tokens.ts';
import { weakenedHeaders } from './unknown-members.ts';
import type { SignatureMemory } from './signatures/signature-memory.ts';

export interface ChatAttemptTools {
  dispatch: Dispatch;
  signatures: SignatureMemory;
  events: ChatEvents;
}

/** A chat after reading and planning. */
interface PlannedChat {
  head: RequestHead;
  endUser(): string | undefined;
  request: ChatRequest;
  native: NativeRequest | undefined;
  unknownMembers: readonly string[] | undefined;
  /** Members of its API that a chat does not have; a vendor with that API gets them. */
  ignoredMembers: readonly string[] | undefined;
  plan: Plan;
  stream: boolean;
  holdBytes: HoldBytes;
  affinity: ConversationAffinity | undefined;
  /** Set if prompts are marked for the caches of vendors. */
  reuse: PromptReuse | undefined;
}

/** Calls providers until one answers. Settles the request with the outcome, also if a provider call throws. */
export async function attemptChat(tools: ChatAttemptTools, chat: PlannedChat, life: RequestLife): Promise<PaidAnswer> {
  const { head, endUser, request, native, unknownMembers, plan, stream, holdBytes, reuse } = chat;
  const conversation = { principal: head.principal, endUser, plan, request };
  const recalling = tools.signatures.recall(conversation);
  const signatures = recalling && (await recalling);
  const keepSignature = tools.signatures.keeper(conversation);
  const ended = tools.events.begin({ head, plan, stream, unknownMembers });
  let outcome: ChatOutcome | undefined;
  let isShaped = false;
  for (const name in request) if (shapingMembers.has(name)) isShaped = true;
  const job: ChatJob = {
    call: signatures === undefined ? { request, stream } : { request, stream, signatures },
    native,
    isShaped,
    reuse,
    plan,
    signal: life.signal,
    holdBytes,
    holdAnswer: life.holdAnswer,
    detour: life.detour,
    completionId: `chatcmpl-${randomHex()}`,
    created: Math.floor(Date.now() / 1000),
    onOutcome(result) {
      outcome = result;
      life.settle(chatSettlement(result, cacheableTokens(request, result)));
      ended(result);
    },
    ...(keepSignature && { keepSignature }),
  };
  if (!stream) return wholeAnswer(chat, { job, others: life.others }, await tools.dispatch.complete(job));
  const source = await tools.dispatch.stream(job);
  return streamedAnswer(chat, { job, source, others: life.others, ending: () => outcome });
}

interface BegunChat {
  job: ChatJob;
  others: RequestLife['others'];
}

function wholeAnswer(chat: PlannedChat, { job, others }: BegunChat, answer: ServedCompletion): PaidAnswer {
  const { offer, routing, passed, weakened } = answer;
  chat.affinity?.served(offer, chat.plan);
  const attempts = routing.length;
  if (passed !== undefined) {
    const document = writtenDocument([passed], true);
    return { offer, attempts, headers: nativeHeaders, content: { kind: 'whole', document, complete: true } };
  }
  const { head, plan, request } = chat;
  const completion = reasoningViewFor(request, head).completion(answer.completion);
  const served = { head, plan, offer, others, completionId: job.completionId };
  const document = completionDocument(served, { ...answer, completion });
  const whole: PaidAnswer = { offer, attempts, content: { kind: 'whole', document, complete: true } };
  if (weakened === undefined && chat.ignoredMembers === undefined) return whole;
  return { ...whole, headers: weakenedHeaders(withIgnored(chat, weakened)) };
}

/** Also with what the client's API has and a chat has not. */
function withIgnored(
  { ignoredMembers }: PlannedChat,
  weakened: readonly string[] | undefined,
): readonly string[] | undefined {
  if (ignoredMembers === undefined) return weakened;
  return [...ignoredMembers.map((name) => `${name} is not read`), ...(weakened ?? [])];
}

/** Of answers that are passed on as the vendor sent them; all others were translated. */
const nativeHeaders = { 'x-tallyport-lane': 'native' };

interface StartedStream extends BegunChat {
  source: ServedStream;
  ending(): ChatOutcome | undefined;
}

function streamedAnswer(chat: PlannedChat, { job, others, source, ending }: StartedStream): PaidAnswer {
  const { head, plan, request } = chat;
  const { offer, isPassed, weakened } = source;
  chat.affinity?.served(offer, plan);
  const served = { head, plan, offer, others, completionId: job.completionId };
  const reasoning = reasoningViewFor(request, head);
  source.render(chunkRenderer({ served, stream: source, usage: usageViewFor(request, head), reasoning }));
  const isWhole = weakened === undefined && chat.ignoredMembers === undefined;
  const headers = isPassed ? nativeHeaders : isWhole ? {} : weakenedHeaders(withIgnored(chat, weakened));
  return { offer, attempts: source.routing().length, headers, content: { kind: 'stream', source, ending } };
}
