import { setTimeout as pause } from 'node:timers/promises';
import { UrlRefusal, openUpstream } from '@tallyport/outbound';
import { type DownloadTools, type Image, downloadImage } from '../inline/download.ts';
import type { ImageAttempt } from './image-attempt.ts';
import { LostResult } from '../failure/lost-result.ts';

/** Pauses before another download: storage may fail briefly, and fetching a finished image again costs nothing. */
const pausesMs = [250, 1_000];
const limits = { maxRedirects: 3, idleMs: 15_000 };

/** Downloads a result at once, because its URL may expire within an hour. Throws LostResult. */
export async function downloadResult(url: string, attempt: ImageAttempt, signal: AbortSignal): Promise<Image> {
  const tools = toolsFor(attempt);
  for (let tries = 0; ; tries += 1) {
    try {
      return await downloadImage(url, tools, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof UrlRefusal)) throw thrown;
      const waitMs = pausesMs[tries];
      if (waitMs === undefined || thrown instanceof UntrustedUrl) {
        throw new LostResult(`made an image, but it ${thrown.message}`, { cause: thrown });
      }
      await pause(waitMs, undefined, { signal });
    }
  }
}

/** A URL that is not allowed; trying it again is pointless. */
class UntrustedUrl extends UrlRefusal {}

function toolsFor({ provider, target, equipment }: ImageAttempt): DownloadTools {
  const isOwn = (url: URL) => url.origin === target.origin;
  const check = (text: string): URL => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined) throw new UntrustedUrl('has an invalid URL');
    // The operator configured this origin, so its results may be fetched at any address, local ones included.
    if (isOwn(url)) return url;
    if (url.protocol !== 'https:') throw new UntrustedUrl('is at a URL that is not https');
    if (provider.resultHosts.some((pattern) => fits(url.hostname, pattern))) return url;
    throw new UntrustedUrl(`is at ${url.hostname}, which is not a host of its provider`);
  };
  return {
    check,
    open(url, { headers, maxBytes }) {
      if (!isOwn(url)) return equipment.results.get(url, { headers, maxBytes });
      const path = url.pathname + url.search;
      return openUpstream(
        equipment.pools,
        { origin: url.origin, path, method: 'GET', headers, body: '' },
        { maxBytes },
      );
    },
    limits: { ...limits, maxBytes: equipment.maxResponseBytes },
  };
}

/** `*.example.com` matches every subdomain, but not `example.com`. */
const fits = (host: string, pattern: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
