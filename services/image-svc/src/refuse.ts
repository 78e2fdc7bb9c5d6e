import type { ExchangeHandler } from '@switchyard/bus';
import { GatewayError } from '@switchyard/contracts';
import type { ImageEvents, ImageOperation } from './events.ts';

/** Says that images are not built yet. The body is let go unread. */
export function refuse(operation: ImageOperation, events: ImageEvents): ExchangeHandler {
  return async ({ head, body }) => {
    body.cancel();
    events.refused(operation, head.requestId);
    throw new GatewayError('unavailable', 'Images are not built yet in this version. Chat completions are.');
  };
}
