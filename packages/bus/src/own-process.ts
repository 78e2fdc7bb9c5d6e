import { inProcessBroker } from './in-process-broker.ts';
import type { Mover } from './mover.ts';
import { addressedTo } from './subject.ts';

/** The same mover, which hands what is addressed to this instance over within the process. */
export function withOwnProcess(mover: Mover): Mover {
  const broker = inProcessBroker();
  const isOwn = addressedTo(mover.id);
  return {
    ...mover,
    publish(subject, payload, reply) {
      const { publish } = isOwn(subject) ? broker : mover;
      publish(subject, payload, reply);
    },
    subscribe(subject, handler) {
      const stop = mover.subscribe(subject, handler);
      if (!isOwn(subject)) return stop;
      const stopOwn = broker.subscribe(subject, handler);
      return () => {
        stopOwn();
        stop();
      };
    },
  };
}
