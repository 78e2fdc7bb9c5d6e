import { createPublicAgent, type Lookup } from '../upstream/public-agent.ts';
import { checkUrl } from './check-url.ts';
import { downloadImage, type DownloadTools, type Image } from './download.ts';
import { createGate, type Gate } from './gate.ts';
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

/** Fetches images that clients name by their URL: from public addresses, so many at a time, within limits. */
export interface ImageFetcher {
  /** Throws UrlRefusal for a URL that is not fetched whatever answers there. */
  check(url: string): URL;
  /** `gate` is the request's own. Throws UrlRefusal, or the signal's reason. */
  fetch(url: string, turn: { gate: Gate; signal: AbortSignal }): Promise<Image>;
  /** For one request's images. */
  gate(): Gate;
  close(): Promise<void>;
}

export function createImageFetcher(options: Partial<ImageUrlSettings> = {}): ImageFetcher {
  const settings = { ...defaultImageUrlSettings, ...options };
  const agent = createPublicAgent(settings);
  const everyone = createGate(settings.maxConcurrent);
  const check = (url: string) => checkUrl(url, settings);
  const tools: DownloadTools = { check, open: (url, asked) => agent.get(url, asked), limits: settings };
  return {
    check,
    fetch(url, { gate, signal }) {
      const load = (ending: AbortSignal) => downloadImage(url, tools, ending);
      const inTurn = (ending: AbortSignal) => gate.run(() => everyone.run(() => load(ending), ending), ending);
      return withDeadline(inTurn, settings.totalMs, signal);
    },
    gate: () => createGate(settings.maxConcurrentPerRequest),
    close: () => agent.close(),
  };
}

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
