import { createDetailFold } from '@tallyport/wire';
import { items, text } from '../read.ts';
import { keepThinking, thinkingRules } from './thinking-memory.ts';
import type { AnswerContext } from './vendor.ts';

/** The thinking of a streamed choice. */
interface Thoughts {
  add(thinking: string | undefined, details: unknown): void;
  /** Remembers all of it. */
  keep(callId: string | undefined): void;
}

/** `undefined` if this answer's thinking is not remembered. */
export function createThoughts(context: AnswerContext): Thoughts | undefined {
  const rules = context.vendor.quirks.thinkingWithCalls;
  if (rules === undefined || context.keepSignature === undefined) return undefined;
  if (thinkingRules(rules).fromThinking?.(context.call, context.offer) !== true) return undefined;
  const folded = createDetailFold();
  let whole = '';
  return {
    add(thinking, details) {
      whole += thinking ?? '';
      for (const detail of items(details)) folded.add(detail);
    },
    keep: (callId) => keepThinking({ callId, thinking: text(whole), details: folded.whole() }, rules, context),
  };
}
