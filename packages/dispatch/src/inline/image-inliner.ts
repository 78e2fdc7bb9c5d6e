import { GatewayError } from '@switchyard/contracts';
import type { ChatProvider, ImageLimits } from '@switchyard/providers';
import type { ChatRequest } from '@switchyard/wire';
import { type DataUrl, readDataUrl, toDataUrl } from './data-url.ts';
import type { Gate } from './gate.ts';
import type { ImageFetcher } from './image-fetcher.ts';
import { imagePlaces, type Place, withUrls } from './places.ts';
import { UrlRefusal } from './refusal.ts';

/** What a provider tells of the images it takes. */
export type ImageTaker = Pick<ChatProvider, 'id' | 'images' | 'imageLimits'>;

export interface ImageInliner {
  /**
   * The request with its images as this provider takes them: fetched where the vendor fetches nothing, labelled as what
   * they are, within its limits. The very same request where nothing has to change, so that most never wait. An image
   * is fetched once for one request, however many providers it is tried at. Throws GatewayError that names the message.
   */
  prepare(request: ChatRequest, taker: ImageTaker, signal: AbortSignal): ChatRequest | Promise<ChatRequest>;
  close(): Promise<void>;
}

export function createImageInliner(fetcher: ImageFetcher): ImageInliner {
  /** What is known of each request's images, by URL; forgotten with the request. */
  const known = new WeakMap<ChatRequest, Map<string, Promise<DataUrl>>>();

  const fetched = (url: string, { request, signal, gate }: FetchContext): Promise<DataUrl> => {
    const images = known.get(request) ?? new Map<string, Promise<DataUrl>>();
    known.set(request, images);
    let image = images.get(url);
    if (image === undefined) {
      image = fetcher.fetch(url, { gate, signal }).then(toDataUrl);
      images.set(url, image);
    }
    return image;
  };

  return {
    prepare(request, taker, signal) {
      const places = imagePlaces(request);
      if (places.length === 0) return request;
      checkCount(places, taker);
      const gate = fetcher.gate();
      const failed = new AbortController();
      const load = (url: string) => fetched(url, { request, signal: AbortSignal.any([signal, failed.signal]), gate });
      return prepared(request, { places, taker, load }).catch((thrown: unknown) => {
        // One image that cannot be had ends the request: the others are not waited for.
        failed.abort(thrown);
        throw thrown;
      });
    },
    close: () => fetcher.close(),
  };
}

interface FetchContext {
  request: ChatRequest;
  signal: AbortSignal;
  gate: Gate;
}

interface PreparationContext {
  places: readonly Place[];
  taker: ImageTaker;
  load(url: string): Promise<DataUrl>;
}

async function prepared(request: ChatRequest, { places, taker, load }: PreparationContext): Promise<ChatRequest> {
  const urls = new Map<string, string>();
  let totalBytes = 0;
  const take = async (place: Place): Promise<void> => {
    const image = readDataUrl(place.url) ?? (taker.images === 'inline' ? await loaded(place, load) : undefined);
    if (image === undefined) return;
    totalBytes += image.bytes;
    checkImage(image, place, taker);
    if (totalBytes > taker.imageLimits.totalBytes) throw tooMuch(place, taker);
    if (image.url !== place.url) urls.set(place.url, image.url);
  };
  await Promise.all(places.map(take));
  return urls.size === 0 ? request : withUrls(request, urls);
}

async function loaded(place: Place, load: PreparationContext['load']): Promise<DataUrl> {
  try {
    return await load(place.url);
  } catch (thrown) {
    if (thrown instanceof UrlRefusal) throw refuse(place, thrown.message, thrown);
    throw thrown;
  }
}

function checkCount(places: readonly Place[], { id, imageLimits: { count } }: ImageTaker): void {
  const first = places[count];
  if (first !== undefined) throw refuse(first, `is one too many: ${id} takes ${count}`);
}

function checkImage({ type, bytes }: DataUrl, place: Place, { id, imageLimits }: ImageTaker): void {
  if (!imageLimits.mediaTypes.includes(type)) {
    throw refuse(place, `is ${type || 'of no known type'}; ${id} takes ${imageLimits.mediaTypes.join(', ')}`);
  }
  if (bytes > imageLimits.bytes) throw refuse(place, `is larger than the ${imageLimits.bytes} bytes ${id} takes`);
}

const tooMuch = (place: Place, { id, imageLimits: { totalBytes } }: { id: string; imageLimits: ImageLimits }) =>
  refuse(place, `makes all images larger than the ${totalBytes} bytes ${id} takes`);

const refuse = ({ path }: Place, reason: string, cause?: unknown): GatewayError =>
  new GatewayError('invalid_parameters', `The image at ${path} ${reason}.`, { param: path, cause });
