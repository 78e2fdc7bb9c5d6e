import type { ToolCallDelta } from '@tallyport/wire';
import { generatedCallId } from '../generated-call-id.ts';
import { argumentsText, type CallPlace, freshId, isCustom } from './tool-calls.ts';
import { isMembers, items, type Members, members, finiteNumber, text } from '../read.ts';

interface OpenCall {
  index: number;
  /** The vendor's index, if it sends one. */
  vendorIndex: number | undefined;
  vendorId: string | undefined;
  kind: 'function' | 'custom';
  named: boolean;
  input: string;
}

/** The calls of one choice. Vendors omit, repeat and miscount ids, indexes and names; clients get 0, 1, 2 … */
interface ToolCallStream {
  deltas(delta: Members): ToolCallDelta[];
  /** At the end: calls without arguments get `{}`, so that clients always parse valid JSON. */
  closing(): ToolCallDelta[];
  any(): boolean;
  firstId(): string | undefined;
}

export function createToolCallStream(place: CallPlace): ToolCallStream {
  const calls: OpenCall[] = [];
  const ids = new Set<string>();

  function read(delta: Members): ToolCallDelta {
    const call = callOf(calls, delta);
    return call === undefined ? open(delta) : proceed(call, delta);
  }

  function open(delta: Members): ToolCallDelta {
    const { name, input } = payload(delta);
    const index = calls.length;
    const vendorId = text(delta.id);
    const kind = isCustom(delta) ? 'custom' : 'function';
    const id = freshId(ids, vendorId) ?? generatedCallId(place.completionId, index, place.choice);
    ids.add(id);
    calls.push({ index, vendorIndex: finiteNumber(delta.index), vendorId, kind, named: name !== undefined, input });
    return kind === 'custom'
      ? { index, id, type: kind, custom: { name: name ?? '', input } }
      : { index, id, type: kind, function: { name: name ?? '', arguments: input } };
  }

  return {
    deltas: (delta) => items(delta.tool_calls).filter(isMembers).map(read),
    closing: () =>
      calls
        .filter((call) => call.kind === 'function' && call.input === '')
        .map(({ index }) => ({ index, function: { arguments: '{}' } })),
    any: () => calls.length > 0,
    firstId: () => ids.values().next().value,
  };
}

function proceed(call: OpenCall, delta: Members): ToolCallDelta {
  const { name, input } = payload(delta);
  call.input += input;
  const lateName = call.named || name === undefined ? {} : { name };
  call.named ||= name !== undefined;
  return call.kind === 'custom'
    ? { index: call.index, custom: { ...lateName, input } }
    : { index: call.index, function: { ...lateName, arguments: input } };
}

/**
 * The open call that this delta continues; `undefined` starts a new one. The id takes precedence, then the index, then
 * the order.
 */
function callOf(calls: readonly OpenCall[], delta: Members): OpenCall | undefined {
  const id = text(delta.id);
  const vendorIndex = finiteNumber(delta.index);
  const sameIndex = vendorIndex === undefined ? undefined : calls.findLast((call) => call.vendorIndex === vendorIndex);
  if (id !== undefined) {
    const sameId = calls.findLast((call) => call.vendorId === id && !isApart(call.vendorIndex, vendorIndex));
    return sameId ?? (sameIndex?.vendorId === undefined ? sameIndex : undefined);
  }
  if (vendorIndex !== undefined) return sameIndex;
  const last = calls.at(-1);
  // Without id and index, a name after complete arguments starts the next call.
  return payload(delta).name !== undefined && last !== undefined && isJson(last.input) ? undefined : last;
}

/** Two different indexes are two calls, whatever their ids. */
const isApart = (left: number | undefined, right: number | undefined): boolean =>
  left !== undefined && right !== undefined && left !== right;

function payload(delta: Members): { name: string | undefined; input: string } {
  const part = members(isCustom(delta) ? delta.custom : delta.function);
  return { name: text(part.name), input: argumentsText(part.arguments ?? part.input) ?? '' };
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
