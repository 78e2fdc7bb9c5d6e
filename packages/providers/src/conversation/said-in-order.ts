import { finiteNumber, items, members } from '../read.ts';
import type { EarlierCall } from './calls.ts';
import type { AssistantTurn } from './conversation.ts';

/** A text of an answer in the form of its vendor, which may have more members. */
interface SaidText {
  text: string;
}

/** `index`: the place of the call among the calls. */
type SaidPiece<Text extends SaidText> =
  | { kind: 'text'; text: Text }
  | { kind: 'call'; call: EarlierCall; index: number };

type Said = Pick<AssistantTurn, 'calls' | 'message'>;

/**
 * The texts and calls of an earlier answer in the order in which the model wrote them: the texts first, unless
 * `content_order` says otherwise. `texts` are those of the content, empty ones too.
 */
export const saidInOrder = <Text extends SaidText>(turn: Said, texts: readonly Text[]): SaidPiece<Text>[] =>
  notedOrder(turn, texts) ?? [
    ...texts.map((text) => ({ kind: 'text' as const, text })),
    ...turn.calls.map((call, index) => ({ kind: 'call' as const, call, index })),
  ];

/** `undefined` if there is no order, or the answer was changed since. A client may send anything. */
function notedOrder<Text extends SaidText>(
  { message, calls }: Said,
  texts: readonly Text[],
): SaidPiece<Text>[] | undefined {
  const order = items(message.content_order).map(members);
  if (order.length === 0) return undefined;
  const cut = createTextCutter(texts);
  const called = new Set<number>();
  const pieces: SaidPiece<Text>[] = [];
  for (const { type, length, index } of order) {
    if (type === 'text') for (const text of cut.next(finiteNumber(length) ?? 0)) pieces.push({ kind: 'text', text });
    if (type !== 'tool_call') continue;
    const place = finiteNumber(index) ?? -1;
    const call = calls[place];
    if (call === undefined || called.has(place)) return undefined;
    called.add(place);
    pieces.push({ kind: 'call', call, index: place });
  }
  return called.size === calls.length && cut.isAtEnd() ? pieces : undefined;
}

/** Cuts texts where the pieces of their answer end. */
function createTextCutter<Text extends SaidText>(texts: readonly Text[]) {
  let place = 0;
  let from = 0;
  let isMissing = false;
  return {
    next(length: number): Text[] {
      const taken: Text[] = [];
      let left = length;
      for (let text = texts[place]; left > 0 && text !== undefined; text = texts[place]) {
        const said = text.text.slice(from, from + left);
        taken.push({ ...text, text: said });
        left -= said.length;
        from += said.length;
        if (from < text.text.length) break;
        place += 1;
        from = 0;
      }
      isMissing ||= left > 0;
      return taken;
    },
    isAtEnd: (): boolean => !isMissing && texts.slice(place).every(({ text }) => text.length === from),
  };
}
