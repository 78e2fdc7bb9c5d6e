import { type Lookup, UrlRefusal, checkUrl, createPublicAgent } from '@tallyport/outbound';
import { downloadImage, type DownloadTools, type HoldBytes, type Image } from './download.ts';
import { createGate, type Gate } from './gate.ts';

export interface ImageUrlSettings {
  /** Also allow plain http and loopback addresses. For development only: untrusted URLs could reach local services. */
  allowLocal: boolean;
  /** The size limit of one image. */
  maxBytes: number;
  /** The time limit of one image, with connecting, redirects and waiting for its turn. */
  totalMs: number;
  idleMs: number;
  connectMs: number;
  maxRedirects: number;
  /** How many images are fetched at once by this process, and for one request. */
  maxConcurrent: number;
  maxConcurrentPerRequest: number;
  /** Replaces the system's DNS lookup. */
  lookup?: Lookup;
}

const defaultImageUrlSettings: ImageUrlSettings = {
  allowLocal: false,
  maxBytes: 20 * 1024 * 1024,
  totalMs: 15_000,
  idleMs: 5_000,
  connectMs: 5_000,
  maxRedirects: 3,
  maxConcurrent: 32,
  maxConcurrentPerRequest: 4,
};

/** Fetches images that clients name by URL: only from public addresses, with limits on size, time and concurrency. */
export interface ImageFetcher {
  /** Throws UrlRefusal if the URL may not be fetched, without connecting to it. */
  check(url: string): URL;
  /** `gate` is the one of the request. Throws UrlRefusal, or the signal's reason. */
  fetch(url: string, turn: FetchTurn): Promise<Image>;
  /** Creates the gate of one request. */
  gate(): Gate;
  close(): Promise<void>;
}

export interface FetchTurn {
  gate: Gate;
  signal: AbortSignal;
  holdBytes?: HoldBytes | undefined;
}

export function createImageFetcher(options: Partial<ImageUrlSettings> = {}): ImageFetcher {
  const settings = { ...defaultImageUrlSettings, ...options };
  const { allowLocal, connectMs, lookup } = settings;
  const agent = createPublicAgent({ allowLocal, connectMs, ...(lookup && { lookup }) });
  const processGate = createGate(settings.maxConcurrent);
  const check = (url: string) => checkUrl(url, { allowLocal });
  const tools: DownloadTools = { check, open: (url, options) => agent.get(url, options), limits: settings };
  return {
    check,
    fetch(url, { gate, signal, holdBytes }) {
      const load = (ending: AbortSignal) => downloadImage(url, { ...tools, holdBytes }, ending);
      const inTurn = (ending: AbortSignal) => gate.run(() => processGate.run(() => load(ending), ending), ending);
      return withDeadline(inTurn, settings.totalMs, signal);
    },
    gate: () => createGate(settings.maxConcurrentPerRequest),
    close: () => agent.close(),
  };
}

/** The task's signal follows the caller's, and aborts with a UrlRefusal at the deadline. */
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
