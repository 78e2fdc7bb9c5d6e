import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

/** The smallest beginnings that make an image of each kind, and one that is none. */
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
  /** Paths asked for, in order. */
  asked: string[];
  /** Requests being answered now, and the most there were at once. */
  open: { now: number; most: number };
  close(): Promise<void>;
}

/** A server of images on loopback; what it does with a path is the test's. */
export async function startImageServer(answer: RequestListener): Promise<ImageServer> {
  const asked: string[] = [];
  const open = { now: 0, most: 0 };
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
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
    asked,
    open,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
