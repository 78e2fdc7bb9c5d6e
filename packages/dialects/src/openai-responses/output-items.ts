import type { EmitEvent, ItemPlace } from './output-events.ts';
import type { ResponsesOutputItem } from './output-types.ts';

/** The output of one response while it is written. */
export interface OutputItems {
  emit: EmitEvent;
  newId(prefix: string): string;
  /** `item` holds no content yet. */
  open(item: ResponsesOutputItem): ItemPlace;
  close(place: ItemPlace, item: ResponsesOutputItem): void;
  /** In order. */
  finished(): ResponsesOutputItem[];
}

export function createOutputItems(emit: EmitEvent, newId: () => string): OutputItems {
  const items: (ResponsesOutputItem | undefined)[] = [];
  return {
    emit,
    newId: (prefix) => `${prefix}_${newId()}`,
    open(item) {
      const output_index = items.push(undefined) - 1;
      emit('response.output_item.added', { output_index, item });
      return { item_id: item.id, output_index };
    },
    close({ output_index }, item) {
      items[output_index] = item;
      emit('response.output_item.done', { output_index, item });
    },
    finished: () => items.filter((item) => item !== undefined),
  };
}
