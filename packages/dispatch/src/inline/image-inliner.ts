import { GatewayError } from '@tallyport/contracts';
import type { ChatProvider, ImageLimits } from '@tallyport/providers';
import type { ChatRequest } from '@tallyport/wire';
import { UrlRefusal } from '@tallyport/outbound';
import { type DataUrl, readDataUrl, toDataUrl } from './data-url.ts';
import type { FetchTurn, ImageFetcher } from './image-fetcher.ts';
import { imagePlaces, type Place, withUrls } from './places.ts';

/** What a provider declares about the images it accepts. */
export type ImageTaker = Pick<ChatProvider, 'id' | 'images' | 'imageLimits'>;

type FetchOptions = Pick<FetchTurn, 'signal' | 'holdBytes'>;

export interface ImageInliner {
  /**
   * Returns the request with its images in a form this provider accepts: downloaded if the vendor accepts no URLs, with
   * the right labels, and within its limits. Returns the same request, without a promise, if nothing has to change. An
   * image is fetched once per request, however many providers are tried. Throws GatewayError that names the message.
   */
  prepare(request: ChatRequest, taker: ImageTaker, fetching: FetchOptions): ChatRequest | Promise<ChatRequest>;
  close(): Promise<void>;
}

export function createImageInliner(fetcher: ImageFetcher): ImageInliner {
  /** The images of each request by URL; released together with the request. */
  const known = new WeakMap<ChatRequest, Map<string, Promise<DataUrl>>>();

  const fetched = (url: string, { request, ...turn }: FetchContext): Promise<DataUrl> => {
    const images = known.get(request) ?? new Map<string, Promise<DataUrl>>();
    known.set(request, images);
    let image = images.get(url);
    if (image === undefined) {
      image = fetcher.fetch(url, turn).then(toDataUrl);
      images.set(url, image);
    }
    return image;
  };

  return {
    prepare(request, taker, { signal, holdBytes }) {
      const places = imagePlaces(request);
      if (places.length === 0) return request;
      checkCount(places, taker);
      const gate = fetcher.gate();
      const failed = new AbortController();
      const load = (url: string) =>
        fetched(url, { request, signal: AbortSignal.any([signal, failed.signal]), gate, holdBytes });
      return prepared(request, { places, taker, load }).catch((thrown: unknown) => {
        // The first image that fails ends the request, so the other downloads are aborted.
        failed.abort(thrown);
        throw thrown;
      });
    },
    close: () => fetcher.close(),
  };
}

interface FetchContext extends FetchTurn {
  request: ChatRequest;
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
  if (first !== undefined) throw refuse(first, `is one too many: ${id} accepts at most ${count}`);
}

function checkImage({ type, bytes }: DataUrl, place: Place, { id, imageLimits }: ImageTaker): void {
  if (!imageLimits.mediaTypes.includes(type)) {
    throw refuse(
      place,
      `is ${type || 'of an unknown type'}, but ${id} accepts only ${imageLimits.mediaTypes.join(', ')}`,
    );
  }
  if (bytes > imageLimits.bytes) throw refuse(place, `is larger than ${imageLimits.bytes} bytes, the limit of ${id}`);
}

const tooMuch = (place: Place, { id, imageLimits: { totalBytes } }: { id: string; imageLimits: ImageLimits }) =>
  refuse(place, `brings all images above ${totalBytes} bytes, the limit of ${id}`);

const refuse = ({ path }: Place, reason: string, cause?: unknown): GatewayError =>
  new GatewayError('invalid_parameters', `The image at ${path} ${reason}.`, { param: path, cause });
