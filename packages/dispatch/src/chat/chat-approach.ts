import { findChatProvider } from '@switchyard/providers';
import type { Attempt, Equipment } from './attempt.ts';
import type { ChatJob } from './chat-job.ts';
import type { Targets } from '../targets/targets.ts';
import { type Approach, type Trial, unreachableProvider } from '../attempts/try-offer.ts';

export type ChatApproach<Value> = Approach<ChatJob, Attempt, Value>;

/** Chats, tried by what is done with an attempt. */
export const chatApproach = (equipment: Equipment, targets: Targets) => ({
  plain: <Value>(run: (attempt: Attempt) => Promise<Value>): ChatApproach<Value> => ({
    streaming: false,
    run,
    attempt: (trial) => createAttempt(equipment, targets, trial),
  }),
  streamed: <Value>(run: (attempt: Attempt) => Promise<Value>): ChatApproach<Value> => ({
    streaming: true,
    run,
    attempt: (trial) => createAttempt(equipment, targets, trial),
  }),
});

function createAttempt(equipment: Equipment, targets: Targets, { run, offer, target }: Trial<ChatJob>): Attempt {
  const provider = findChatProvider(offer.providerId) ?? targets.custom?.(offer.providerId);
  if (provider === undefined) throw unreachableProvider(offer.providerId);
  const { call, completionId, created, signal, keepSignature } = run.job;
  const context = { call, offer, completionId, created, ...(keepSignature && { keepSignature }) };
  return {
    equipment,
    provider,
    target,
    offer,
    chat: call,
    context,
    signal,
    status: null,
    call: undefined,
    stopped: run.left,
  };
}
