import { GatewayError } from '@tallyport/contracts';
import { forgottenThinking, refusesThinking } from '@tallyport/providers';
import type { Attempt } from './attempt.ts';

/**
 * Sends a request again if the vendor refuses only how it was sent: without the thinking of earlier answers, for example
 * after another vendor began the conversation, or in another of the vendor's APIs if its server lacks the first. The client
 * has seen nothing yet.
 */
export const orOtherwise =
  <Value>(run: (attempt: Attempt) => Promise<Value>) =>
  async (attempt: Attempt): Promise<Value> => {
    try {
      return await run(attempt);
    } catch (thrown) {
      const changed = isAnswer(attempt, thrown)
        ? (withoutThinking(attempt, thrown) ?? inOtherApi(attempt, thrown))
        : undefined;
      if (changed === undefined) throw thrown;
      Object.assign(attempt, changed, { status: null });
      return run(attempt);
    }
  };

/** Clients of the vendor's own API keep its thinking themselves. */
const isAnswer = ({ native, stopped }: Attempt, thrown: unknown): thrown is GatewayError =>
  native === undefined && stopped === undefined && thrown instanceof GatewayError;

function withoutThinking({ chat, context }: Attempt, error: GatewayError): Partial<Attempt> | undefined {
  const call = refusesThinking(error) ? forgottenThinking(chat) : undefined;
  return call && { chat: call, context: { ...context, call }, leftOut: 'earlier thinking is not sent' };
}

function inOtherApi({ provider: asked }: Attempt, error: GatewayError): Partial<Attempt> | undefined {
  const provider = asked.instead?.(error);
  return provider && { provider, leftOut: 'reasoning beside tools is not possible' };
}
