import { createOrderKeeper, type OrderedPiece } from '@tallyport/wire';

/** Something that a model said: the length of a text, or a call. */
export type SaidPart = number | 'call';

/** The order of an earlier answer, for vendors that keep it. Absent for texts before calls, the order that a chat has. */
export function orderOf(said: readonly SaidPart[]): { content_order?: OrderedPiece[] } {
  const keeper = createOrderKeeper();
  let calls = 0;
  for (const part of said) {
    if (part === 'call') {
      keeper.call(calls);
      calls += 1;
    } else keeper.text(part, 0);
  }
  const order = keeper.whole();
  return order === undefined ? {} : { content_order: order };
}
