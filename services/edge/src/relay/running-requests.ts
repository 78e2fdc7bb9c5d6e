import type { GatewayError } from '@switchyard/contracts';

/** Every request being relayed now, so that all of them can be ended when this process must. */
export interface RunningRequests {
  enter(controller: AbortController): void;
  leave(controller: AbortController): void;
  /** Aborts what runs; whatever fails from now on fails for this reason. */
  endAll(reason: GatewayError): void;
  ending(): GatewayError | undefined;
}

/** A set rather than listeners on one shared signal: taking one of thousands off such a signal walks through all of them. */
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
