import { randomUUID } from 'node:crypto';
import type { ServedImages } from '@tallyport/dispatch';
import { metadataOf, servedModel } from '@tallyport/serving';
import {
  type AnswerDocument,
  type AnswerImage,
  type AnswerMetadata,
  type ChatChunk,
  type ChatCompletion,
  type ChunkDelta,
  type ChunkEvent,
  documentOf,
  type LongStrings,
  imageChunkEvent,
  longStrings,
  type Usage,
} from '@tallyport/wire';
import type { ServedChat } from '../answer/served-chat.ts';
import type { UsageView } from '../answer/usage-view.ts';

/** The images made for a chat. */
export interface ImageChatAnswer {
  readonly served: ServedChat;
  /** Unix seconds. */
  readonly created: number;
  readonly made: ServedImages;
  readonly usage: Usage;
  /** Set if a provider made another size than the requested one. */
  readonly sizes: Pick<AnswerMetadata, 'images'>;
}

/** The whole answer; images remain the provider's bytes, uncopied. */
export function imageCompletion(answer: ImageChatAnswer): AnswerDocument {
  const { served, created, made, usage, sizes } = answer;
  const { images, strings } = answerImages(made);
  const message = { role: 'assistant' as const, content: made.text ?? '', refusal: null, images };
  const completion: ChatCompletion = {
    id: served.completionId,
    object: 'chat.completion',
    created,
    model: servedModel(served),
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage,
    metadata: { ...metadataOf(served, made.routing), ...sizes },
  };
  return documentOf(completion, strings);
}

/** The answer as the events of a stream; each image has its own. */
export function* imageChatEvents(answer: ImageChatAnswer, view: UsageView): Generator<ChunkEvent> {
  const { served, made, usage, sizes } = answer;
  const { images, strings } = answerImages(made);
  const say = (delta: ChunkDelta) => chunkOf(answer, { choices: [{ index: 0, delta, finish_reason: null }] });
  const finish = {
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' as const }],
    metadata: { ...metadataOf(served, made.routing), ...sizes },
  };
  const chunks = [
    say({ role: 'assistant', content: made.text ?? '' }),
    ...images.map((image) => say({ images: [image] })),
    chunkOf(answer, finish),
    ...(view.isIncluded ? [chunkOf(answer, { choices: [], usage })] : []),
  ];
  for (const chunk of chunks) yield imageChunkEvent({ ...view.before, ...chunk }, strings);
}

function chunkOf(
  { served, created }: ImageChatAnswer,
  reported: Pick<ChatChunk, 'choices' | 'metadata' | 'usage'>,
): ChatChunk {
  return {
    id: served.completionId,
    object: 'chat.completion.chunk',
    created,
    model: servedModel(served),
    ...reported,
  };
}

function answerImages({ images: made }: ServedImages): { images: AnswerImage[]; strings: LongStrings } {
  const strings = longStrings(
    randomUUID(),
    made.map(({ base64 }) => base64),
  );
  const placeholders = [...strings.byPlaceholder.keys()];
  const images = made.map(({ type, extraContent }, index) => ({
    type: 'image_url' as const,
    image_url: { url: `data:${type};base64,${placeholders[index]}` },
    index,
    ...(extraContent && { extra_content: extraContent }),
  }));
  return { images, strings };
}
