import type { StoreEvent } from './store.ts';

/** Events leave on their own turn: a listener that throws is seen by the process and cannot break an operation. */
export function tellLater(onTrouble: ((event: StoreEvent) => void) | undefined): (event: StoreEvent) => void {
  return (event) => {
    if (onTrouble) queueMicrotask(() => onTrouble(event));
  };
}
