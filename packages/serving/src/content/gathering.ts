import type { KeptTexts } from '@tallyport/contracts';
import { afterSending } from '@tallyport/service-kit';
import type { ContentPiece } from '../content-reader.ts';
import { type BoundedText, createBoundedText } from './bounded-text.ts';
import type { ContentMemory } from './content-memory.ts';

interface GatheringOptions {
  maxBytes: number;
  memory: ContentMemory;
  /** Called with the content and the memory it took, which the callee releases. */
  onDone(content: KeptTexts, bytes: number): void;
  /** Called instead if there is no memory for it, or it cannot be read. */
  onDropped(reason: 'memory' | 'unreadable', error?: unknown): void;
}

/** Gathers the content of one request. It is read after everything of the turn was sent. */
export interface Gathering {
  answer(read: () => Iterable<ContentPiece>): void;
  /** Nothing more of the answer would be kept. */
  isFull(): boolean;
  /** The answer has ended; only the first call counts. */
  end(): void;
}

export function startGathering(
  readPrompt: () => Iterable<ContentPiece>,
  { maxBytes, memory, onDone, onDropped }: GatheringOptions,
): Gathering {
  const prompt = createBoundedText(maxBytes);
  const answer = createBoundedText(maxBytes);
  let hasAnswer = false;
  let held = 0;
  let isOpen = true;

  function drop(reason: 'memory' | 'unreadable', error?: unknown): void {
    isOpen = false;
    memory.release(held);
    onDropped(reason, error);
  }

  /** Returns `false` once nothing more is kept. */
  function keep(text: BoundedText, piece: ContentPiece): boolean {
    const bytes = text.add(piece);
    if (memory.take(bytes)) held += bytes;
    else drop('memory');
    return isOpen && !text.isFull();
  }

  function gather(text: BoundedText, read: () => Iterable<ContentPiece>): void {
    afterSending(() => {
      if (!isOpen || text.isFull()) return;
      try {
        for (const piece of read()) if (!keep(text, piece)) return;
      } catch (error) {
        drop('unreadable', error);
      }
    });
  }

  gather(prompt, readPrompt);
  return {
    answer(read) {
      hasAnswer = true;
      gather(answer, read);
    },
    isFull: () => !isOpen || answer.isFull(),
    end: () =>
      afterSending(() => {
        if (!isOpen) return;
        isOpen = false;
        onDone({ prompt: prompt.text(), ...(hasAnswer && { answer: answer.text() }) }, held);
      }),
  };
}
