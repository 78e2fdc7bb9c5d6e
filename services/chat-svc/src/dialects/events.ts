import type { Kit } from '@tallyport/service-kit';

export interface DialectEvents {
  /** A request of an API got a response: the vendor's own, or a translated chat. */
  answered(api: string, lane: AnsweredLane): void;
}

const lanes = ['native', 'translated'] as const;

export type AnsweredLane = (typeof lanes)[number];

export function dialectEvents({ metrics }: Pick<Kit, 'metrics'>): DialectEvents {
  const responses = metrics.counter({
    name: 'gateway_dialect_responses_total',
    help: 'Responses with status 200 of APIs other than chat completions: passed on as the vendor sent them (native), or translated from a chat.',
    labels: { api: 'any', lane: lanes },
  });
  return { answered: (api, lane) => responses.with({ api, lane }).increment() };
}
