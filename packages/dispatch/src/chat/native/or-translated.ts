import { GatewayError } from '@tallyport/contracts';
import { findChatProvider } from '@tallyport/providers';
import type { Attempt } from '../attempt.ts';

/** Sends a request again, translated, if the vendor refuses only its own form. The client has seen nothing yet. */
export const orTranslated =
  <Value>(run: (attempt: Attempt) => Promise<Value>) =>
  (attempt: Attempt): Promise<Value> =>
    attempt.native === undefined ? run(attempt) : runNative(run, attempt);

async function runNative<Value>(run: (attempt: Attempt) => Promise<Value>, attempt: Attempt): Promise<Value> {
  try {
    return await run(attempt);
  } catch (thrown) {
    const provider = findChatProvider(attempt.offer.providerId);
    if (provider === undefined || !mayTranslate(attempt, thrown)) throw thrown;
    Object.assign(attempt, { native: undefined, provider, status: null });
    return run(attempt);
  }
}

const mayTranslate = ({ native, stopped }: Attempt, thrown: unknown): boolean =>
  stopped === undefined && thrown instanceof GatewayError && native?.mayTranslate(thrown) === true;
