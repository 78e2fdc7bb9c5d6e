import { GatewayError } from '@switchyard/contracts';
import { type ChatChunk, type ChunkChoice, type Frame, frameText, type Usage } from '@switchyard/wire';
import type { StreamTranslator } from '../provider.ts';
import { createChoiceStreams } from './choice-streams.ts';
import { faultIn, openAiFault, unreadable } from './error.ts';
import { isMembers, type Members, finiteNumber, others, text } from '../read.ts';
import { createSourceStream } from './sources.ts';
import { openAiUsage } from './usage.ts';
import type { AnswerContext } from './vendor.ts';

/** A frame too many that cannot be read: one is an accident, many are another protocol. */
const MOST_SKIPPED = 10;

/** `obfuscation` hides lengths on one connection only: it is padding of the upstream's leg. */
const known = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'error', 'metadata', 'obfuscation']);

export function createOpenAiStream(context: AnswerContext): StreamTranslator {
  const { vendor } = context;
  const choices = createChoiceStreams(context);
  const withSources = vendor.quirks.sources === 'answer' ? createSourceStream() : undefined;
  let head: Pick<ChatChunk, 'id' | 'object' | 'created' | 'model'> | undefined;
  let usage: Usage | undefined;
  let skipped = 0;
  let done = false;
  let closed = false;

  function skip(frame: Frame): ChatChunk[] {
    skipped += 1;
    if (skipped > MOST_SKIPPED) throw unreadable(vendor, `${skipped} frames of the stream are not JSON objects.`);
    if (frame.event === 'error') throw openAiFault(frameText(frame), vendor);
    return [];
  }

  function translate(body: Members): ChatChunk[] {
    usage = openAiUsage(body, vendor.quirks) ?? usage;
    const said = choices.read(withSources?.(body) ?? body);
    if (said.length === 0) return [];
    head ??= headOf(body, context);
    return chunksOf(said, head, others(body, known));
  }

  /** What stands at the end of every stream, once: ends the vendor left out, then the usage. */
  function close(): ChatChunk[] {
    if (closed) return [];
    closed = true;
    if (head === undefined) throw unreadable(vendor, 'The stream ended without an answer.');
    return [...chunksOf(choices.finish(), head, {}), ...(usage === undefined ? [] : [{ ...head, choices: [], usage }])];
  }

  return {
    frame(frame) {
      if (done) return [];
      if (isDone(frame.data)) {
        done = true;
        return close();
      }
      const body = parse(frame);
      if (body === undefined) return skip(frame);
      const fault = frame.event === 'error' ? openAiFault(body, vendor) : faultIn(body, vendor);
      if (fault !== undefined) throw fault;
      return translate(body);
    },
    end() {
      if (!done && !choices.finished()) throw truncated(vendor.id);
      return close();
    },
    finished: () => done || choices.finished(),
    done: () => done,
    usage: () => usage,
    skipped: () => skipped,
  };
}

const truncated = (id: string): GatewayError =>
  new GatewayError('stream_truncated', `${id} ended the stream before the answer was complete.`, {
    domain: 'provider',
  });

/** The same id and time in every chunk, whatever the vendor does; the first chunk decides. */
const headOf = (body: Members, { completionId, created, offer }: AnswerContext) => ({
  id: text(body.id) ?? completionId,
  object: 'chat.completion.chunk' as const,
  created: Math.trunc(finiteNumber(body.created) ?? created),
  model: text(body.model) ?? offer.modelName,
});

/** A chunk for each thing said. Choices that spoke in the same frame need not share one: clients go by the index. */
const chunksOf = (
  said: ChunkChoice[],
  head: Pick<ChatChunk, 'id' | 'object' | 'created' | 'model'>,
  rest: Record<string, unknown>,
): ChatChunk[] => said.map((choice) => ({ ...head, choices: [choice], ...rest }));

function parse(frame: Frame): Members | undefined {
  try {
    const value: unknown = JSON.parse(frameText(frame));
    return isMembers(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `[DONE]`, with or without blanks around it. */
function isDone(data: Buffer): boolean {
  return data[0] === 0x5b || data[0] === 0x20 ? data.length < 32 && data.toString('latin1').trim() === '[DONE]' : false;
}
