import { Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { parentPort } from 'node:worker_threads';

/**
 * A thread of clients that upload bodies: in the thread of the server they would read a response before the server can
 * close the connection.
 */

interface Upload {
  url: string;
  method: string;
  headers: Record<string, string>;
  /** The length of the body. */
  bytes: number;
}

export interface UploadJob extends Upload {
  client: keyof typeof uploadClients;
  tries: number;
}

/** Resolves to the status once the response is complete. */
type UploadClient = (upload: Upload, body: Buffer<ArrayBuffer>) => Promise<number>;

const viaFetch = async (url: string, init: RequestInit & { duplex?: 'half' }): Promise<number> => {
  const response = await fetch(url, init);
  await response.bytes();
  return response.status;
};

const viaHttp =
  (agent: Agent, isPiped: boolean): UploadClient =>
  ({ url, method, headers }, body) =>
    new Promise((resolve, reject) => {
      const length = isPiped ? {} : { 'content-length': String(body.length) };
      const outgoing = request(url, { method, agent, headers: { ...headers, ...length } });
      outgoing.on('error', reject);
      outgoing.on('response', (response: IncomingMessage) => {
        response.on('error', reject);
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.resume();
      });
      if (isPiped) inPieces(body).pipe(outgoing);
      else outgoing.end(body);
    });

function inPieces(body: Buffer): Readable {
  const pieces = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, at) => at * 65_536);
  return Readable.from(pieces.map((from) => body.subarray(from, from + 65_536)));
}

export const uploadClients = {
  fetch: ({ url, method, headers }, body) => viaFetch(url, { method, headers, body }),
  'fetch with a form'({ url, method, headers: { 'content-type': _type, ...headers } }, body) {
    const form = new FormData();
    form.append('image', new Blob([body]), 'image.png');
    return viaFetch(url, { method, headers, body: form });
  },
  'fetch with a stream': ({ url, method, headers }, body) =>
    viaFetch(url, { method, headers, body: new Blob([body]).stream(), duplex: 'half' }),
  'node:http': viaHttp(new Agent(), false),
  'node:http with keep-alive': viaHttp(new Agent({ keepAlive: true }), false),
  'node:http with a stream': viaHttp(new Agent({ keepAlive: true }), true),
} as const satisfies Record<string, UploadClient>;

async function outcomes({ client, tries, ...upload }: UploadJob): Promise<string[]> {
  const body = Buffer.alloc(upload.bytes, 'x');
  const seen: string[] = [];
  for (let at = 0; at < tries; at += 1) {
    const result = await uploadClients[client](upload, body).catch((error: Error) => error.cause ?? error);
    seen.push(String(result));
  }
  return seen;
}

parentPort?.on('message', (job: UploadJob) => {
  void outcomes(job).then((seen) => parentPort?.postMessage(seen));
});
