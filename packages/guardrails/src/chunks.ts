import type { ChatChunk, ChunkChoice } from '@tallyport/wire';
import type { TextRules } from './text-rules.ts';
import { ChoiceTexts } from './choice-texts.ts';
import { type GrowingText, type ReplacePiece, withTexts } from './chunk-texts.ts';
import { redactDocument } from './document.ts';
import { heldArguments } from './held-arguments.ts';
import { HeldText } from './held-text.ts';
import type { WrittenText } from './json-text.ts';
import type { Redaction } from './redact.ts';
import { RuleTime, streamTime } from './rule-time.ts';
import { createSizeCounter } from './size.ts';
import { createCountedGuard } from './texts.ts';

/** Redacts the chunks of one streamed chat. */
export interface ChunkGuard {
  /** The chunks to send for one that arrived. Throws `guardrail_blocked`. */
  chunk(chunk: ChatChunk): ChatChunk[];
  /** What is left at the end of a stream. Throws like `chunk`. */
  end(): ChatChunk[];
}

/**
 * Every text of every choice is held back by itself. Another text of the same choice ends those before it, so that they
 * keep their order; what goes on later is still the same text.
 */
export function createChunkGuard(check: TextRules, { time, ...others }: Redaction): ChunkGuard {
  const redaction = { ...others, time: time ?? new RuleTime(streamTime) };
  const choices = new Map<number, ChoiceTexts>();
  const count = createSizeCounter(check, redaction);
  const guard = createCountedGuard(count, check, redaction);
  const whole = (member: unknown): unknown => redactDocument(member, guard);
  let last: ChatChunk | undefined;

  const heldText = ({ isJson }: GrowingText): WrittenText =>
    isJson === true ? heldArguments({ ...redaction, check, count }) : new HeldText({ ...redaction, check });

  function textsOf(index: number): ChoiceTexts {
    const texts = choices.get(index) ?? new ChoiceTexts(index, heldText);
    choices.set(index, texts);
    return texts;
  }

  function choice(arrived: ChunkChoice): { before: ChunkChoice[]; now: ChunkChoice[] } {
    const { index, delta, finish_reason: reason } = arrived;
    const texts = textsOf(index);
    const keys = keysOf(delta);
    const before = keys.size === 0 ? [] : texts.end(keys);
    const replace: ReplacePiece = (of, piece) => {
      if (of.isJson !== true) count(piece);
      return texts.push(of, piece);
    };
    const guarded = { ...arrived, delta: withTexts(delta, replace, whole), ...withoutLogprobs(arrived) };
    if (reason === null) return { before, now: isEmpty(guarded.delta, delta) ? [] : [guarded] };
    const started = { ...guarded, finish_reason: null };
    const says = Object.keys(guarded.delta).length === 0 ? [] : [started];
    return { before: [...before, ...says, ...texts.end()], now: [{ ...guarded, delta: {} }] };
  }

  return {
    chunk(chunk) {
      last = chunk;
      const guarded = chunk.choices.map(choice);
      const before = guarded.flatMap((each) => each.before).map((each) => extraChunk(chunk, each));
      const now = guarded.flatMap((each) => each.now);
      if (now.length === 0 && chunk.choices.length > 0 && !chunk.usage) return before;
      return [...before, { ...chunk, choices: now }];
    },
    end() {
      const chunk = last;
      if (chunk === undefined) return [];
      return [...choices.values()].flatMap((texts) => texts.end()).map((each) => extraChunk(chunk, each));
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
