import type { FunctionToolCall, ToolCallDelta } from '@tallyport/wire';
import { createObjectEnd, type ObjectEnd } from '../object-end.ts';

/** The calls of a streamed answer. This API has them whole, so they wait for their end. */
interface GrowingCalls {
  add(delta: ToolCallDelta): void;
  /** Removes the calls that are complete, up to the first one that is not. */
  takeComplete(): FunctionToolCall[];
  /** Removes all calls. */
  takeAll(): FunctionToolCall[];
}

interface GrowingCall {
  call: FunctionToolCall;
  pieces: string[];
  end: ObjectEnd;
}

export function createGrowingCalls(): GrowingCalls {
  const calls = new Map<number, GrowingCall>();
  const taken = new Set<number>();

  /** Removes calls in their order, while this holds. */
  function takeWhile(holds: (call: GrowingCall) => boolean): FunctionToolCall[] {
    const ordered = [...calls].toSorted(([left], [right]) => left - right);
    const end = ordered.findIndex(([, call]) => !holds(call));
    const held = end < 0 ? ordered : ordered.slice(0, end);
    for (const [index] of held) {
      calls.delete(index);
      taken.add(index);
    }
    return held.map(([, { call, pieces }]) => ({
      ...call,
      function: { ...call.function, arguments: pieces.join('') },
    }));
  }

  return {
    add({ index, id, function: called = {}, custom, extra_content: extra }) {
      // Only functions have a part in this API, and only blanks can follow a call that is complete.
      if (custom !== undefined || taken.has(index)) return;
      const grown = calls.get(index) ?? { call: emptyCall(), pieces: [], end: createObjectEnd() };
      calls.set(index, grown);
      const { name = '', arguments: input = '' } = called;
      grown.call.id ||= id ?? '';
      grown.call.function.name ||= name;
      grown.pieces.push(input);
      grown.end.add(input);
      if (extra !== undefined) grown.call.extra_content = { ...grown.call.extra_content, ...extra };
    },
    takeComplete: () => takeWhile(({ end }) => end.reached()),
    takeAll: () => takeWhile(() => true),
  };
}

const emptyCall = (): FunctionToolCall => ({ id: '', type: 'function', function: { name: '', arguments: '' } });
