import type { ServerResponse } from 'node:http';

/** Writes a response body to the socket. `write` returns `false` if the client reads more slowly than bytes arrive. */
export interface BodyWriter {
  write(bytes: Uint8Array): boolean;
  /** Writes the last bytes, if there are any, and ends the body. */
  end(bytes?: Uint8Array): void;
}

/**
 * Up to this size, bytes are written as one latin1 string, which Node joins with the headers into a single write. As a
 * buffer, the same bytes become a gathering write of several pieces and cost half as much again.
 */
export const joinLimit = 16 * 1024;

/** Must be called after `writeHead`. */
export function bodyWriter(response: ServerResponse): BodyWriter {
  return response.chunkedEncoding ? chunkWriter(response) : plainWriter(response);
}

function plainWriter(response: ServerResponse): BodyWriter {
  return {
    write: (bytes) => response.write(bytes),
    end: (bytes) => {
      if (!bytes || bytes.length > joinLimit) response.end(bytes);
      else response.end(latin1(bytes), 'latin1');
    },
  };
}

/** Writes each chunk at once. Node would write its length, its bytes and two line ends separately. */
function chunkWriter(response: ServerResponse): BodyWriter {
  response.chunkedEncoding = false;
  const write = (bytes: Uint8Array): boolean => {
    if (bytes.length === 0) return true;
    const head = `${bytes.length.toString(16)}\r\n`;
    if (bytes.length <= joinLimit) return response.write(`${head}${latin1(bytes)}\r\n`, 'latin1');
    response.write(head, 'latin1');
    response.write(bytes);
    return response.write('\r\n', 'latin1');
  };
  return {
    write,
    end: (bytes) => {
      if (bytes) write(bytes);
      response.end('0\r\n\r\n', 'latin1');
    },
  };
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
