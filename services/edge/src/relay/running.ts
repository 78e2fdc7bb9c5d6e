import type { GatewayError } from '@switchyard/contracts';

/** Everything that is being relayed now, so that all of it can be told when this process must end. */
export interface Running {
  enter(controller: AbortController): void;
  leave(controller: AbortController): void;
  /** Aborts what runs; whatever fails from now on fails for this reason. */
  endAll(reason: GatewayError): void;
  ending(): GatewayError | undefined;
}

/** A set rather than listeners on one shared signal: taking one of thousands off such a signal walks through all of them. */
export function createRunning(): Running {
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
