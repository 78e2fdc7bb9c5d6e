import { UpstreamFailure, UrlRefusal, type UrlRules, createPublicAgent, createPublicFetch } from '@tallyport/outbound';
import { DeliveryProblem } from './message.ts';
import type { WebhookRequest } from './webhook-request.ts';

export interface WebhookSender {
  /** Rejects with DeliveryProblem unless the receiver accepted the message. */
  send(url: string, request: WebhookRequest): Promise<void>;
  close(): Promise<void>;
}

const deadlineMs = 10_000;
/** The response is not read; this is what may be discarded without closing the connection. */
const maxBytes = 64 * 1024;

/** Sends webhooks to public addresses and those that the operator allows, without following redirects. */
export function createWebhookSender(rules: UrlRules): WebhookSender {
  const agent = createPublicAgent({ ...rules, connectMs: 5_000 });
  const fetch = createPublicFetch({ ...rules, agent, maxBytes });
  return {
    async send(url, { headers, body }) {
      const signal = AbortSignal.timeout(deadlineMs);
      const response = await fetch(url, { method: 'POST', headers, body, signal }).catch((error: unknown) => {
        throw problemOf(error);
      });
      await response.body?.cancel();
      const { status } = response;
      if (status < 200 || status > 299)
        throw new DeliveryProblem(`The receiver answered with status ${status}.`, { final: status === gone });
    },
    close: () => agent.close(),
  };
}

/** With this status a receiver ends the subscription, as Standard Webhooks says. */
const gone = 410;

function problemOf(error: unknown): DeliveryProblem {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof UrlRefusal)
      return new DeliveryProblem('The receiver is not at a public https address.', { cause: error, final: true });
    if (cause.name === 'TimeoutError')
      return new DeliveryProblem(`The receiver did not answer within ${deadlineMs / 1000} seconds.`, { cause: error });
  }
  if (error instanceof UpstreamFailure) return new DeliveryProblem(`The receiver ${error.message}.`, { cause: error });
  throw error;
}
