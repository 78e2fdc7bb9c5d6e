import type { GatewayError } from '@tallyport/contracts';
import { disconnected, peerLost } from './faults.ts';
import { controlFrame, FrameKind } from './frame.ts';

/** A stream that depends on another instance being alive. */
export interface PeerStream {
  /** The other instance can no longer be reached: fail with `reason` now. */
  lost(reason: GatewayError): void;
  /** Frames may have been lost: request them again, and resend what was not acknowledged. */
  recover(): void;
  /** Acknowledge what was consumed, so that the sender can drop it. */
  settle(): void;
}

export interface PeersOptions {
  send(peer: string, frame: Uint8Array): void;
  connected(): boolean;
}

const sweepMs = 100;
const pingAfterMs = 250;
/**
 * Two pings without a listener, this far apart, mean that the instance is gone rather than moving to another server.
 */
const confirmMs = 250;
/** An instance that is connected to the broker but silent for this long hangs. */
const silentMs = 10_000;
/** After we reconnect, other instances may still be reconnecting. */
const graceMs = 3_000;
/** How long running exchanges wait for our connection to recover. */
const outageMs = 30_000;
const settleEveryMs = 2_000;

interface Peer {
  streams: Set<PeerStream>;
  heardAt: number;
  suspectedAt: number | undefined;
}

/**
 * Tracks the liveness of other instances. Pings are per instance, not per stream: 5,000 quiet streams must not ping.
 */
export class Peers {
  #options: PeersOptions;
  #peers = new Map<string, Peer>();
  #timer: NodeJS.Timeout | undefined;
  #graceUntil = 0;
  #lastSweep = 0;
  #connectedAt = 0;
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

  /** Records a frame from this instance. */
  heard(id: string): void {
    const peer = this.#peers.get(id);
    if (!peer) return;
    peer.heardAt = performance.now();
    if (peer.suspectedAt === undefined) return;
    peer.suspectedAt = undefined;
    for (const stream of peer.streams) stream.recover();
  }

  /** The broker reports that the instance does not listen. */
  unheard(id: string): void {
    const peer = this.#peers.get(id);
    const now = performance.now();
    if (!peer || now < this.#graceUntil) return;
    peer.suspectedAt ??= now;
    if (now - peer.suspectedAt >= confirmMs) return this.#lose(id, peer, peerLost());
    peer.heardAt = Math.min(peer.heardAt, now - pingAfterMs);
  }

  reconnected(): void {
    const now = performance.now();
    this.#graceUntil = now + graceMs;
    this.#forgive(now);
    for (const peer of this.#peers.values()) {
      // Frames may still get lost until the peer is heard again; `heard` then recovers once more.
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
    this.#lastSweep = this.#connectedAt = performance.now();
    this.#timer = setInterval(() => this.#sweep(), sweepMs).unref();
  }

  #sweep(): void {
    const now = performance.now();
    if (now - this.#lastSweep > 5 * sweepMs) this.#forgive(now);
    this.#lastSweep = now;
    for (const [id, peer] of this.#peers) if (peer.streams.size === 0) this.#peers.delete(id);
    if (this.#peers.size === 0) return this.close();
    if (!this.#options.connected()) return this.#outage(now);
    this.#connectedAt = now;
    for (const [id, peer] of this.#peers) this.#check(id, peer, now);
    if (now >= this.#settleAt) this.#settle(now);
  }

  #outage(now: number): void {
    if (now - this.#connectedAt < outageMs) return;
    for (const [id, peer] of this.#peers) this.#lose(id, peer, disconnected());
  }

  /** This process was blocked or disconnected, so silence says nothing about the peers. */
  #forgive(now: number): void {
    for (const peer of this.#peers.values()) {
      peer.heardAt = now;
      peer.suspectedAt = undefined;
    }
  }

  #check(id: string, peer: Peer, now: number): void {
    const silence = now - peer.heardAt;
    if (silence > silentMs) this.#lose(id, peer, peerLost());
    else if (silence >= pingAfterMs) this.#options.send(id, controlFrame(FrameKind.ping));
  }

  #lose(id: string, peer: Peer, reason: GatewayError): void {
    this.#peers.delete(id);
    for (const stream of peer.streams) stream.lost(reason);
  }

  #settle(now: number): void {
    this.#settleAt = now + settleEveryMs;
    for (const peer of this.#peers.values()) for (const stream of peer.streams) stream.settle();
  }
}
