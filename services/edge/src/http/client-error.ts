import { STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { LingeringClose } from './lingering-close.ts';
import type { RunningUploads } from './running-uploads.ts';

interface Fault {
  status: number;
  message: string;
}

const requestTimeout = 'ERR_HTTP_REQUEST_TIMEOUT';

const faults: Record<string, Fault> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are larger than 16 KiB. Send fewer or shorter ones.' },
  [requestTimeout]: { status: 408, message: 'The request took too long to arrive. Send it again.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions are too large. Remove them.' },
};

const malformed: Fault = { status: 400, message: 'This is not a valid HTTP/1.1 request.' };

/**
 * Answers connections whose bytes never became a request: with an error while the socket is writable, then closes it.
 * The parser reports an error again with every further piece. A running upload has a deadline of its own instead of the one for requests.
 */
export const answerClientErrors =
  (closing: LingeringClose, uploads: Pick<RunningUploads, 'has'>) =>
  (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !(socket instanceof Socket)) return void socket.destroy();
    if (closing.has(socket)) return undefined;
    if (error.code === requestTimeout && uploads.has(socket)) return undefined;
    if (!socket.writable) return void socket.destroy();
    socket.end(errorText(faults[error.code ?? ''] ?? malformed));
    return closing.close(socket);
  };

function errorText({ status, message }: Fault): string {
  const body = JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } });
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  );
}
