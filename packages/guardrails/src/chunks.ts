import type { ChatChunk, ChunkChoice } from '@tallyport/wire';
import type { TextRules } from './text-rules.ts';
import { type GrowingText, type ReplacePiece, withTexts } from './chunk-texts.ts';
import { heldArguments } from './held-arguments.ts';
import { HeldText } from './held-text.ts';
import type { WrittenText } from './json-text.ts';
import type { Redaction } from './redact.ts';
import { RuleTime } from './rule-time.ts';
import { createSizeCounter } from './size.ts';

/** Redacts the chunks of one streamed chat. */
export interface ChunkGuard {
  /** The chunks to send for one that arrived. Throws `guardrail_blocked`. */
  chunk(chunk: ChatChunk): ChatChunk[];
  /** What is left at the end of a stream. Throws like `chunk`. */
  end(): ChatChunk[];
}

interface OpenText {
  of: GrowingText;
  held: WrittenText;
}

/** A long answer is searched piece by piece, a short time for each. */
const streamTime = { mostMs: 5_000, mostAtOnceMs: 200 };

/**
 * Every text of every choice is held back by itself. Another text of the same choice ends those before it, so that they
 * keep their order.
 */
export function createChunkGuard(check: TextRules, { time, ...others }: Redaction): ChunkGuard {
  const redaction = { ...others, time: time ?? new RuleTime(streamTime) };
  const open = new Map<number, Map<string, OpenText>>();
  const count = createSizeCounter(check, redaction);
  let last: ChatChunk | undefined;

  const heldText = ({ isJson }: GrowingText): WrittenText =>
    isJson === true ? heldArguments({ ...redaction, check, count }) : new HeldText({ ...redaction, check });

  const replacer =
    (texts: Map<string, OpenText>): ReplacePiece =>
    (of, piece) => {
      if (of.isJson !== true) count(piece);
      const text = texts.get(of.key) ?? { of, held: heldText(of) };
      if (of.isLast !== true) {
        texts.set(of.key, text);
        return text.held.push(piece);
      }
      texts.delete(of.key);
      return text.held.push(piece) + text.held.end();
    };

  /** Ends the texts of a choice, except those in `still`. */
  function flush(index: number, still: ReadonlySet<string> = new Set()): ChunkChoice[] {
    const texts = open.get(index) ?? new Map<string, OpenText>();
    return [...texts.values()].flatMap(({ of, held }) => {
      if (still.has(of.key)) return [];
      texts.delete(of.key);
      const rest = held.end();
      return rest === '' ? [] : [{ index, delta: of.delta(rest), finish_reason: null }];
    });
  }

  function choice(arrived: ChunkChoice): { before: ChunkChoice[]; now: ChunkChoice[] } {
    const { index, delta, finish_reason: reason } = arrived;
    const keys = keysOf(delta);
    const before = keys.size === 0 ? [] : flush(index, keys);
    const texts = open.get(index) ?? new Map<string, OpenText>();
    open.set(index, texts);
    const guarded = { ...arrived, delta: withTexts(delta, replacer(texts)), ...withoutLogprobs(arrived) };
    if (reason === null) return { before, now: isEmpty(guarded.delta, delta) ? [] : [guarded] };
    const started = { ...guarded, finish_reason: null };
    const says = Object.keys(guarded.delta).length === 0 ? [] : [started];
    return { before: [...before, ...says, ...flush(index)], now: [{ ...guarded, delta: {} }] };
  }

  return {
    chunk(chunk) {
      last = chunk;
      const choices = chunk.choices.map(choice);
      const before = choices.flatMap((each) => each.before).map((each) => extraChunk(chunk, each));
      const now = choices.flatMap((each) => each.now);
      if (now.length === 0 && chunk.choices.length > 0 && !chunk.usage) return before;
      return [...before, { ...chunk, choices: now }];
    },
    end() {
      const chunk = last;
      if (chunk === undefined) return [];
      return [...open.keys()].flatMap((index) => flush(index)).map((each) => extraChunk(chunk, each));
    },
  };
}

function keysOf(delta: ChunkChoice['delta']): Set<string> {
  const keys = new Set<string>();
  // The beginning of a call ends the text before it, also without arguments.
  const isCall = delta.tool_calls !== undefined || delta.function_call !== undefined;
  withTexts(delta, ({ key }, piece) => {
    if (piece !== '' || isCall) keys.add(key);
    return piece;
  });
  return keys;
}

/** They would repeat the text. */
const withoutLogprobs = ({ logprobs }: ChunkChoice) => (logprobs === undefined ? {} : { logprobs: null });

const isEmpty = (delta: object, arrived: object): boolean =>
  Object.keys(delta).length === 0 && Object.keys(arrived).length > 0;

/** Without what belongs to the end of a stream. */
function extraChunk({ usage, metadata: _metadata, ...chunk }: ChatChunk, choice: ChunkChoice): ChatChunk {
  const asked = usage === undefined ? {} : { usage: null };
  return { ...chunk, ...asked, choices: [choice] } as ChatChunk;
}
