import type { IncomingMessage } from 'node:http';
import { constants } from 'node:zlib';
import { acceptedEncoding } from '@tallyport/wire';
import compression from 'compression';

const textType = /^text\/(html|csv)\b/;

/** Compresses pages and exports. A page that is sent in parts is flushed after each, so that none waits for the next. */
export const compressPages = () =>
  compression({
    filter: (request: IncomingMessage, response) =>
      acceptedEncoding(request.headers['accept-encoding']) !== undefined &&
      textType.test(String(response.getHeader('content-type'))),
    flush: constants.Z_SYNC_FLUSH,
    brotli: {
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
    },
  });
