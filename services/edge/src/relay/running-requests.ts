import type { GatewayError } from '@switchyard/contracts';

/** All requests being relayed, so that a shutdown can end them. */
export interface RunningRequests {
  enter(controller: AbortController): void;
  leave(controller: AbortController): void;
  /** Aborts all running requests. From then on, `ending` returns the reason for every failure. */
  endAll(reason: GatewayError): void;
  ending(): GatewayError | undefined;
}

/**
 * A set is used rather than listeners on one shared signal: removing one of thousands of listeners from a signal walks
 * through all of them.
 */
export function createRunningRequests(): RunningRequests {
  const controllers = new Set<AbortController>();
  let ending: GatewayError | undefined;
  return {
    enter: (controller) => void controllers.add(controller),
    leave: (controller) => void controllers.delete(controller),
    endAll(reason) {
      ending = reason;
      for (const controller of controllers) controller.abort(reason);
    },
    ending: () => ending,
  };
}
