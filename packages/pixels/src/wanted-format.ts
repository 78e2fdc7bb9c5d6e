import type { MadeImage } from '@tallyport/dispatch';
import type { ImageAbilities, ImageCall, ImageFormat } from '@tallyport/providers';
import type { WantedFormat } from './pixels.ts';

/** The format an image must be converted to; `undefined` if it is already what the client asked for. */
export function wantedFormat(
  { type }: Pick<MadeImage, 'type'>,
  call: Pick<ImageCall, 'outputFormat' | 'outputCompression'>,
  { outputFormats }: Pick<ImageAbilities, 'outputFormats'>,
): WantedFormat | undefined {
  const format: ImageFormat = call.outputFormat ?? 'png';
  const quality = format === 'png' ? undefined : call.outputCompression;
  // A provider that makes the requested format also applies the requested compression.
  const isAsRequestedFormat = type === `image/${format}` && (quality === undefined || outputFormats.includes(format));
  return isAsRequestedFormat ? undefined : { format, quality };
}
