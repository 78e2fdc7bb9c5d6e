import { ChunkPortion, guardAnswer } from '@tallyport/guardrails';
import {
  type AnswerEvent,
  type ChatChunk,
  type ChunkEvent,
  chunkEvent,
  type DocumentEvent,
  documentEvent,
} from '@tallyport/wire';
import type { StreamSource } from '../stream/stream-body.ts';
import { guardDocument } from './guard-document.ts';
import { notInspected } from './guarded-source.ts';
import type { InspectTexts, TextQuestion } from './inspect-texts.ts';
import { replacedSource, type Replacement } from './replaced-source.ts';

/** The question about a stream, without its texts. */
type StreamQuestion = Omit<TextQuestion, 'before' | 'texts'>;

interface Inspection {
  inspect: InspectTexts;
  question: StreamQuestion;
  /** Called before the provider of a blocked stream is left. */
  onFailure(thrown: unknown): void;
  /** Called once, at the end of the stream or when it is left. */
  onEnd(): void;
}

/** Chunks without texts, such as those of audio, are not held back beyond this. */
const mostHeldBytes = 1024 * 1024;
/** How much of the text that was sent is seen again, to find what began there. */
const mostBefore = 500;

/**
 * The events of a source after webhooks and models: a portion of the texts is held back until they decide about it, and the
 * source is not read meanwhile. The end of a choice ends a portion. If the source fails, the texts held back are decided
 * about first.
 */
export function inspectedSource(source: StreamSource, inspection: Inspection): StreamSource {
  const { question, onFailure, onEnd } = inspection;
  return replacedSource(source, {
    replace: portionsOf(inspection),
    onFailure: (thrown) => {
      if (!question.signal.aborted) onFailure(thrown);
    },
    onEnd,
  });
}

/** What may be sent after some events of a stream; at its end, what is left. */
function portionsOf({ inspect, question }: Inspection): Replacement['replace'] {
  const { webhooks, decisions } = question.asked;
  const mostCharacters = Math.max(...[...webhooks, ...decisions].map(({ portion }) => portion));
  const sent = new Map<string, string>();
  let portion = new ChunkPortion();
  let heldBytes = 0;

  /** The chunks of the portion, once it is decided about. */
  async function release(): Promise<AnswerEvent[]> {
    const held = portion;
    portion = new ChunkPortion();
    heldBytes = 0;
    const texts = held.texts();
    const names = [...texts.keys()];
    const before = names.map((name) => sent.get(name) ?? '');
    const decided = await inspect({ ...question, texts: [...texts.values()], before });
    const after = new Map(names.map((name, at) => [name, decided[at] ?? '']));
    for (const [name, text] of after) sent.set(name, `${sent.get(name) ?? ''}${text}`.slice(-mostBefore));
    const replaced = new Map([...after].filter(([name, text]) => text !== texts.get(name)));
    return held.chunks(replaced).map(chunkEvent);
  }

  async function inspectChunk({ chunk, bytes }: ChunkEvent): Promise<AnswerEvent[]> {
    portion.add(chunk);
    heldBytes += bytes.length;
    const isFull = portion.characters >= mostCharacters || heldBytes >= mostHeldBytes;
    return isFull || endsChoice(chunk) ? release() : [];
  }

  /** Events of images are whole, and in order with the chunks. */
  async function inspectEvent({ name, document }: DocumentEvent): Promise<AnswerEvent[]> {
    const first = await release();
    const event = document.value() as object;
    return [
      ...first,
      documentEvent(name, await guardDocument(inspect, { document: event, walk: guardAnswer }, question)),
    ];
  }

  function replace(event: AnswerEvent): Promise<AnswerEvent[]> {
    if (event.kind === 'passed') throw notInspected();
    return event.kind === 'chunk' ? inspectChunk(event) : inspectEvent(event);
  }

  return async (events) => {
    if (events === undefined) return release();
    const output: AnswerEvent[] = [];
    for (const event of events) output.push(...(await replace(event)));
    return output;
  };
}

const endsChoice = ({ choices }: ChatChunk): boolean => choices.some(({ finish_reason: reason }) => reason !== null);
