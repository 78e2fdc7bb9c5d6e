import type { RenderChunk, ServedStream } from '@tallyport/dispatch';
import { withCost } from '@tallyport/pricing';
import { metadataOf, servedModel } from '@tallyport/serving';
import type { ChatChunk } from '@tallyport/wire';
import { withCorrectLabels } from './correct-labels.ts';
import type { ReasoningView } from './reasoning-view.ts';
import type { UsageView } from './usage-view.ts';
import { type ServedChat, answerId } from './served-chat.ts';

interface ChunkOptions {
  served: ServedChat;
  stream: Pick<ServedStream, 'routing'>;
  usage: UsageView;
  reasoning: ReasoningView;
}

/** Renders chunks for the client: with our model name, `metadata` on the finish chunk, and usage only if requested. */
export function chunkRenderer({ served, stream, usage: view, reasoning }: ChunkOptions): RenderChunk {
  const model = servedModel(served);
  return (reported) => {
    const chunk = reasoning.chunk(reported);
    if (chunk === undefined) return undefined;
    const { usage, ...rest } = chunk;
    if (usage !== undefined && chunk.choices.length === 0 && !view.isIncluded) return undefined;
    const isFinish = chunk.choices.some(({ finish_reason: reason }) => reason !== null);
    return {
      ...rest,
      choices: rest.choices.map(withOwnImages),
      id: answerId(chunk.id, served.completionId),
      model,
      ...(usage && view.isIncluded ? { usage: withCost(usage, served.offer) } : view.before),
      ...(isFinish && { metadata: metadataOf(served, stream.routing()) }),
    };
  };
}

function withOwnImages(choice: ChatChunk['choices'][number]): ChatChunk['choices'][number] {
  const { images } = choice.delta;
  return images === undefined ? choice : { ...choice, delta: { ...choice.delta, images: withCorrectLabels(images) } };
}
