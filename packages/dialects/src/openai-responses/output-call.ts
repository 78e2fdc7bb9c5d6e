import { parseExactJson } from '@tallyport/wire';
import { inputOfArguments } from './custom-input.ts';
import type { EndStatus } from './output-events.ts';
import type { OutputItems } from './output-items.ts';
import type { OutputCustomCall } from './output-types.ts';
import type { ToolTarget } from './tool-names.ts';

export interface OpenCall {
  /** More of what the model writes as the input of the call. */
  input(delta: string): void;
  close(status: EndStatus): void;
}

interface CallHead {
  callId: string;
  target: ToolTarget;
  /** What the model writes is JSON with the text of a custom tool in it, see customParameters. */
  isWrapped: boolean;
}

/** A call that is open, of the kind of its tool. */
export function openCall(items: OutputItems, head: CallHead): OpenCall {
  switch (head.target.kind) {
    case 'function':
      return openFunctionCall(items, head);
    case 'custom':
      return openCustomCall(items, head);
    case 'tool_search':
      return openSearch(items, head);
    default:
      return head.target.kind satisfies never;
  }
}

function openFunctionCall(items: OutputItems, { callId, target }: CallHead): OpenCall {
  const head = { type: 'function_call' as const, id: items.newId('fc'), call_id: callId, ...namesOf(target) };
  const place = items.open({ ...head, status: 'in_progress', arguments: '' });
  let written = '';

  return {
    input(delta) {
      if (delta === '') return;
      written += delta;
      items.emit('response.function_call_arguments.delta', { ...place, delta });
    },
    close(status) {
      const done = { name: target.name, arguments: written };
      items.emit('response.function_call_arguments.done', { ...place, ...done });
      items.close(place, { ...head, status, arguments: written });
    },
  };
}

/** Wrapped text is sent when it is complete: a piece of JSON text is no piece of the text in it. */
function openCustomCall(items: OutputItems, { callId, target, isWrapped }: CallHead): OpenCall {
  const head = { type: 'custom_tool_call' as const, id: items.newId('ctc'), call_id: callId, ...namesOf(target) };
  const open = (status: OutputCustomCall['status'], input: string) => ({ ...head, status, input });
  const place = items.open(open('in_progress', ''));
  let written = '';

  const send = (delta: string) => {
    if (delta !== '') items.emit('response.custom_tool_call_input.delta', { ...place, delta });
  };

  return {
    input(delta) {
      written += delta;
      if (!isWrapped) send(delta);
    },
    close(status) {
      const input = isWrapped ? inputOfArguments(written) : written;
      if (isWrapped) send(input);
      items.emit('response.custom_tool_call_input.done', { ...place, input });
      items.close(place, open(status, input));
    },
  };
}

/** The API has no events for the pieces of its arguments. */
function openSearch(items: OutputItems, { callId }: CallHead): OpenCall {
  const head = {
    type: 'tool_search_call' as const,
    id: items.newId('tsc'),
    call_id: callId,
    execution: 'client' as const,
  };
  const place = items.open({ ...head, status: 'in_progress', arguments: {} });
  let written = '';

  return {
    input(delta) {
      written += delta;
    },
    close(status) {
      items.close(place, { ...head, status, arguments: parsedOr(written) });
    },
  };
}

/** Models make mistakes: arguments that are no JSON are shown as they are. */
function parsedOr(text: string): unknown {
  try {
    return parseExactJson(text === '' ? '{}' : text);
  } catch {
    return text;
  }
}

const namesOf = ({ name, namespace }: ToolTarget) => ({ name, ...(namespace !== undefined && { namespace }) });
