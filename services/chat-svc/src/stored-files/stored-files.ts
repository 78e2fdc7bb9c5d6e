import { createClient, type ExchangeResponse, type Link } from '@tallyport/bus';
import { batchService, GatewayError, type RequestHead } from '@tallyport/contracts';
import type { FilePlace } from './file-places.ts';
import type { FileContent } from './part-with-content.ts';

interface FileReading {
  head: RequestHead;
  signal: AbortSignal;
  /** Called with the length before any of the content is read. Throws if there is no room for it. */
  expect(bytes: number): void;
}

/** The files that clients have stored at batch-svc. */
export interface StoredFiles {
  /** Throws `not_found` for a file that the caller's key does not know. */
  read(place: FilePlace, reading: FileReading): Promise<FileContent>;
}

/** A storage that answers no faster is as good as away. */
const mostMs = 60_000;

export function openStoredFiles(link: Link): StoredFiles {
  const batch = createClient(link, batchService);
  return {
    async read(place, { head, signal, expect }) {
      const { requestId, principal, traceparent } = head;
      const timeoutMs = Math.min(head.timeoutMs, mostMs);
      const asked = { requestId, principal, traceparent, timeoutMs, headers: {}, path: `${place.id}/content` };
      try {
        return await contentOf(await batch.fileContent({ head: asked, body: new Uint8Array(0), signal }), expect);
      } catch (thrown) {
        throw thrown instanceof GatewayError && thrown.code === 'not_found' ? noSuchFile(place) : thrown;
      }
    },
  };
}

async function contentOf({ head, body }: ExchangeResponse, expect: FileReading['expect']): Promise<FileContent> {
  try {
    const {
      'content-type': mediaType = '',
      'content-length': length,
      'content-disposition': named = '',
    } = head.headers;
    const [, filename = ''] = named.split("filename*=UTF-8''");
    expect(Number(length));
    return { filename: decodeURIComponent(filename), mediaType, bytes: await body.bytes(Number(length)) };
  } catch (thrown) {
    body.cancel();
    throw thrown;
  }
}

const noSuchFile = ({ id, path }: FilePlace): GatewayError =>
  new GatewayError(
    'not_found',
    `${path}: there is no file ${id}, or it has expired. GET /v1/files lists those of your key.`,
    { param: path },
  );
