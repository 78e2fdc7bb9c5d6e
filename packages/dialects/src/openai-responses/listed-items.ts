import type { ResponsesItem } from './item-schema.ts';

/** An item as the API lists it: with an id, and its content as parts. */
export type ListedItem = ResponsesItem & { id: string };

const idPrefixes: Record<ResponsesItem['type'], string> = {
  additional_tools: 'at',
  configuration_update: 'cu',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
  function_call: 'fc',
  function_call_output: 'fco',
  image_generation_call: 'ig',
  message: 'msg',
  reasoning: 'rs',
  tool_search_call: 'tsc',
  tool_search_output: 'tso',
};

export const listedItems = (items: readonly ResponsesItem[], newId: () => string): ListedItem[] =>
  items.map((item) => ({
    status: 'completed',
    ...withParts(item),
    id: typeof item.id === 'string' && item.id !== '' ? item.id : `${idPrefixes[item.type]}_${newId()}`,
  }));

function withParts(item: ResponsesItem): ResponsesItem {
  if (item.type !== 'message' || typeof item.content !== 'string') return item;
  const text = item.content;
  if (item.role === 'assistant') return { ...item, content: [{ type: 'output_text', text, annotations: [] }] };
  return { ...item, content: [{ type: 'input_text', text }] };
}
