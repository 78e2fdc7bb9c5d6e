import { Detours } from './detours.ts';
import { createGather } from './gather.ts';
import { controlFrame, decodeFrame, FrameKind } from './frame.ts';
import type { Journals, Link } from './link.ts';
import type { Message, Mover } from './mover.ts';
import { Peers } from './peers.ts';
import { Requester } from './requester.ts';
import { Responder } from './responder.ts';
import { inboxSubject, inboxToken, inboxWildcard, livenessToken, tokenPeer } from './subject.ts';

/** Builds a link from a mover: exchanges as frames, and everything else that both links share. */
export function frameLink(mover: Mover, journals: Journals & { close(): Promise<void> }): Link {
  const gather = createGather(mover.gatherMs);
  const peers = new Peers({
    connected: () => mover.connected(),
    send: (peer, frame) =>
      mover.publish(inboxSubject(peer, livenessToken(mover.id)), frame, inboxSubject(mover.id, livenessToken(peer))),
  });
  const detours = new Detours(mover);
  const requester = new Requester({ mover, gather, peers, detours });
  const responder = new Responder({ mover, gather, peers });

  function route(message: Message): void {
    const token = inboxToken(message.subject);
    if (token.startsWith('q')) requester.accept(message);
    else if (token.startsWith('s')) responder.accept(message);
    else if (token.startsWith('c')) detours.accept(message);
    else acceptFromPeer({ mover, peers, responder }, tokenPeer(token), message);
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
    for (const notifyMissed of missedHandlers) notifyMissed();
  });

  return {
    open: (subject, request) => requester.open(subject, request),
    listen: (registration) => responder.listen(registration),
    notify: (subject, payload) => mover.publish(subject, payload),
    subscribe,
    journals,
    connected: () => mover.connected(),
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

interface PeerContext {
  mover: Mover;
  peers: Peers;
  responder: Responder;
}

/** Handles a message between two instances that belongs to no exchange. */
function acceptFromPeer({ mover, peers, responder }: PeerContext, peer: string, message: Message): void {
  if (message.unheard) return peers.unheard(peer);
  peers.heard(peer);
  const frame = decodeFrame(message.payload);
  if (frame?.kind === FrameKind.arrived) responder.acceptArrived(frame.payload);
  if (frame?.kind === FrameKind.ping)
    mover.publish(inboxSubject(peer, livenessToken(mover.id)), controlFrame(FrameKind.pong));
}
