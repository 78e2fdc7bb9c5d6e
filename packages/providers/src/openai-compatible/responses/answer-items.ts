import type { Annotation, ChunkDelta, ToolCallDelta } from '@tallyport/wire';
import { generatedCallId } from '../../generated-call-id.ts';
import { finiteNumber, items, type Members, members, text } from '../../read.ts';
import { type SealedThought, sealedThought } from './sealed-thoughts.ts';

interface OpenCall {
  index: number;
  kind: 'function' | 'custom';
}

/** An item of the output while it streams. */
interface OpenItem {
  call: OpenCall | undefined;
  /** Whether anything of it was streamed, so that its end must not repeat it. */
  isSaid: boolean;
}

/** The items of one response, as the pieces of a chat. */
interface AnswerItems {
  read(event: Members): ChunkDelta[];
  /** Reasoning that nothing followed. */
  rest(): ChunkDelta[];
  called(): boolean;
}

interface AnswerItemsOptions {
  vendorId: string;
  completionId: string;
}

export function createAnswerItems({ vendorId, completionId }: AnswerItemsOptions): AnswerItems {
  const open = new Map<number, OpenItem>();
  /** Reasoning that has ended, until the item that it led to begins. */
  let waiting: SealedThought[] = [];
  let [calls, thoughts] = [0, 0];

  function ledTo(callId: string | undefined): ChunkDelta[] {
    if (waiting.length === 0) return [];
    const reasoning_details = waiting.map((each) => (callId === undefined ? each : { ...each, leads_to: callId }));
    waiting = [];
    return [{ reasoning_details }];
  }

  function begin(place: number, item: Members): ChunkDelta[] {
    const kind = kindOf(item);
    const call = kind === undefined ? undefined : { index: calls, kind };
    open.set(place, { call, isSaid: false });
    if (item.type === 'reasoning') return [];
    if (call === undefined) return ledTo(undefined);
    const id = text(item.call_id) ?? generatedCallId(completionId, calls);
    calls += 1;
    const name = text(item.name) ?? '';
    return [...ledTo(id), { tool_calls: [{ id, type: call.kind, ...inputOf(call, '', name) }] }];
  }

  function end(place: number, item: Members): ChunkDelta[] {
    const begun = open.has(place) ? [] : begin(place, item);
    const { call, isSaid = false } = open.get(place) ?? {};
    const thought = item.type === 'reasoning' ? sealedThought(item, vendorId, thoughts++) : undefined;
    if (thought !== undefined) waiting.push(thought);
    const said = isSaid ? [] : wholeOf(item, call);
    return [...begun, ...said];
  }

  function piece(event: Members): ChunkDelta[] {
    const item = open.get(placeOf(event));
    const said = text(event.delta);
    const delta = said === undefined ? undefined : deltaOf(event, said, item?.call);
    if (item !== undefined && delta !== undefined) item.isSaid = true;
    return delta === undefined ? [] : [delta];
  }

  return {
    read(event) {
      switch (event.type) {
        case 'response.output_item.added':
          return begin(placeOf(event), members(event.item));
        case 'response.output_item.done':
          return end(placeOf(event), members(event.item));
        case 'response.output_text.annotation.added':
          return annotated([event.annotation]);
        case 'response.reasoning_summary_part.added':
          return (finiteNumber(event.summary_index) ?? 0) > 0 ? [{ reasoning_content: paragraph }] : [];
        default:
          return piece(event);
      }
    },
    rest: () => ledTo(undefined),
    called: () => calls > 0,
  };
}

const paragraph = '\n\n';

const placeOf = ({ output_index: place }: Members): number => finiteNumber(place) ?? -1;

function kindOf({ type }: Members): OpenCall['kind'] | undefined {
  if (type === 'function_call') return 'function';
  return type === 'custom_tool_call' ? 'custom' : undefined;
}

function inputOf({ index, kind }: OpenCall, input: string, name?: string): ToolCallDelta {
  const named = name === undefined ? {} : { name };
  return kind === 'custom'
    ? { index, custom: { ...named, input } }
    : { index, function: { ...named, arguments: input } };
}

function deltaOf({ type }: Members, said: string, call: OpenCall | undefined): ChunkDelta | undefined {
  switch (type) {
    case 'response.output_text.delta':
      return { content: said };
    case 'response.refusal.delta':
      return { refusal: said };
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return { reasoning_content: said };
    case 'response.function_call_arguments.delta':
    case 'response.custom_tool_call_input.delta':
      return call && { tool_calls: [inputOf(call, said)] };
    default:
      return undefined;
  }
}

/** An item that arrived in one piece. */
function wholeOf(item: Members, call: OpenCall | undefined): ChunkDelta[] {
  if (call !== undefined) {
    const input = text(item.arguments) ?? text(item.input) ?? (call.kind === 'function' ? '{}' : undefined);
    return input === undefined ? [] : [{ tool_calls: [inputOf(call, input)] }];
  }
  if (item.type === 'message') return items(item.content).map(members).flatMap(partOf);
  const thinking = [...items(item.summary), ...items(item.content)].flatMap((part) => text(members(part).text) ?? []);
  return item.type === 'reasoning' && thinking.length > 0 ? [{ reasoning_content: thinking.join(paragraph) }] : [];
}

const partOf = ({ text: said, refusal, annotations }: Members): ChunkDelta[] => [
  ...(text(said) === undefined ? [] : [{ content: text(said) ?? '' }]),
  ...(text(refusal) === undefined ? [] : [{ refusal: text(refusal) ?? '' }]),
  ...annotated(items(annotations)),
];

function annotated(sources: readonly unknown[]): ChunkDelta[] {
  const annotations = sources.map(members).flatMap(citationOf);
  return annotations.length === 0 ? [] : [{ annotations }];
}

function citationOf({ type, url, title, start_index: start, end_index: end }: Members): Annotation[] {
  const address = text(url);
  if (type !== 'url_citation' || address === undefined) return [];
  const place = { start_index: finiteNumber(start) ?? 0, end_index: finiteNumber(end) ?? 0 };
  return [{ type, url_citation: { ...place, url: address, title: text(title) ?? '' } }];
}
