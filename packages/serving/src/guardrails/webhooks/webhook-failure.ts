import { UpstreamFailure, UrlRefusal } from '@tallyport/outbound';

/** A webhook that did not decide. The message continues a sentence about the webhook. */
export class WebhookFailure extends Error {
  /** `unsent`: it was not asked, which says nothing about the webhook. */
  readonly kind: 'answer' | 'paused' | 'unsent';

  constructor(kind: WebhookFailure['kind'], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'WebhookFailure';
    this.kind = kind;
  }
}

/** Why a webhook did not decide, as a sentence for the people of its account. */
export const webhookProblem = (thrown: unknown): string => `The webhook ${reasonOf(causesOf(thrown))}.`;

function reasonOf(causes: readonly Error[]): string {
  if (causes.some((cause) => cause instanceof UrlRefusal)) return 'is at an address that is not allowed';
  const known = causes.find((cause) => cause instanceof WebhookFailure || cause instanceof UpstreamFailure);
  if (known !== undefined) return known.message;
  return causes.some(({ name }) => name === 'TimeoutError') ? 'did not answer in time' : 'could not be asked';
}

function causesOf(thrown: unknown): Error[] {
  return thrown instanceof Error ? [thrown, ...causesOf(thrown.cause)] : [];
}
