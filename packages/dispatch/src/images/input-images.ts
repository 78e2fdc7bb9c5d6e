import { randomUUID } from 'node:crypto';
import { GatewayError } from '@tallyport/contracts';
import type { ImageInputs, InputImage } from '@tallyport/providers';
import { longStrings, mergedLongStrings, noLongStrings, type LongStrings } from '@tallyport/wire';
import { UrlRefusal } from '@tallyport/outbound';
import { base64SlicesOf, type Base64Slices, decodedLength, toBase64 } from './base64.ts';
import type { CallParts } from './call-images.ts';
import type { ImageAttempt } from './image-attempt.ts';
import type { ImageTask } from './image-task.ts';

/** A fetched image as base64 text, the form that providers get. */
interface FetchedImage {
  mediaType: string;
  base64: Base64Slices;
}

/** The images of each request by URL, kept as long as the request: an image is fetched once for all providers tried. */
export type FetchedImages = WeakMap<ImageTask, Map<string, Promise<FetchedImage>>>;

/** Converts the images of a call to a form this provider accepts. Throws GatewayError that names the image. */
export async function withInputs(attempt: ImageAttempt, known: FetchedImages, signal: AbortSignal): Promise<CallParts> {
  const { task, provider, offer } = attempt;
  const { call, strings = noLongStrings } = task;
  const { inputs } = provider.abilities(offer);
  if (call.images.length === 0 || inputs === undefined) return { call, strings };
  const failed = new AbortController();
  const load = loader(attempt, known, AbortSignal.any([signal, failed.signal]));
  try {
    const prepare = (image: InputImage, path: string) =>
      prepareInput({ image, path, inputs, strings }, provider.id, load);
    const [mask, ...prepared] = await Promise.all([
      call.mask && prepare(call.mask, 'mask'),
      ...call.images.map((image, at) => prepare(image, pathOf(task, at))),
    ]);
    checkTotal(prepared, { inputs, task, providerId: provider.id });
    const own = [...(mask === undefined ? [] : [mask]), ...prepared].flatMap((each) => each.strings ?? []);
    return {
      call: { ...call, ...(mask && { mask: mask.image }), images: prepared.map(({ image }) => image) },
      strings: mergedLongStrings([strings, ...own]),
    };
  } catch (thrown) {
    // The first image that fails ends the request, so the other downloads are aborted.
    failed.abort(thrown);
    throw thrown;
  }
}

interface ImageSource {
  image: InputImage;
  path: string;
  inputs: ImageInputs;
  strings: LongStrings;
}

interface PreparedImage {
  image: InputImage;
  bytes: number;
  strings?: LongStrings;
}

interface ImageLoader {
  check(url: string): void;
  load(url: string): Promise<FetchedImage>;
}

async function prepareInput(
  source: ImageSource,
  providerId: string,
  { check, load }: ImageLoader,
): Promise<PreparedImage> {
  const { image, path, inputs, strings } = source;
  if ('url' in image) {
    const found = await refusing(path, async () => (inputs.takes === 'inline' ? load(image.url) : check(image.url)));
    if (found === undefined) return { image, bytes: 0 };
    const bytes = checked({ ...found, path, inputs }, providerId);
    const own = longStrings(randomUUID(), [found.base64]);
    const [base64 = ''] = own.byPlaceholder.keys();
    return { image: { mediaType: found.mediaType, base64 }, bytes, strings: own };
  }
  const { mediaType } = image;
  const base64 = base64SlicesOf(image.base64, strings);
  return { image, bytes: checked({ mediaType, base64, path, inputs }, providerId) };
}

function loader(
  { task, equipment: { fetcher, findFlaw } }: ImageAttempt,
  known: FetchedImages,
  signal: AbortSignal,
): ImageLoader {
  const images = known.get(task) ?? new Map<string, Promise<FetchedImage>>();
  known.set(task, images);
  const gate = fetcher.gate();
  return {
    check: (url) => void fetcher.check(url),
    load(url) {
      let image = images.get(url);
      if (image === undefined) {
        image = fetcher.fetch(url, { gate, signal, holdBytes: task.holdBytes }).then(async ({ type, parts }) => {
          const base64 = await toBase64(parts);
          const flaw = await findFlaw?.({ type, base64 });
          if (flaw !== undefined) throw new UrlRefusal(flaw);
          return { mediaType: type, base64 };
        });
        images.set(url, image);
      }
      return image;
    },
  };
}

function checked(
  { mediaType, base64, path, inputs }: FetchedImage & Pick<ImageSource, 'path' | 'inputs'>,
  providerId: string,
): number {
  if (!inputs.mediaTypes.includes(mediaType)) {
    throw refuse(path, `is ${mediaType}, but ${providerId} accepts only ${inputs.mediaTypes.join(', ')}`);
  }
  const bytes = decodedLength(base64);
  if (bytes > inputs.bytes) throw refuse(path, `is larger than ${inputs.bytes} bytes, the limit of ${providerId}`);
  return bytes;
}

interface TotalRules {
  inputs: ImageInputs;
  task: ImageTask;
  providerId: string;
}

function checkTotal(
  prepared: readonly PreparedImage[],
  { inputs: { totalBytes }, task, providerId }: TotalRules,
): void {
  let total = 0;
  for (const [at, { bytes }] of prepared.entries()) {
    total += bytes;
    if (total <= totalBytes) continue;
    throw refuse(pathOf(task, at), `brings all images above ${totalBytes} bytes, the limit of ${providerId}`);
  }
}

async function refusing<Value>(path: string, take: () => Promise<Value>): Promise<Value> {
  try {
    return await take();
  } catch (thrown) {
    if (thrown instanceof UrlRefusal) throw refuse(path, thrown.message, thrown);
    throw thrown;
  }
}

const pathOf = ({ imagePaths }: ImageTask, at: number): string => imagePaths?.[at] ?? `images[${at}].image_url`;

const refuse = (path: string, reason: string, cause?: unknown): GatewayError =>
  new GatewayError('invalid_parameters', `The image at ${path} ${reason}.`, { param: path, cause });
