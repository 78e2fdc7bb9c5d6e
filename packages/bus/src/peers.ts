import { controlFrame, FrameKind } from './frame.ts';

/** A stream that depends on another instance being alive. */
export interface PeerStream {
  /** The other instance is gone: fail typed, now. */
  lost(): void;
  /** Frames may have been lost on the way: ask for them, and send again what was not acknowledged. */
  recover(): void;
  /** Acknowledge what was taken, so that the sender need not keep it. */
  settle(): void;
}

export interface PeersOptions {
  send(peer: string, frame: Uint8Array): void;
  connected(): boolean;
}

const sweepMs = 100;
const pingAfterMs = 250;
/** Nobody listened to us twice, this far apart: the instance is gone rather than on its way to another server. */
const confirmMs = 250;
/** An instance that neither answers nor is missed by the broker hangs. */
const silentMs = 10_000;
/** After our own reconnection others may still be on their way back. */
const graceMs = 3_000;
const settleEveryMs = 2_000;

interface Peer {
  streams: Set<PeerStream>;
  heardAt: number;
  suspectedAt: number | undefined;
}

/** Liveness is per instance, never per stream: 5,000 quiet streams must not ping. */
export class Peers {
  #options: PeersOptions;
  #peers = new Map<string, Peer>();
  #timer: NodeJS.Timeout | undefined;
  #graceUntil = 0;
  #lastSweep = 0;
  #settleAt = 0;

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  join(id: string, stream: PeerStream): void {
    const known = this.#peers.get(id);
    const peer = known ?? { streams: new Set(), heardAt: 0, suspectedAt: undefined };
    peer.streams.add(stream);
    peer.heardAt = performance.now();
    if (!known) this.#peers.set(id, peer);
    this.#watch();
  }

  leave(id: string, stream: PeerStream): void {
    this.#peers.get(id)?.streams.delete(stream);
  }

  /** A frame came from this instance. */
  heard(id: string): void {
    const peer = this.#peers.get(id);
    if (!peer) return;
    peer.heardAt = performance.now();
    if (peer.suspectedAt === undefined) return;
    peer.suspectedAt = undefined;
    for (const stream of peer.streams) stream.recover();
  }

  /** The broker says nobody listens there. */
  unheard(id: string): void {
    const peer = this.#peers.get(id);
    const now = performance.now();
    if (!peer || now < this.#graceUntil) return;
    peer.suspectedAt ??= now;
    if (now - peer.suspectedAt >= confirmMs) return this.#lose(id, peer);
    peer.heardAt = Math.min(peer.heardAt, now - pingAfterMs);
  }

  reconnected(): void {
    const now = performance.now();
    this.#graceUntil = now + graceMs;
    this.#forgive(now);
    for (const peer of this.#peers.values()) {
      // Until the other side is heard again, frames may still get lost: `heard` recovers once more.
      peer.suspectedAt = this.#graceUntil;
      for (const stream of peer.streams) stream.recover();
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #watch(): void {
    if (this.#timer) return;
    this.#lastSweep = performance.now();
    this.#timer = setInterval(() => this.#sweep(), sweepMs).unref();
  }

  #sweep(): void {
    const now = performance.now();
    if (now - this.#lastSweep > 5 * sweepMs) this.#forgive(now);
    this.#lastSweep = now;
    for (const [id, peer] of this.#peers) if (peer.streams.size === 0) this.#peers.delete(id);
    if (this.#peers.size === 0) return this.close();
    if (!this.#options.connected()) return;
    for (const [id, peer] of this.#peers) this.#check(id, peer, now);
    if (now >= this.#settleAt) this.#settle(now);
  }

  /** We stood still ourselves, or were cut off: silence says nothing about the others. */
  #forgive(now: number): void {
    for (const peer of this.#peers.values()) {
      peer.heardAt = now;
      peer.suspectedAt = undefined;
    }
  }

  #check(id: string, peer: Peer, now: number): void {
    const silence = now - peer.heardAt;
    if (silence > silentMs) this.#lose(id, peer);
    else if (silence >= pingAfterMs) this.#options.send(id, controlFrame(FrameKind.ping));
  }

  #lose(id: string, peer: Peer): void {
    this.#peers.delete(id);
    for (const stream of peer.streams) stream.lost();
  }

  #settle(now: number): void {
    this.#settleAt = now + settleEveryMs;
    for (const peer of this.#peers.values()) for (const stream of peer.streams) stream.settle();
  }
}
