import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

/** The shortest headers that identify an image of each type, and one that is not an image. */
export const sampleImages = {
  png: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  jpeg: Buffer.from('ffd8ffe000104a464946000101000001', 'hex'),
  gif: Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00', 'latin1'),
  webp: Buffer.from('RIFF\x1a\x00\x00\x00WEBPVP8L', 'latin1'),
  text: Buffer.from('<html>not an image</html>'),
} as const;

export interface ImageServer {
  url: string;
  port: number;
  /** Requested paths, in order. */
  requestedPaths: string[];
  /** Requests in progress, now and at the peak. */
  open: { now: number; most: number };
  close(): Promise<void>;
}

/** An image server on loopback; the test decides what each path returns. */
export async function startImageServer(answer: RequestListener): Promise<ImageServer> {
  const requestedPaths: string[] = [];
  const open = { now: 0, most: 0 };
  const server = createServer((request, response) => {
    requestedPaths.push(request.url ?? '');
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.once('close', () => (open.now -= 1));
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requestedPaths,
    open,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
