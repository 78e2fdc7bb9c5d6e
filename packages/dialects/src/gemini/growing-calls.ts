import type { FunctionToolCall, ToolCallDelta } from '@tallyport/wire';

/** The calls of a streamed answer. This API has them whole, so they wait for their end. */
export interface GrowingCalls {
  add(delta: ToolCallDelta): void;
  whole(): FunctionToolCall[];
}

export function createGrowingCalls(): GrowingCalls {
  const calls = new Map<number, { call: FunctionToolCall; pieces: string[] }>();

  return {
    add({ index, id, function: called, extra_content: extra }) {
      const grown = calls.get(index) ?? { call: emptyCall(), pieces: [] };
      calls.set(index, grown);
      grown.call.id ||= id ?? '';
      grown.call.function.name ||= called?.name ?? '';
      grown.pieces.push(called?.arguments ?? '');
      if (extra !== undefined) grown.call.extra_content = { ...grown.call.extra_content, ...extra };
    },
    whole: () =>
      [...calls]
        .toSorted(([left], [right]) => left - right)
        .map(([, { call, pieces }]) => ({ ...call, function: { ...call.function, arguments: pieces.join('') } })),
  };
}

const emptyCall = (): FunctionToolCall => ({ id: '', type: 'function', function: { name: '', arguments: '' } });
