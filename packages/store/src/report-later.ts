import type { StoreEvent } from './store.ts';

/** Reports events in a separate microtask, so that a listener that throws cannot break an operation. */
export function reportLater(onTrouble: ((event: StoreEvent) => void) | undefined): (event: StoreEvent) => void {
  return (event) => {
    if (onTrouble) queueMicrotask(() => onTrouble(event));
  };
}
