import type { ExchangeHandler } from '@tallyport/bus';
import type { GatewayError } from '@tallyport/contracts';
import type { LoggedEvent } from './run-log.ts';
import type { RunOwner } from './runs.ts';

export interface RunIdentity {
  id: string;
  /** Unix milliseconds. */
  createdAt: number;
}

type Document = Record<string, unknown>;

/** The end of a run, as its clients see it. */
export interface RunEnding {
  result: 'completed' | 'failed' | 'incomplete' | 'cancelled';
  /** Absent if the answer itself is stored. */
  document?: Document;
}

/** The last event of a run, and how it ended. */
export interface RunEnd {
  event: LoggedEvent;
  ending: RunEnding;
}

/** How an API shows its runs. An outline is the document of a run without an answer. */
export interface RunForm {
  readonly name: string;
  /** Serves the request of a run. Its answer has the identity of the run, and is stored under it. */
  handler(run: RunIdentity): ExchangeHandler;
  /** The whole answer if it is stored. */
  stored(owner: RunOwner, id: string): Promise<Uint8Array | undefined>;
  /** Deletes it. */
  forget(owner: RunOwner, id: string): Promise<void>;
  /** What is shown of a run that has not ended. */
  unended(outline: Document, state: 'queued' | 'running'): Document;
  /** The events before those of the answer. */
  opening(outline: Document): { queued: readonly LoggedEvent[]; begun: LoggedEvent };
  /** An event of a streamed answer, and how it ends the run if it is the last one; `undefined` if it is shown already. */
  event(event: LoggedEvent, outline: Document): { event: LoggedEvent; ending?: RunEnding } | undefined;
  /** A whole answer as the last event. */
  whole(body: Uint8Array): RunEnd;
  /** The last event of a run without an answer. */
  stopped(outline: Document, reason: RunStop): RunEnd;
  /** The same event with its number. */
  numbered(event: LoggedEvent, number: number): LoggedEvent;
  isLast(event: Pick<LoggedEvent, 'type'>): boolean;
}

/** A cancellation has no error. */
export type RunStop = { kind: 'cancelled' } | { kind: 'failed'; error: GatewayError };
