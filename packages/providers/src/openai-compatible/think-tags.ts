import type { SpokenText } from './content.ts';

const OPEN = '<think>';
const CLOSE = '</think>';

/** Content with what was thought taken out of it; members are missing where nothing was said. */
export type Split = Partial<SpokenText>;

/** Takes `<think>…</think>` off the front of a text that comes in pieces, wherever they are cut. */
export interface ThinkSplitter {
  push(piece: string): Split;
  /** What was held back because it might have become a tag. */
  flush(): Split;
}

/** Blanks in front of an answer that are waited through for a tag. */
const MOST_BLANKS = 1_000;

/**
 * Tags count only before the first word of the answer, where models print them: an answer that speaks of tags keeps its
 * words. Blanks around the tags belong to them.
 */
export function createThinkSplitter(): ThinkSplitter {
  let state: 'before' | 'thinking' | 'answering' = 'before';
  let held = '';
  let anyTag = false;
  let anyThought = false;
  let said = { content: '', reasoning: '' };

  /** Reads what is held up to the next turn; true where one was taken and there is more to read. */
  function advance(): boolean {
    if (state === 'before') return lookForTag();
    if (state === 'thinking') return think();
    said.content += held;
    held = '';
    return false;
  }

  function lookForTag(): boolean {
    const start = held.trimStart();
    const blanks = held.length - start.length;
    if (OPEN.startsWith(start) && blanks <= MOST_BLANKS) return false;
    const tagged = start.startsWith(OPEN) && blanks <= MOST_BLANKS;
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
    said.reasoning += held.slice(0, upTo);
    held = held.slice(closed ? end + CLOSE.length : upTo);
    if (closed) state = 'before';
    return closed;
  }

  function take(): Split {
    const reasoning = anyThought ? said.reasoning : said.reasoning.trimStart();
    const { content } = said;
    anyThought ||= reasoning !== '';
    said = { content: '', reasoning: '' };
    return { ...textMember('reasoning', reasoning), ...textMember('content', content) };
  }

  return {
    push(piece) {
      held += piece;
      while (advance());
      return take();
    },
    flush() {
      if (state === 'thinking') said.reasoning += held;
      else said.content += anyTag ? held.trimStart() : held;
      held = '';
      return take();
    },
  };
}

/** What was spoken, its content replaced by what was split out of it. */
export const withSplit = ({ reasoning }: SpokenText, split: Split): SpokenText => ({
  content: split.content,
  reasoning: split.reasoning === undefined ? reasoning : (reasoning ?? '') + split.reasoning,
});

/** A whole text at once. */
export function splitThinking(text: string): Split {
  const splitter = createThinkSplitter();
  const { content = '', reasoning = '' } = splitter.push(text);
  const rest = splitter.flush();
  return {
    ...textMember('reasoning', reasoning + (rest.reasoning ?? '')),
    ...textMember('content', content + (rest.content ?? '')),
  };
}

/** How many characters at the end may be the beginning of the closing tag. */
function startOfTag(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  }
  return 0;
}

const textMember = (name: keyof Split, text: string): Split => (text === '' ? {} : { [name]: text });
