import type { RequestHead } from '@tallyport/contracts';

/** One with responses, or one that only writes down what it hears. The words are the vendor's. */
export type SessionType = 'realtime' | 'transcription';

/** What the address of a session says. */
export interface AskedSession {
  type: SessionType;
  /** A session that transcribes may leave it out, and otherwise has no other one. */
  model: string | undefined;
}

export function askedSession({ query }: Pick<RequestHead, 'query'>): AskedSession {
  const parameters = new URLSearchParams(query);
  const type = parameters.get('intent') === 'transcription' ? 'transcription' : 'realtime';
  return { type, model: parameters.get('model') || undefined };
}
