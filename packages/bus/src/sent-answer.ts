import { type BusFrame, FrameKind } from './frame.ts';
import type { SentFrame } from './frame-sender.ts';
import type { Mover } from './mover.ts';
import type { Peers } from './peers.ts';

export interface SentAnswerOptions {
  mover: Pick<Mover, 'publish'>;
  peers: Pick<Peers, 'heard' | 'unheard'>;
  /** The instance of the requester. */
  peer: string;
  requester: string;
  replyTo: string;
}

/**
 * What is left of an exchange whose answer was sent completely: the frames that the requester has not acknowledged. It
 * holds nothing else of the exchange, because hundreds of these stay in memory.
 */
export class SentAnswer {
  #options: SentAnswerOptions;
  #frames: readonly SentFrame[];

  constructor(options: SentAnswerOptions, frames: readonly SentFrame[]) {
    this.#options = options;
    this.#frames = frames;
  }

  get keptBytes(): number {
    return this.#frames.reduce((sum, { frame }) => sum + frame.length, 0);
  }

  accept({ kind, sequence }: BusFrame): void {
    const { mover, peers, peer, requester, replyTo } = this.#options;
    peers.heard(peer);
    if (kind === FrameKind.cancel) this.#frames = [];
    if (kind === FrameKind.acknowledge) this.#frames = this.#frames.filter((kept) => kept.sequence >= sequence);
    if (kind !== FrameKind.resend) return;
    for (const kept of this.#frames) if (kept.sequence >= sequence) mover.publish(requester, kept.frame, replyTo);
  }

  unheard(): void {
    this.#options.peers.unheard(this.#options.peer);
  }
}
