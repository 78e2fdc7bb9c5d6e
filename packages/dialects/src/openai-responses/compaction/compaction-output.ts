import type { OutputItems } from '../output-items.ts';
import type { ResponsesOutput } from '../output.ts';
import { checkedSummary, type SealSummary } from './summary.ts';

/** The output of a response that compacts its conversation: one item, made of the text that the model writes. */
export function createCompactionOutput(items: OutputItems, seal: SealSummary): ResponsesOutput {
  let text = '';
  return {
    add({ content }) {
      text += content ?? '';
    },
    /** Throws like `checkedSummary`. */
    close(isCut) {
      const sealed = seal(checkedSummary(text, isCut));
      const item = { type: 'compaction' as const, id: items.newId('cmp'), encrypted_content: sealed };
      items.close(items.open({ ...item, encrypted_content: '' }), item);
    },
  };
}
