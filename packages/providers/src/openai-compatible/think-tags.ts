import type { AnswerText } from './content.ts';

const OPEN = '<think>';
const CLOSE = '</think>';

/** Content separated from thinking; members are missing if they would be empty. */
type Split = Partial<AnswerText>;

/** Extracts `<think>…</think>` from the beginning of a text that arrives in pieces. */
export interface ThinkSplitter {
  push(piece: string): Split;
  /** Returns the text held back because it might have become a tag. */
  flush(): Split;
}

/** The maximum whitespace before an answer in which a tag is still expected. */
const MAX_WHITESPACE = 1_000;

/**
 * Tags are recognized only before the first word of the answer, so that an answer about tags keeps its text. Whitespace
 * around the tags is removed with them.
 */
export function createThinkSplitter(): ThinkSplitter {
  let state: 'before' | 'thinking' | 'answering' = 'before';
  let held = '';
  let anyTag = false;
  let anyThought = false;
  let pending = { content: '', reasoning: '' };

  /** Processes the held text up to the next change of state; returns true if there is more to process. */
  function advance(): boolean {
    if (state === 'before') return lookForTag();
    if (state === 'thinking') return think();
    pending.content += held;
    held = '';
    return false;
  }

  function lookForTag(): boolean {
    const start = held.trimStart();
    const blanks = held.length - start.length;
    if (OPEN.startsWith(start) && blanks <= MAX_WHITESPACE) return false;
    const tagged = start.startsWith(OPEN) && blanks <= MAX_WHITESPACE;
    state = tagged ? 'thinking' : 'answering';
    anyTag ||= tagged;
    if (tagged) held = start.slice(OPEN.length);
    else if (anyTag) held = start;
    return true;
  }

  function think(): boolean {
    const end = held.indexOf(CLOSE);
    const closed = end !== -1;
    const upTo = closed ? end : held.length - startOfTag(held);
    pending.reasoning += held.slice(0, upTo);
    held = held.slice(closed ? end + CLOSE.length : upTo);
    if (closed) state = 'before';
    return closed;
  }

  function take(): Split {
    const reasoning = anyThought ? pending.reasoning : pending.reasoning.trimStart();
    const { content } = pending;
    anyThought ||= reasoning !== '';
    pending = { content: '', reasoning: '' };
    return { ...textMember('reasoning', reasoning), ...textMember('content', content) };
  }

  return {
    push(piece) {
      held += piece;
      while (advance());
      return take();
    },
    flush() {
      if (state === 'thinking') pending.reasoning += held;
      else pending.content += anyTag ? held.trimStart() : held;
      held = '';
      return take();
    },
  };
}

/** Replaces the content with its visible part and adds the extracted thinking. */
export const withSplit = ({ reasoning }: AnswerText, split: Split): AnswerText => ({
  content: split.content,
  reasoning: split.reasoning === undefined ? reasoning : (reasoning ?? '') + split.reasoning,
});

/** Splits a whole text. */
export const splitThinking = (text: string): Split => pushLast(createThinkSplitter(), text);

/** Splits a piece of text that nothing of its kind follows, and returns what was held back with it. */
export function pushLast(splitter: ThinkSplitter, piece: string): Split {
  const { content = '', reasoning = '' } = splitter.push(piece);
  const rest = splitter.flush();
  return {
    ...textMember('reasoning', reasoning + (rest.reasoning ?? '')),
    ...textMember('content', content + (rest.content ?? '')),
  };
}

/** The length of the longest prefix of the closing tag at the end of the text. */
function startOfTag(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  }
  return 0;
}

const textMember = (name: keyof Split, text: string): Split => (text === '' ? {} : { [name]: text });
