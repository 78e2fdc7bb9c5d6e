import { type BusFrame, FrameKind } from './frame.ts';
import { framesFrom, type SentFrames } from './frame-sender.ts';
import type { Mover } from './mover.ts';
import type { Peers } from './peers.ts';
import { inboxInstance } from './subject.ts';

interface SentAnswerLink {
  mover: Pick<Mover, 'publish'>;
  peers: Pick<Peers, 'unheard'>;
}

interface SentAnswerSubjects {
  requester: string;
  replyTo: string;
}

/**
 * What is left of an exchange whose answer was sent completely: the frames that the requester has not acknowledged. It
 * holds nothing else of the exchange, because hundreds of these stay in memory.
 */
export class SentAnswer {
  readonly #link: SentAnswerLink;
  readonly #requester: string;
  readonly #replyTo: string;
  #sent: SentFrames;

  constructor(link: SentAnswerLink, { requester, replyTo }: SentAnswerSubjects, sent: SentFrames) {
    this.#link = link;
    this.#requester = requester;
    this.#replyTo = replyTo;
    this.#sent = sent;
  }

  get keptBytes(): number {
    let bytes = 0;
    for (const frame of this.#sent.frames) bytes += frame.length;
    return bytes;
  }

  accept({ kind, sequence }: BusFrame): void {
    if (kind === FrameKind.cancel) this.#keep(Infinity);
    if (kind === FrameKind.acknowledge) this.#keep(sequence);
    if (kind !== FrameKind.resend) return;
    for (const frame of framesFrom(this.#sent, sequence))
      this.#link.mover.publish(this.#requester, frame, this.#replyTo);
  }

  unheard(): void {
    this.#link.peers.unheard(this.requester);
  }

  /** The instance that requested it. */
  get requester(): string {
    return inboxInstance(this.#requester);
  }

  /** Sends the last frame again. A requester that misses others requests them. */
  repeatEnd(): void {
    const last = this.#sent.frames.at(-1);
    if (last) this.#link.mover.publish(this.#requester, last, this.#replyTo);
  }

  #keep(sequence: number): void {
    this.#sent = { from: Math.max(sequence, this.#sent.from), frames: framesFrom(this.#sent, sequence) };
  }
}
