import type { ToolCallDelta } from '@tallyport/wire';
import { type OpenCall, openCall } from './output-call.ts';
import type { EndStatus } from './output-events.ts';
import type { OutputItems } from './output-items.ts';
import type { ToolNames } from './tool-names.ts';

/** The calls of one answer. They may be written in parallel, so that all stay open until the end. */
interface OutputCalls {
  add(delta: ToolCallDelta): void;
  /** The last one may be cut off. */
  close(lastStatus: EndStatus): void;
}

interface OutputCallsOptions {
  items: OutputItems;
  names: ToolNames;
  /** Runs before a call opens its item. */
  beforeOpening(): void;
  /** What a vendor adds to a call and wants back with it. */
  keepExtra(callId: string, extra: Record<string, unknown>): void;
}

interface Call {
  id: string;
  isCustom: boolean;
  name: string;
  /** Until its name is known. */
  held: string;
  item: OpenCall | undefined;
}

export function createOutputCalls({ items, names, beforeOpening, keepExtra }: OutputCallsOptions): OutputCalls {
  const calls = new Map<number, Call>();

  function callAt({ index, id, type, custom }: ToolCallDelta): Call {
    const known = calls.get(index);
    if (known !== undefined) return known;
    const isCustom = type === 'custom' || custom !== undefined;
    const call: Call = { id: id || items.newId('call'), isCustom, name: '', held: '', item: undefined };
    calls.set(index, call);
    return call;
  }

  function open(call: Call): OpenCall {
    beforeOpening();
    const kind = call.isCustom ? 'custom' : 'function';
    const target = names.targetOf(call.name) ?? { kind, name: call.name };
    call.item = openCall(items, { callId: call.id, target, isWrapped: !call.isCustom });
    call.item.input(call.held);
    return call.item;
  }

  return {
    add(delta) {
      const call = callAt(delta);
      const input = delta.custom?.input ?? delta.function?.arguments ?? '';
      if (delta.extra_content !== undefined) keepExtra(call.id, delta.extra_content);
      if (call.item !== undefined) return call.item.input(input);
      call.name += delta.custom?.name ?? delta.function?.name ?? '';
      call.held += input;
      if (call.name !== '') open(call);
    },
    close(lastStatus) {
      const opened = [...calls.values()].map((call) => call.item ?? open(call));
      for (const [at, item] of opened.entries()) item.close(at === opened.length - 1 ? lastStatus : 'completed');
    },
  };
}
