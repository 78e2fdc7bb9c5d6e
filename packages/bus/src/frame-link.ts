import { Detours } from './detours.ts';
import { createGather, withoutRest } from './gather.ts';
import { decodeFrame, FrameKind } from './frame.ts';
import type { Journals, Link } from './link.ts';
import type { Message, Mover } from './mover.ts';
import { Peers } from './peers.ts';
import { Requester } from './requester.ts';
import { Responder } from './responder.ts';
import {
  exchangeInstance,
  inboxInstance,
  inboxSubject,
  inboxToken,
  inboxWildcard,
  livenessToken,
  tokenPeer,
} from './subject.ts';

/** Builds a link from a mover: exchanges as frames, and everything else that both links share. */
export function frameLink(transport: Mover, journals: Journals & { close(): Promise<void> }): Link {
  const peers = new Peers({
    own: transport.id,
    connected: () => transport.connected(),
    send: (peer, frame) => sendToPeer(transport, peer, frame),
    onMissed(peer) {
      requester.interrupted();
      responder.repeatEnds(peer);
    },
  });
  const mover = countingMover(transport, peers);
  const detours = new Detours(mover);
  const shared = { mover, peers, ...gathersWithin(mover.gatherMs) };
  const responder = new Responder(shared);
  const requester = new Requester({ ...shared, detours, served: (operation) => responder.served(operation) });

  function route(message: Message): void {
    const token = inboxToken(message.subject);
    if (token.startsWith('q')) requester.accept(counted(message, peers));
    else if (token.startsWith('s')) responder.accept(counted(message, peers));
    else if (token.startsWith('c')) detours.accept(message);
    else acceptFromPeer({ peers, responder }, tokenPeer(token), message);
  }

  const missedHandlers = new Set<() => void>();

  const subscribe: Link['subscribe'] = (subject, handler, missed) => {
    const stop = mover.subscribe(subject, (message) => handler(message.payload));
    if (missed === undefined) return stop;
    // A new function per subscription, because the same handler may be subscribed twice.
    const notifyMissed = (): void => missed();
    missedHandlers.add(notifyMissed);
    return () => {
      missedHandlers.delete(notifyMissed);
      stop();
    };
  };

  mover.subscribe(inboxWildcard(mover.id), route);
  mover.onReconnect(() => {
    requester.reconnected();
    peers.reconnected();
    responder.repeatEnds();
    for (const notifyMissed of missedHandlers) notifyMissed();
  });

  return {
    open: (subject, request) => requester.open(subject, request),
    listen: (registration) => responder.listen(registration),
    leave: () => responder.leave(),
    notify: (subject, payload) => mover.publish(subject, payload),
    subscribe,
    journals,
    connected: () => mover.connected(),
    unheard: () => [],
    async close() {
      requester.close();
      detours.close();
      responder.close();
      peers.close();
      await journals.close();
      await mover.close();
    },
  };
}

/** How frames are joined: those to other processes, and those within this one, which never rest. */
function gathersWithin(ms: number) {
  const gather = createGather(ms);
  return { gather, ownGather: withoutRest(gather) };
}

/** Sends a frame that belongs to no exchange. */
function sendToPeer({ id, publish }: Mover, peer: string, frame: Uint8Array): void {
  publish(inboxSubject(peer, livenessToken(id)), frame, inboxSubject(id, livenessToken(peer)));
}

/** Counts the frames of exchanges by the instance that they are sent to. */
function countingMover(mover: Mover, peers: Peers): Mover {
  return {
    ...mover,
    publish(subject, payload, reply) {
      const peer = exchangeInstance(subject);
      if (peer !== undefined && reply) peers.sent(peer);
      mover.publish(subject, payload, reply);
    },
  };
}

/** Counts a frame of an exchange by the instance that has sent it. */
function counted(message: Message, peers: Peers): Message {
  if (message.reply) peers.received(inboxInstance(message.reply));
  return message;
}

interface PeerContext {
  peers: Peers;
  responder: Responder;
}

/** Handles a message between two instances that belongs to no exchange. */
function acceptFromPeer({ peers, responder }: PeerContext, peer: string, message: Message): void {
  if (message.unheard) return peers.unheard(peer);
  peers.heard(peer);
  const frame = decodeFrame(message.payload);
  switch (frame?.kind) {
    case FrameKind.arrived:
      return responder.acceptArrived(frame.payload);
    case FrameKind.ping:
      peers.reported(peer, frame.sequence);
      return peers.pong(peer);
    case FrameKind.pong:
      return peers.reported(peer, frame.sequence);
    case FrameKind.missed:
      return peers.missed(peer);
    default:
      return;
  }
}
