import type {
  OutputCitation,
  OutputLogprob,
  OutputPart,
  ResponsesItemStatus,
  ResponsesOutputItem,
} from './output-types.ts';
import type { ResponsesResponse } from './response.ts';

/** Where an item is; every event about it says so. */
export interface ItemPlace {
  item_id: string;
  output_index: number;
}

interface PartPlace extends ItemPlace {
  content_index: number;
}

interface SummaryPlace extends ItemPlace {
  summary_index: number;
}

interface ItemEvent {
  output_index: number;
  item: ResponsesOutputItem;
}

interface SummaryPart {
  type: 'summary_text';
  text: string;
}

/** The members of each event beside its type and its number. */
export interface ResponsesEvents {
  'response.created': { response: ResponsesResponse };
  'response.in_progress': { response: ResponsesResponse };
  'response.completed': { response: ResponsesResponse };
  'response.incomplete': { response: ResponsesResponse };
  'response.failed': { response: ResponsesResponse };
  'response.output_item.added': ItemEvent;
  'response.output_item.done': ItemEvent;
  'response.content_part.added': PartPlace & { part: OutputPart };
  'response.content_part.done': PartPlace & { part: OutputPart };
  'response.output_text.delta': PartPlace & { delta: string; logprobs: OutputLogprob[] };
  'response.output_text.done': PartPlace & { text: string; logprobs: OutputLogprob[] };
  'response.output_text.annotation.added': PartPlace & { annotation_index: number; annotation: OutputCitation };
  'response.refusal.delta': PartPlace & { delta: string };
  'response.refusal.done': PartPlace & { refusal: string };
  'response.reasoning_summary_part.added': SummaryPlace & { part: SummaryPart };
  'response.reasoning_summary_part.done': SummaryPlace & { part: SummaryPart; status?: 'incomplete' };
  'response.reasoning_summary_text.delta': SummaryPlace & { delta: string };
  'response.reasoning_summary_text.done': SummaryPlace & { text: string };
  'response.function_call_arguments.delta': ItemPlace & { delta: string };
  'response.function_call_arguments.done': ItemPlace & { name: string; arguments: string };
  'response.custom_tool_call_input.delta': ItemPlace & { delta: string };
  'response.custom_tool_call_input.done': ItemPlace & { input: string };
  'response.image_generation_call.in_progress': ItemPlace;
  'response.image_generation_call.generating': ItemPlace;
  'response.image_generation_call.completed': ItemPlace;
}

/** Sends one event of a stream. */
export type EmitEvent = <Type extends keyof ResponsesEvents>(type: Type, members: ResponsesEvents[Type]) => void;

/** How an item ends. */
export type EndStatus = Exclude<ResponsesItemStatus, 'in_progress'>;
