import { usageBounds } from '@tallyport/pricing';
import { findChatProvider, type TranslationContext } from '@tallyport/providers';
import type { Attempt, Equipment } from './attempt.ts';
import type { ChatJob } from './chat-job.ts';
import type { Targets } from '../targets/targets.ts';
import { nativeAttempt } from './native/native-attempt.ts';
import { withinOutput } from './within-output.ts';
import { type Approach, type Trial, unreachableProvider } from '../attempts/try-offer.ts';

export type ChatApproach<Value> = Approach<ChatJob, Attempt, Value>;

/** Makes the attempts of chats, streamed or not. */
export const chatAttempts =
  (equipment: Equipment, targets: Targets) =>
  ({ run, offer, target }: Trial<ChatJob>): Attempt => {
    const provider = findChatProvider(offer.providerId) ?? targets.custom?.(offer.providerId);
    if (provider === undefined) throw unreachableProvider(offer.providerId);
    const { plan, completionId, created, signal, holdBytes, holdAnswer, keepSignature, reuse } = run.job;
    const { model } = plan;
    const marking = reuse && provider.cacheMarking?.(offer);
    const marks = marking && { marking, reuse };
    const call = withinOutput(run.job.call, model, offer);
    const request = run.job.native;
    const native = request && nativeAttempt({ request, stream: call.stream, model, offer, marks });
    const context: TranslationContext = { call, offer, completionId, created };
    // Clients of the vendor's own API keep signatures themselves.
    if (native === undefined && keepSignature !== undefined) context.keepSignature = keepSignature;
    return {
      equipment,
      provider: native?.reading === undefined ? provider : { ...provider, ...native.reading },
      target,
      offer,
      chat: call,
      native,
      marks,
      context,
      signal,
      holdBytes,
      holdAnswer,
      status: null,
      call: undefined,
      stopped: run.left,
      accepted: { count: 0 },
      connections: [],
      bounds: usageBounds(model, offer),
    };
  };
