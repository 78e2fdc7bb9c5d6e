import { GatewayError } from '@switchyard/contracts';
import type { ChatProvider, ImageLimits } from '@switchyard/providers';
import type { ChatRequest } from '@switchyard/wire';
import { createPublicAgent, type Lookup } from '../upstream/public-agent.ts';
import { type DataUrl, readDataUrl, toDataUrl } from './data-url.ts';
import { downloadImage, type DownloadTools } from './download.ts';
import { createGate, type Gate } from './gate.ts';
import { imagePlaces, type Place, withUrls } from './places.ts';
import { UrlRefusal } from './refusal.ts';

export interface ImageUrlSettings {
  /** Also plain http and loopback addresses: for trying and testing, never where strangers send URLs. */
  allowLocal: boolean;
  /** One image. */
  maxBytes: number;
  /** All of one image: connecting, redirects, waiting for a turn. */
  totalMs: number;
  idleMs: number;
  connectMs: number;
  maxRedirects: number;
  /** Images fetched at once by this process, and for one request. */
  maxConcurrent: number;
  maxConcurrentPerRequest: number;
  /** Instead of the system's. */
  lookup?: Lookup;
}

export const defaultImageUrlSettings: ImageUrlSettings = {
  allowLocal: false,
  maxBytes: 20 * 1024 * 1024,
  totalMs: 15_000,
  idleMs: 5_000,
  connectMs: 5_000,
  maxRedirects: 3,
  maxConcurrent: 32,
  maxConcurrentPerRequest: 4,
};

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

export function createImageInliner(options: Partial<ImageUrlSettings> = {}): ImageInliner {
  const settings = { ...defaultImageUrlSettings, ...options };
  const agent = createPublicAgent(settings);
  const everyone = createGate(settings.maxConcurrent);
  const tools: DownloadTools = { agent, rules: settings, limits: settings };
  /** What is known of each request's images, by URL; forgotten with the request. */
  const known = new WeakMap<ChatRequest, Map<string, Promise<DataUrl>>>();

  const fetched = (url: string, { request, signal, gate }: Fetching): Promise<DataUrl> => {
    const images = known.get(request) ?? new Map<string, Promise<DataUrl>>();
    known.set(request, images);
    let image = images.get(url);
    if (image === undefined) {
      const load = (ending: AbortSignal) => downloadImage(url, tools, ending).then(toDataUrl);
      const inTurn = (ending: AbortSignal) => gate.run(() => everyone.run(() => load(ending), ending), ending);
      image = withDeadline(inTurn, settings.totalMs, signal);
      images.set(url, image);
    }
    return image;
  };

  return {
    prepare(request, taker, signal) {
      const places = imagePlaces(request);
      if (places.length === 0) return request;
      checkCount(places, taker);
      const gate = createGate(settings.maxConcurrentPerRequest);
      const failed = new AbortController();
      const load = (url: string) => fetched(url, { request, signal: AbortSignal.any([signal, failed.signal]), gate });
      return prepared(request, { places, taker, load }).catch((thrown: unknown) => {
        // One image that cannot be had ends the request: the others are not waited for.
        failed.abort(thrown);
        throw thrown;
      });
    },
    close: () => agent.close(),
  };
}

interface Fetching {
  request: ChatRequest;
  signal: AbortSignal;
  gate: Gate;
}

interface Preparing {
  places: readonly Place[];
  taker: ImageTaker;
  load(url: string): Promise<DataUrl>;
}

async function prepared(request: ChatRequest, { places, taker, load }: Preparing): Promise<ChatRequest> {
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

async function loaded(place: Place, load: Preparing['load']): Promise<DataUrl> {
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

/** The task's signal is the caller's, and aborts with a refusal when the time is over. */
async function withDeadline<Value>(
  task: (signal: AbortSignal) => Promise<Value>,
  limitMs: number,
  signal: AbortSignal,
): Promise<Value> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new UrlRefusal('could not be fetched in time')), limitMs);
  try {
    return await task(AbortSignal.any([signal, deadline.signal]));
  } finally {
    clearTimeout(timer);
  }
}
