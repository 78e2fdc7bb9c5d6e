import type { GatewayError } from '@tallyport/contracts';
import { disconnected, peerLost } from './faults.ts';
import { controlFrame, FrameKind } from './frame.ts';
import { FrameCount } from './frame-count.ts';

/** A stream that depends on another instance being alive. */
export interface PeerStream {
  /** The other instance can no longer be reached: fail with `reason` now. */
  lost(reason: GatewayError): void;
  /** Frames may have been lost in both directions: request them again, and resend what was not acknowledged. */
  recover(): void;
  /** Frames may have been lost in one direction: report what has arrived, and request what is missing. */
  refresh(): void;
  /** Acknowledge what was consumed, so that the sender can drop it. */
  settle(): void;
}

interface PeersOptions {
  /** This instance, which is reached without the broker. */
  own: string;
  send(peer: string, frame: Uint8Array): void;
  connected(): boolean;
  /** The instance has missed frames from us, or we have missed frames from it. */
  onMissed(peer: string): void;
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
/** Far more than there are processes. Beyond it the counts of instances without a stream are forgotten. */
const maxPeers = 16_384;

interface Peer {
  streams: Set<PeerStream>;
  frames: FrameCount;
  heardAt: number;
  suspectedAt: number | undefined;
}

/**
 * Tracks the liveness of other instances, and whether frames between them and us were lost. Pings and counts are per
 * instance, not per stream: 5,000 quiet streams must not ping.
 */
export class Peers {
  #options: PeersOptions;
  #peers = new Map<string, Peer>();
  #timer: NodeJS.Timeout | undefined;
  #graceUntil = 0;
  #lastSweep = 0;
  #connectedAt = 0;
  #settleAt = 0;
  #isClosed = false;

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  join(id: string, stream: PeerStream): void {
    const peer = this.#peer(id);
    if (peer.streams.size === 0) peer.suspectedAt = undefined;
    peer.streams.add(stream);
    peer.heardAt = performance.now();
    this.#watch();
  }

  leave(id: string, stream: PeerStream): void {
    this.#peers.get(id)?.streams.delete(stream);
  }

  /** Records a frame of an exchange that is sent to this instance. */
  sent(id: string): void {
    this.#peer(id).frames.sent();
    this.#watch();
  }

  /** Records a frame of an exchange from this instance. */
  received(id: string): void {
    const peer = this.#peer(id);
    peer.frames.received();
    this.#heard(peer);
  }

  /** Records that the instance is alive. */
  heard(id: string): void {
    const peer = this.#peers.get(id);
    if (peer) this.#heard(peer);
  }

  /** Handles the instance's report of how many frames it has sent to us. */
  reported(id: string, sent: number): void {
    const peer = this.#peer(id);
    if (peer.frames.agrees(sent)) return;
    this.#options.send(id, controlFrame(FrameKind.missed));
    this.missed(id);
  }

  /** Frames between this instance and us were lost. */
  missed(id: string): void {
    for (const stream of this.#peers.get(id)?.streams ?? []) stream.refresh();
    this.#options.onMissed(id);
  }

  /** Answers a ping of this instance. */
  pong(id: string): void {
    this.#sendCount(id, FrameKind.pong);
  }

  /** The broker reports that the instance does not listen. */
  unheard(id: string): void {
    const peer = this.#peers.get(id);
    const now = performance.now();
    if (!peer || peer.streams.size === 0 || now < this.#graceUntil) return;
    peer.suspectedAt ??= now;
    if (now - peer.suspectedAt >= confirmMs) return this.#lose(peer, peerLost());
    peer.heardAt = Math.min(peer.heardAt, now - pingAfterMs);
  }

  reconnected(): void {
    const now = performance.now();
    this.#graceUntil = now + graceMs;
    this.#forgive(now);
    for (const [id, peer] of this.#peers) {
      if (id === this.#options.own) continue;
      // Frames may still get lost until the peer is heard again; `heard` then recovers once more.
      peer.suspectedAt = this.#graceUntil;
      for (const stream of peer.streams) stream.recover();
      this.#options.send(id, controlFrame(FrameKind.missed));
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#rest();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #peer(id: string): Peer {
    const known = this.#peers.get(id);
    if (known) return known;
    const peer = { streams: new Set<PeerStream>(), frames: new FrameCount(), heardAt: 0, suspectedAt: undefined };
    if (this.#peers.size >= maxPeers) this.#forgetIdle();
    this.#peers.set(id, peer);
    return peer;
  }

  /** Forgets the oldest instance without a stream. Should it return, a count is wrong once, which costs a question. */
  #forgetIdle(): void {
    for (const [id, { streams }] of this.#peers) if (streams.size === 0) return void this.#peers.delete(id);
  }

  #heard(peer: Peer): void {
    peer.heardAt = performance.now();
    if (peer.suspectedAt === undefined) return;
    peer.suspectedAt = undefined;
    for (const stream of peer.streams) stream.recover();
  }

  #watch(): void {
    if (this.#timer || this.#isClosed) return;
    this.#lastSweep = this.#connectedAt = performance.now();
    this.#timer = setInterval(() => this.#sweep(), sweepMs).unref();
  }

  #sweep(): void {
    const now = performance.now();
    if (now - this.#lastSweep > 5 * sweepMs) this.#forgive(now);
    this.#lastSweep = now;
    const active = [...this.#peers].filter(([, { streams, frames }]) => streams.size > 0 || frames.isOpen);
    if (active.length === 0) return this.#rest();
    if (!this.#options.connected()) return this.#outage(now);
    this.#connectedAt = now;
    for (const [id, peer] of active) this.#check(id, peer, now);
    if (now >= this.#settleAt) this.#settle(now);
  }

  #outage(now: number): void {
    if (now - this.#connectedAt < outageMs) return;
    for (const [id, peer] of this.#peers) if (id !== this.#options.own) this.#lose(peer, disconnected());
  }

  /** This process was blocked or disconnected, so silence says nothing about the peers. */
  #forgive(now: number): void {
    for (const peer of this.#peers.values()) {
      peer.heardAt = now;
      peer.suspectedAt = undefined;
    }
  }

  #check(id: string, peer: Peer, now: number): void {
    const silence = peer.streams.size === 0 ? 0 : now - peer.heardAt;
    if (silence > silentMs) this.#lose(peer, peerLost());
    else if (silence >= pingAfterMs) this.#sendCount(id, FrameKind.ping);
    else if (peer.frames.isDue(now)) this.#sendCount(id, FrameKind.pong);
  }

  #sendCount(id: string, kind: typeof FrameKind.ping | typeof FrameKind.pong): void {
    this.#options.send(id, controlFrame(kind, this.#peer(id).frames.report(performance.now())));
  }

  #lose(peer: Peer, reason: GatewayError): void {
    const { streams } = peer;
    peer.streams = new Set();
    for (const stream of streams) stream.lost(reason);
  }

  #settle(now: number): void {
    this.#settleAt = now + settleEveryMs;
    for (const peer of this.#peers.values()) for (const stream of peer.streams) stream.settle();
  }
}
