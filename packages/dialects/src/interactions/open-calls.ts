import type { ToolCallDelta } from '@tallyport/wire';
import { createObjectEnd, type ObjectEnd } from '../object-end.ts';
import { objectIn } from '../plain-object.ts';
import type { StepList } from './step-list.ts';

/** The calls of one answer. They may be written in parallel, so each stays open until its arguments are whole. */
interface OpenCalls {
  add(delta: ToolCallDelta): void;
  close(): void;
  /** A call has its step. */
  called(): boolean;
  /** A call whose arguments are no JSON object. */
  malformed(): { name: string; arguments: string } | undefined;
}

interface OpenCallsOptions {
  steps: StepList;
  newId(): string;
  /** Runs before a call opens its step. */
  beforeOpening(): void;
  /** What a vendor adds to a call and wants back with it. */
  keepExtra(callId: string, extra: Record<string, unknown>): void;
}

interface Call {
  id: string;
  name: string;
  /** What arrived before the name, and what was sent after it. */
  pieces: string[];
  end: ObjectEnd;
  /** The place of its step. */
  index: number | undefined;
  isClosed: boolean;
}

export function createOpenCalls({ steps, newId, beforeOpening, keepExtra }: OpenCallsOptions): OpenCalls {
  const calls = new Map<number, Call>();
  let called = false;
  let malformed: { name: string; arguments: string } | undefined;

  function callAt({ index, id }: ToolCallDelta): Call {
    const known = calls.get(index);
    if (known !== undefined) return known;
    const call = { id: id || newId(), name: '', pieces: [], end: createObjectEnd(), index: undefined, isClosed: false };
    calls.set(index, call);
    return call;
  }

  function open(call: Call): number {
    beforeOpening();
    const { id, name } = call;
    const index = steps.open({ type: 'function_call', id, name, arguments: {} });
    call.index = index;
    send(index, call.pieces.join(''));
    return index;
  }

  const send = (index: number, piece: string): void => {
    if (piece !== '') steps.delta(index, { type: 'arguments_delta', arguments: piece });
  };

  function finish(call: Call): void {
    const index = call.index ?? open(call);
    const { id, name } = call;
    const written = call.pieces.join('');
    // Clients parse the pieces.
    if (written.trim() === '') send(index, '{}');
    const input = objectIn(written);
    call.isClosed = true;
    called ||= input !== undefined;
    if (input === undefined) malformed ??= { name, arguments: written };
    steps.close(index, input && { type: 'function_call', id, name, arguments: input });
  }

  return {
    add(delta) {
      // Only functions have a step in this API.
      if (delta.custom !== undefined) return;
      const call = callAt(delta);
      if (delta.extra_content !== undefined) keepExtra(call.id, delta.extra_content);
      // Of arguments that are whole only blanks can follow.
      if (call.isClosed) return;
      const { name = '', arguments: piece = '' } = delta.function ?? {};
      call.pieces.push(piece);
      call.end.add(piece);
      if (call.index !== undefined) send(call.index, piece);
      else {
        call.name += name;
        if (call.name !== '') open(call);
      }
      if (call.index !== undefined && call.end.reached()) finish(call);
    },
    close() {
      for (const call of calls.values()) if (!call.isClosed) finish(call);
    },
    called: () => called,
    malformed: () => malformed,
  };
}
