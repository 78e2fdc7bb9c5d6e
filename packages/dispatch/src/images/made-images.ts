import { GatewayError } from '@switchyard/contracts';
import type { ImagePart, ImagesMade } from '@switchyard/providers';
import type { LongStrings } from '@switchyard/wire';
import { imageTypeOf, markBytes } from '../inline/image-type.ts';
import { base64SlicesOf, decodedLength, firstBytes, toBase64 } from './base64.ts';
import { asFailure } from './some-of.ts';
import type { AttemptedImages, ImageAttempt } from './image-attempt.ts';
import type { MadeImage } from './image-task.ts';
import { downloadResult } from './result-url.ts';

/** One answer, read by its adapter, whose texts may still be the provider's bytes. */
export interface ReadAnswer {
  made: ImagesMade;
  strings: LongStrings;
}

/** Every image of an answer as bytes whose type is known. One that cannot be had is a failure beside the others. */
export async function collectImages(
  { made, strings }: ReadAnswer,
  attempt: ImageAttempt,
  signal: AbortSignal,
): Promise<AttemptedImages> {
  const taken = await Promise.allSettled(made.images.map((part) => takeImage({ part, strings }, attempt, signal)));
  signal.throwIfAborted();
  const images = taken.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const missing = taken.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  if (images.length === 0 && missing.length > 0) throw missing[0];
  const { images: _images, failures, kind: _kind, outputFormat: _told, ...told } = made;
  return { ...told, images, failures: [...failures, ...missing.map((thrown) => asFailure(thrown, attempt))] };
}

interface AnswerImage {
  part: ImagePart;
  strings: LongStrings;
}

async function takeImage(
  { part, strings }: AnswerImage,
  attempt: ImageAttempt,
  signal: AbortSignal,
): Promise<MadeImage> {
  const { source, revisedPrompt, size, extraContent } = part;
  const told = {
    ...(revisedPrompt && { revisedPrompt }),
    ...(size && { size }),
    ...(extraContent && { extraContent }),
  };
  if ('url' in source && /^https?:/i.test(source.url)) {
    const { type, parts, bytes } = await downloadResult(source.url, attempt, signal);
    return { type, bytes, base64: await toBase64(parts), ...told };
  }
  const base64 = base64SlicesOf('url' in source ? source.url : source.base64, strings);
  const type = imageTypeOf(firstBytes(base64, markBytes));
  if (type === undefined) throw noImage(attempt);
  return { type, bytes: decodedLength(base64), base64, ...told };
}

const noImage = ({ provider }: ImageAttempt): GatewayError =>
  new GatewayError('upstream_error', `${provider.id} sent something that is not a PNG, JPEG, GIF or WebP image.`, {
    domain: 'provider',
  });
