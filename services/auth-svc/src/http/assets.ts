import { Router } from 'express';
import { assets } from '../pages/assets.ts';

/** The addresses of assets change with what is in them, so browsers keep them for ever. */
export function assetRoutes(): Router {
  const router = Router({ caseSensitive: true });
  for (const [name, { type, body }] of assets) {
    router.get(`/${name}`, (_request, response) => {
      response.set({
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      response.send(body);
    });
  }
  return router;
}
