import { Router } from 'express';
import { assets } from '../assets.ts';

/** The URLs contain a hash of the content, so browsers may cache them forever. */
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
