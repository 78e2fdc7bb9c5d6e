import { encodeFrame, FrameKind } from './frame.ts';
import type { GatheredJob } from './gather.ts';
import type { Mover } from './mover.ts';
import { inboxSubject, inboxToken, livenessToken } from './subject.ts';

/** A report costs about as much as the head of an answer, so many answers share one. */
const answersPerReport = 16;

/**
 * Reports to replicas which of their answers have arrived completely, so that they need not keep these for resending.
 * Kept until they are pushed out, the answers of a busy replica outlive two collections of garbage: that cost a sixth of
 * an exchange. A lost report costs nothing else.
 */
export class ArrivedAnswers implements GatheredJob {
  isQueued = false;
  readonly #mover: Pick<Mover, 'id' | 'publish'>;
  /** The tokens of the exchanges, by replica. */
  #tokens = new Map<string, string[]>();
  #isDue = false;

  constructor(mover: Pick<Mover, 'id' | 'publish'>) {
    this.#mover = mover;
  }

  /** Whether enough answers have arrived. The next request takes the report with it: alone it would wake two processes. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** `subject` is that of the replica's side of the exchange. */
  add(replica: string, subject: string): void {
    const tokens = this.#tokens.get(replica) ?? [];
    if (tokens.push(inboxToken(subject)) === 1) this.#tokens.set(replica, tokens);
    this.#isDue ||= tokens.length >= answersPerReport;
  }

  /** Reports to all replicas, also to those with few answers, so that replicas that are gone are forgotten. */
  run(): void {
    for (const [replica, tokens] of this.#tokens) {
      const chunks = [Buffer.from(tokens.join(separator))];
      const frame = encodeFrame({ kind: FrameKind.arrived, last: false, sequence: 0, chunks });
      this.#mover.publish(inboxSubject(replica, livenessToken(this.#mover.id)), frame);
    }
    this.#tokens.clear();
    this.#isDue = false;
  }
}

const separator = ' ';

/** The tokens of the exchanges in a report. */
export const arrivedTokens = (payload: Uint8Array): string[] => Buffer.from(payload).toString().split(separator);
