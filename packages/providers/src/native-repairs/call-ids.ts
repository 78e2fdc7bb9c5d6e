import { acceptedCallId } from '../accepted-call-id.ts';
import { createUniqueIds } from '../conversation/unique-ids.ts';

/** The ids of calls and of their results, as a vendor accepts them. They are read in the order of the conversation. */
export interface CallIds {
  called(id: string): string;
  answered(id: string): string;
}

/**
 * Each call has an id of its own, also where a vendor numbers its calls anew in each answer. A result has the id of its
 * call, those of equal ids in their order.
 */
export function createCallIds(accepted: RegExp): CallIds {
  const uniqueId = createUniqueIds();
  const waiting = new Map<string, string[]>();
  let isAnswering = false;
  return {
    called(id) {
      if (isAnswering) waiting.clear();
      isAnswering = false;
      const name = uniqueId(acceptedCallId(id, accepted));
      const names = waiting.get(id);
      if (names === undefined) waiting.set(id, [name]);
      else names.push(name);
      return name;
    },
    answered(id) {
      isAnswering = true;
      const names = waiting.get(id) ?? [];
      const [name = acceptedCallId(id, accepted)] = names.length > 1 ? names.splice(0, 1) : names;
      return name;
    },
  };
}
