import type { ToolCall, ToolCallDelta } from '@switchyard/wire';

interface Growing {
  id: string;
  custom: boolean;
  name: string;
  input: string;
}

export interface ToolCallFold {
  add(delta: ToolCallDelta): void;
  whole(): ToolCall[];
}

export function createToolCallFold(): ToolCallFold {
  const calls = new Map<number, Growing>();

  return {
    add(delta) {
      const call = calls.get(delta.index) ?? { id: '', custom: false, name: '', input: '' };
      const { name = '', input = '' } = delta.custom ?? {
        name: delta.function?.name,
        input: delta.function?.arguments,
      };
      call.id ||= delta.id ?? '';
      call.custom ||= delta.type === 'custom' || delta.custom !== undefined;
      call.name += name;
      call.input += input;
      calls.set(delta.index, call);
    },
    whole: () => [...calls.entries()].toSorted(([left], [right]) => left - right).map(([, call]) => toToolCall(call)),
  };
}

const toToolCall = ({ id, custom, name, input }: Growing): ToolCall =>
  custom
    ? { id, type: 'custom', custom: { name, input } }
    : { id, type: 'function', function: { name, arguments: input } };
