import type { OutputItems } from './output-items.ts';
import type { EndStatus } from './output-events.ts';

export interface OpenReasoning {
  text(delta: string): void;
  close(status: EndStatus, sealedState: string | undefined): void;
}

/** A reasoning item that is open: the thinking is its summary, which every client shows. */
export function openReasoning(items: OutputItems): OpenReasoning {
  const head = { type: 'reasoning' as const, id: items.newId('rs') };
  const place = items.open({ ...head, status: 'in_progress', summary: [] });
  const at = { ...place, summary_index: 0 };
  let text = '';

  const part = () => ({ type: 'summary_text' as const, text });

  return {
    text(delta) {
      if (text === '') items.emit('response.reasoning_summary_part.added', { ...at, part: part() });
      text += delta;
      items.emit('response.reasoning_summary_text.delta', { ...at, delta });
    },
    close(status, sealedState) {
      if (text !== '') {
        items.emit('response.reasoning_summary_text.done', { ...at, text });
        const ended = { part: part(), ...(status === 'incomplete' && { status }) };
        items.emit('response.reasoning_summary_part.done', { ...at, ...ended });
      }
      const summary = text === '' ? [] : [part()];
      const sealed = sealedState === undefined ? {} : { encrypted_content: sealedState };
      items.close(place, { ...head, status, summary, ...sealed });
    },
  };
}
