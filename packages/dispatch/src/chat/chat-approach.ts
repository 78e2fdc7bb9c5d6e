import { findChatProvider } from '@switchyard/providers';
import type { Attempt, Equipment } from './attempt.ts';
import type { ChatJob } from './chat-job.ts';
import type { Targets } from '../targets/targets.ts';
import { type Approach, type Trial, unreachableProvider } from '../attempts/try-offer.ts';

export type ChatApproach<Value> = Approach<ChatJob, Attempt, Value>;

/** Makes the attempts of chats, streamed or not. */
export const chatAttempts =
  (equipment: Equipment, targets: Targets) =>
  ({ run, offer, target }: Trial<ChatJob>): Attempt => {
    const provider = findChatProvider(offer.providerId) ?? targets.custom?.(offer.providerId);
    if (provider === undefined) throw unreachableProvider(offer.providerId);
    const { call, completionId, created, signal, keepSignature } = run.job;
    return {
      equipment,
      provider,
      target,
      offer,
      chat: call,
      context: { call, offer, completionId, created, ...(keepSignature && { keepSignature }) },
      signal,
      status: null,
      call: undefined,
      stopped: run.left,
    };
  };
