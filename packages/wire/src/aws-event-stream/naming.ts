import { WireError } from '../wire-error.ts';
import { textHeaders } from './headers.ts';

/**
 * Returns the name of a frame from its headers. Caches the latest ones, because nearly all frames of a stream are
 * alike.
 */
export function createNaming(): (headers: Buffer) => string | undefined {
  let known: Buffer | undefined;
  let name: string | undefined;
  return (headers) => {
    if (known === undefined || !known.equals(headers)) {
      name = nameIn(textHeaders(headers));
      known = Buffer.from(headers);
    }
    return name;
  };
}

function nameIn(headers: ReadonlyMap<string, string>): string | undefined {
  const type = headers.get(':message-type');
  switch (type) {
    case 'event':
      return headers.get(':event-type');
    case 'exception':
      return `exception:${headers.get(':exception-type') ?? ''}`;
    case 'error':
      return `error:${headers.get(':error-code') ?? ''}`;
    default:
      throw new WireError('frame_corrupt', 'A frame is neither event nor exception nor error.');
  }
}
