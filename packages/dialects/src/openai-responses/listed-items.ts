import type { PlainObject } from '../plain-object.ts';
import { typeOfItem } from './item-schema.ts';

/** An item as the API lists it: with an id, and its content as parts. It may be of any kind. */
export type ListedItem = PlainObject & { id: string };

const idPrefixes: Readonly<Record<string, string>> = {
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

export const listedItems = (items: readonly PlainObject[], newId: () => string): ListedItem[] =>
  items.map((item) => ({
    status: 'completed',
    ...withParts({ ...item, type: typeOfItem(item) }),
    id: typeof item.id === 'string' && item.id !== '' ? item.id : `${prefixOf(item)}_${newId()}`,
  }));

function prefixOf(item: PlainObject): string {
  const type = String(typeOfItem(item));
  return (Object.hasOwn(idPrefixes, type) ? idPrefixes[type] : undefined) ?? 'item';
}

function withParts(item: PlainObject): PlainObject {
  if (item.type !== 'message' || typeof item.content !== 'string') return item;
  const text = item.content;
  if (item.role === 'assistant') return { ...item, content: [{ type: 'output_text', text, annotations: [] }] };
  return { ...item, content: [{ type: 'input_text', text }] };
}
