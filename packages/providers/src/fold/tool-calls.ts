import type { ToolCall, ToolCallDelta } from '@tallyport/wire';

interface Growing {
  id: string;
  custom: boolean;
  name: string;
  input: string;
  extra: Record<string, unknown> | undefined;
}

interface ToolCallFold {
  add(delta: ToolCallDelta): void;
  whole(): ToolCall[];
}

export function createToolCallFold(): ToolCallFold {
  const calls = new Map<number, Growing>();

  return {
    add(delta) {
      const call = calls.get(delta.index) ?? { id: '', custom: false, name: '', input: '', extra: undefined };
      const { name = '', input = '' } = delta.custom ?? {
        name: delta.function?.name,
        input: delta.function?.arguments,
      };
      call.id ||= delta.id ?? '';
      call.custom ||= delta.type === 'custom' || delta.custom !== undefined;
      call.name += name;
      call.input += input;
      if (delta.extra_content !== undefined) call.extra = { ...call.extra, ...delta.extra_content };
      calls.set(delta.index, call);
    },
    whole: () => [...calls.entries()].toSorted(([left], [right]) => left - right).map(([, call]) => toToolCall(call)),
  };
}

function toToolCall({ id, custom, name, input, extra }: Growing): ToolCall {
  const rest = extra && { extra_content: extra };
  return custom
    ? { id, type: 'custom', custom: { name, input }, ...rest }
    : { id, type: 'function', function: { name, arguments: input }, ...rest };
}
