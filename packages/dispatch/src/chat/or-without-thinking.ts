import { GatewayError } from '@tallyport/contracts';
import { forgottenThinking, refusesThinking } from '@tallyport/providers';
import type { Attempt } from './attempt.ts';

/**
 * Sends a request again without the thinking of earlier answers if the vendor refuses that, for example after another
 * vendor began the conversation. The client has seen nothing yet.
 */
export const orWithoutThinking =
  <Value>(run: (attempt: Attempt) => Promise<Value>) =>
  async (attempt: Attempt): Promise<Value> => {
    try {
      return await run(attempt);
    } catch (thrown) {
      const chat = isRefusal(attempt, thrown) ? forgottenThinking(attempt.chat) : undefined;
      if (chat === undefined) throw thrown;
      Object.assign(attempt, { chat, context: { ...attempt.context, call: chat }, status: null });
      return run(attempt);
    }
  };

/** Clients of the vendor's own API keep its thinking themselves. */
const isRefusal = ({ native, stopped }: Attempt, thrown: unknown): boolean =>
  native === undefined && stopped === undefined && thrown instanceof GatewayError && refusesThinking(thrown);
