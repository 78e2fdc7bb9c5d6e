import { type Piece, type PieceKind, piece } from '../../answer.ts';
import type { createImageEncoder } from '../../images/encoded.ts';
import { imageSpecOf } from '../../images/order.ts';
import { writeSize } from '../../images/size.ts';
import type { ImagesOperation } from '../provider.ts';
import { type ImageScript, imageTokens, madeBackground } from './answer.ts';

interface StreamedImages {
  readonly script: ImageScript;
  readonly operation: ImagesOperation;
  /** How many partial images precede each image. */
  readonly partials: number;
}

/** What a partial image costs, in output tokens. */
const tokensPerPartial = 100;

/** The answer as events: for each image its partial ones, then the image with its usage. */
export function imagesStream(
  { script, operation, partials }: StreamedImages,
  encode: ReturnType<typeof createImageEncoder>,
): Piece[] {
  const { created, order, n, quality } = script;
  const made = {
    created_at: created,
    size: writeSize(order.size),
    quality,
    background: madeBackground(order),
    output_format: order.format,
  };
  const event = (part: PieceKind, name: string, members: object): Piece => {
    const type = `${operation === 'edits' ? 'image_edit' : 'image_generation'}.${name}`;
    return piece(part, `event: ${type}\ndata: ${JSON.stringify({ type, ...made, ...members })}\n\n`);
  };
  const imageAt = (index: number) => ({ b64_json: encode(imageSpecOf(order, index)) });
  return Array.from({ length: n }, (_, index) => [
    ...Array.from({ length: partials }, (_each, at) =>
      event('delta', 'partial_image', { ...imageAt(-1 - at - index * partials), partial_image_index: at }),
    ),
    event('finish', 'completed', {
      ...imageAt(index),
      usage: imageTokens({ ...script, n: 1 }, partials * tokensPerPartial),
    }),
  ]).flat();
}
