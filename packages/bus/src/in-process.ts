import { frameLink } from './frame-link.ts';
import { type Broker, inProcessBroker } from './in-process-broker.ts';
import { inProcessJournals } from './in-process-journals.ts';
import type { Link } from './link.ts';
import type { MessageHandler, Mover } from './mover.ts';

/** A link between services in one process. It carries the same frames as the NATS link; only the transport differs. */
export function inProcessLink(): Link {
  return frameLink(inProcessMovers()('local'), inProcessJournals());
}

/** Makes movers that reach each other, one for each instance. */
export function inProcessMovers(): (id: string) => Mover {
  const broker = inProcessBroker();
  return (id) => moverAt(broker, id);
}

function moverAt(broker: Broker, id: string): Mover {
  let open = true;
  const subscriptions = new Set<() => void>();

  function subscribe(subject: string, handler: MessageHandler): () => void {
    const unsubscribe = broker.subscribe(subject, handler);
    const stop = (): void => {
      subscriptions.delete(stop);
      unsubscribe();
    };
    subscriptions.add(stop);
    return stop;
  }

  return {
    id,
    gatherMs: 0,
    publish: broker.publish,
    subscribe,
    async serve({ endpoints }) {
      const stops = endpoints.map(({ subject, handler }) => subscribe(subject, handler));
      return {
        async stop() {
          for (const stop of stops) stop();
        },
      };
    },
    connected: () => open,
    onReconnect() {},
    async close() {
      open = false;
      for (const stop of subscriptions) stop();
    },
  };
}
