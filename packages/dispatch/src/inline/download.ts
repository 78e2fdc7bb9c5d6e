import {
  type BodyReader,
  type UpstreamCall,
  UpstreamFailure,
  type UpstreamHead,
  UrlRefusal,
  decodedBody,
} from '@tallyport/outbound';
import { type ImageType, imageTypeOf, markBytes } from '@tallyport/wire';

interface DownloadLimits {
  maxBytes: number;
  /** Redirects to follow; each target is checked like the first URL. */
  maxRedirects: number;
  /** The longest pause between two pieces of the response, its head included. */
  idleMs: number;
}

export interface DownloadTools {
  /** Throws UrlRefusal for a URL that may not be fetched; called for the first URL and for each redirect. */
  check(text: string): URL;
  open(url: URL, options: { headers: Record<string, string>; maxBytes: number }): UpstreamCall;
  limits: DownloadLimits;
  holdBytes?: HoldBytes | undefined;
}

/** Reserves memory for bytes of an image before they are read. Throws GatewayError if there is none left. */
export type HoldBytes = (bytes: number) => void;

export interface Image {
  type: ImageType;
  /** The bytes, in the pieces in which they arrived. */
  parts: readonly Buffer[];
  bytes: number;
}

const headers = {
  accept: 'image/png, image/jpeg, image/webp, image/gif',
  'accept-encoding': 'identity',
  'user-agent': 'tallyport',
};

/** Downloads an image. Throws UrlRefusal, or the signal's reason once it has aborted. */
export async function downloadImage(text: string, tools: DownloadTools, signal: AbortSignal): Promise<Image> {
  let url = tools.check(text);
  for (let redirects = 0; ; redirects += 1) {
    const found = await request(url, tools, signal);
    if (!(found instanceof URL)) return found;
    if (redirects === tools.limits.maxRedirects) {
      throw new UrlRefusal(`was redirected more than ${tools.limits.maxRedirects} times`);
    }
    url = tools.check(found.href);
  }
}

/** Makes one request. Returns the image, or the target of a redirect. */
async function request(
  url: URL,
  { open, limits, holdBytes }: DownloadTools,
  signal: AbortSignal,
): Promise<Image | URL> {
  signal.throwIfAborted();
  const call = open(url, { headers, maxBytes: limits.maxBytes });
  const leave = () => call.abort(new UpstreamFailure('left', 'was left'));
  signal.addEventListener('abort', leave, { once: true });
  const watch = watchIdle(call, limits.idleMs);
  try {
    const head = await call.head();
    const next = redirectOf(head, url);
    if (next !== undefined) return next;
    checkHead(head, limits.maxBytes);
    const body = decodedBody(call, head.headers, limits.maxBytes);
    return await readImage(body, watch, reserveUpTo(holdBytes, declaredLength(head)));
  } catch (thrown) {
    signal.throwIfAborted();
    throw asRefusal(thrown, limits);
  } finally {
    watch.stop();
    signal.removeEventListener('abort', leave);
    leave();
  }
}

interface Watch {
  /** Call whenever bytes arrive. */
  alive(): void;
  stop(): void;
}

function watchIdle(call: UpstreamCall, idleMs: number): Watch {
  const timer = setTimeout(() => call.abort(new UpstreamFailure('stalled', 'stalled')), idleMs);
  return { alive: () => void timer.refresh(), stop: () => clearTimeout(timer) };
}

function redirectOf({ status, headers: { location } }: UpstreamHead, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  if (typeof location === 'string' && URL.canParse(location, from.href)) return new URL(location, from);
  throw new UrlRefusal('was redirected to an invalid URL');
}

function checkHead({ status, headers: answered }: UpstreamHead, maxBytes: number): void {
  if (status !== 200) throw new UrlRefusal(`could not be fetched: its server returned status ${status}`);
  if (declaredLength({ headers: answered }) > maxBytes) throw tooLarge(maxBytes);
}

const declaredLength = ({ headers: answered }: Pick<UpstreamHead, 'headers'>): number =>
  Number(answered['content-length']) || 0;

/**
 * Reserves the declared length at once, so that an image too large for the free memory is not read in part. Bytes
 * beyond the declared length are reserved as they arrive.
 */
function reserveUpTo(holdBytes: HoldBytes | undefined, declared: number): (size: number) => void {
  let held = 0;
  const hold = (size: number): void => {
    if (holdBytes === undefined || size <= held) return;
    holdBytes(size - held);
    held = size;
  };
  hold(declared);
  return hold;
}

/** Stops as soon as the first bytes show that it is not an image. */
async function readImage(body: BodyReader, watch: Watch, hold: (size: number) => void): Promise<Image> {
  const parts: Buffer[] = [];
  let size = 0;
  let type: ImageType | undefined;
  while (await body.ready()) {
    watch.alive();
    for (const part of body.take()) {
      parts.push(part);
      size += part.length;
      hold(size);
    }
    if (type === undefined && size >= markBytes) type = typeOf(parts);
  }
  return { type: type ?? typeOf(parts), parts, bytes: size };
}

function typeOf(parts: readonly Buffer[]): ImageType {
  const type = imageTypeOf(Buffer.concat(parts));
  if (type === undefined) throw new UrlRefusal('is not a PNG, JPEG, GIF or WebP image');
  return type;
}

const tooLarge = (maxBytes: number): UrlRefusal => new UrlRefusal(`is larger than ${maxBytes} bytes`);

function asRefusal(thrown: unknown, { maxBytes }: DownloadLimits): unknown {
  if (!(thrown instanceof UpstreamFailure)) return thrown;
  // A refusal by our own check in the DNS lookup arrives as the cause of a failed connection.
  if (thrown.cause instanceof UrlRefusal) return thrown.cause;
  if (thrown.kind === 'too_large') return tooLarge(maxBytes);
  if (thrown.kind === 'stalled') return new UrlRefusal('could not be fetched in time', { cause: thrown });
  return new UrlRefusal('could not be fetched', { cause: thrown });
}
