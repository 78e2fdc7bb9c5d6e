import { type Asset, assets } from '@tallyport/pages';
import type { RequestHandler } from 'express';
import { securityHeaders } from './security-headers.ts';

/** The style, icon and scripts of all pages. */
export const assetPaths = (): readonly { path: string; handler: RequestHandler }[] =>
  [...assets].map(([name, asset]) => ({ path: `/assets/${name}`, handler: sendAsset(asset) }));

/**
 * Browsers keep a file forever if the address has its version. During an update, a page may ask for the file of another
 * release: it gets this one, for this time only.
 */
const sendAsset =
  ({ type, body, version }: Asset): RequestHandler =>
  (request, response) => {
    const isCurrent = request.query['v'] === version;
    response.set({
      ...securityHeaders,
      'content-type': type,
      'cache-control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
    response.send(body);
  };
