import { namesOf } from '@tallyport/contracts';

/** What became of a request. Several may be true of one: an answer after a failover is ok, failed over and rescued. */
interface RequestOutcome {
  /** Its word wherever people read it. */
  word: string;
  /** Explains the word in one sentence. */
  meaning: string;
  /** The records that have it, as SQL on the columns of the ledger. */
  condition: string;
  /** The colour of the badge. */
  tone: 'good' | 'bad' | 'warn' | 'plain';
}

const failedOver = `attempts->0->>'provider' <> attempts->-1->>'provider'`;

/**
 * The outcomes of requests. Filters, badges, sums and documents use this table. A request ends in exactly one of `ok`,
 * `failed`, `refused` and `client_left`.
 */
export const requestOutcomes = {
  ok: { word: 'ok', meaning: 'The whole answer was sent.', condition: `end_reason = 'done'`, tone: 'good' },
  failed: {
    word: 'failed',
    meaning: 'A provider was to answer, and no whole answer was sent.',
    condition: `end_reason not in ('done', 'refused', 'client_gone')`,
    tone: 'bad',
  },
  failed_over: {
    word: 'failed over',
    meaning: 'A provider failed, and another one was tried.',
    condition: failedOver,
    tone: 'warn',
  },
  rescued: {
    word: 'rescued',
    meaning: 'A provider failed, and another one sent the whole answer.',
    condition: `end_reason = 'done' and ${failedOver}`,
    tone: 'warn',
  },
  refused: {
    word: 'refused',
    meaning: 'The gateway refused it before a provider was called: a limit, a budget, a guardrail or a wrong request.',
    condition: `end_reason = 'refused'`,
    tone: 'warn',
  },
  cached: { word: 'cached', meaning: 'The answer came from the cache.', condition: 'cached', tone: 'plain' },
  client_left: {
    word: 'client left',
    meaning: 'The client disconnected before the end.',
    condition: `end_reason = 'client_gone'`,
    tone: 'warn',
  },
} as const satisfies Record<string, RequestOutcome>;

export type RequestOutcomeName = keyof typeof requestOutcomes;

export const requestOutcomeNames = namesOf(requestOutcomes);
