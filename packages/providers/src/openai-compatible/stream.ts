import { type ChatChunk, type ChunkChoice, frameText, type Usage } from '@tallyport/wire';
import { truncatedStream, unreadableAnswer } from '../faults/broken-answer.ts';
import { createJsonFrames } from '../json-frames.ts';
import type { StreamTranslator } from '../spec/provider.ts';
import { createChoiceStreams } from './choice-streams.ts';
import { faultIn, openAiFault } from './error.ts';
import { finiteNumber, type Members, others, text } from '../read.ts';
import { namedTier } from '../service-tier.ts';
import { createSourceStream } from './sources.ts';
import { inTier, openAiUsage } from './usage.ts';
import type { AnswerContext } from './vendor.ts';

/** `obfuscation` is padding that hides lengths on the vendor's connection only. */
const known = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'error', 'metadata', 'obfuscation']);

export function createOpenAiStream(context: AnswerContext): StreamTranslator {
  const { vendor } = context;
  const choices = createChoiceStreams(context);
  const frames = createJsonFrames(vendor.id);
  const withSources = vendor.quirks.sources === 'answer' ? createSourceStream() : undefined;
  let head: Pick<ChatChunk, 'id' | 'object' | 'created' | 'model'> | undefined;
  let usage: Usage | undefined;
  let tier: unknown;
  let done = false;
  let closed = false;

  function translate(body: Members): ChatChunk[] {
    const fault = faultIn(body, vendor);
    if (fault !== undefined) throw fault;
    usage = openAiUsage(body, vendor.quirks) ?? usage;
    tier = body.service_tier ?? tier;
    const said = choices.read(withSources?.(body) ?? body);
    if (said.length === 0) return [];
    head ??= headOf(body, context);
    return chunksOf(said, head, others(body, known));
  }

  /** The end of every stream, once: missing finish reasons, then the usage. */
  function close(): ChatChunk[] {
    if (closed) return [];
    closed = true;
    if (head === undefined) throw unreadableAnswer(vendor.id, 'The stream ended without an answer.');
    const billed = inTier(usage, tier);
    const last = billed === undefined ? [] : [{ ...head, choices: [], usage: billed }];
    return [...chunksOf(choices.finish(), head, {}), ...last];
  }

  return {
    frame(frame) {
      if (done) return [];
      if (isDone(frame.data)) {
        done = true;
        return close();
      }
      const body = frames.read(frame);
      if (frame.event === 'error') throw openAiFault(body ?? frameText(frame), vendor);
      return body === undefined ? [] : translate(body);
    },
    end() {
      if (!done && !choices.finished()) throw truncatedStream(vendor.id);
      return close();
    },
    finished: () => done || choices.finished(),
    done: () => done,
    usage: () => inTier(usage, tier),
    tier: () => namedTier(tier),
    skipped: frames.skipped,
  };
}

/** All chunks have the same id and time, taken from the first one. */
const headOf = (body: Members, { completionId, created, offer }: AnswerContext) => ({
  id: text(body.id) ?? completionId,
  object: 'chat.completion.chunk' as const,
  created: Math.trunc(finiteNumber(body.created) ?? created),
  model: text(body.model) ?? offer.modelName,
});

/** Each choice is sent in a separate chunk, because clients go by the choice's index. */
const chunksOf = (
  said: ChunkChoice[],
  head: Pick<ChatChunk, 'id' | 'object' | 'created' | 'model'>,
  rest: Record<string, unknown>,
): ChatChunk[] => said.map((choice) => ({ ...head, choices: [choice], ...rest }));

/** `[DONE]`, with or without whitespace around it. */
function isDone(data: Buffer): boolean {
  return data[0] === 0x5b || data[0] === 0x20 ? data.length < 32 && data.toString('latin1').trim() === '[DONE]' : false;
}
