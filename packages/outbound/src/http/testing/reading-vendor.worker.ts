import { createServer, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** How the vendor ends a connection after it has read the second request on it. */
export type Ending = 'resets' | 'closes' | 'resets after an interim answer';

export interface ReadingVendor {
  ending: Ending;
  /** Requests that were read. */
  read: Int32Array<SharedArrayBuffer>;
}

const { ending, read }: ReadingVendor = workerData;
const endings: Record<Ending, (socket: Socket) => void> = {
  resets: (socket) => void socket.resetAndDestroy(),
  closes: (socket) => void socket.destroy(),
  'resets after an interim answer': (socket) =>
    void socket.write('HTTP/1.1 100 Continue\r\n\r\n', () => socket.resetAndDestroy()),
};

const server = createServer((socket) => {
  let nth = 0;
  socket.on('error', () => undefined);
  socket.on('data', () => {
    Atomics.add(read, 0, 1);
    nth += 1;
    if (nth === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx');
    else endings[ending](socket);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  parentPort?.postMessage(typeof address === 'object' ? address?.port : undefined);
});
