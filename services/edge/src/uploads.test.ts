import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { patient } from '../../../tests/support/patience.ts';
import { type GatedEdge, openGatedEdge } from './testing/gated-edge.ts';

const mebibyte = 1024 ** 2;
const pauseMs = patient(1_000);

describe('an upload at the edge', () => {
  let edge: GatedEdge;
  beforeAll(async () => {
    edge = await openGatedEdge({
      MAX_BODY_BYTES: String(mebibyte),
      MAX_INFLIGHT_BYTES: String(2 * mebibyte),
      FILES_MAX_BYTES: String(64 * mebibyte),
      UPLOAD_TIMEOUT_MS: String(pauseMs),
    });
  });
  beforeEach(() => void (edge.services.uploadedBytes = 0));
  afterAll(() => edge.stop());

  /** Begins an upload of so many bytes, in chunks of the test. */
  async function begin(length: number, headers = ''): Promise<{ socket: Socket; answer: Promise<string> }> {
    const socket = connect({ port: edge.port, host: '127.0.0.1' });
    let text = '';
    socket.on('data', (data) => (text += data.toString()));
    socket.on('error', () => undefined);
    const answer = once(socket, 'close').then(() => text);
    socket.write(
      `POST /v1/files HTTP/1.1\r\nhost: x\r\nx-api-key: a-key\r\ncontent-type: multipart/form-data; boundary=x\r\n` +
        `content-length: ${length}\r\nconnection: close\r\n${headers}\r\n`,
    );
    return { socket, answer };
  }

  test('may be larger than all bodies together, which it leaves their memory', async () => {
    edge.services.uploads.close();
    const bytes = 40 * mebibyte;
    const sending = send(edge, bytes);
    await expect.poll(async () => (await edge.held()).bytes).toBe(mebibyte);
    edge.services.uploads.open();
    expect((await sending).status).toBe(200);
    expect(edge.services.uploadedBytes).toBe(bytes);
    await expect.poll(async () => (await edge.held()).bytes).toBe(0);
  });

  test('waits for its service: what is not read stays with the client', async () => {
    edge.services.uploads.close();
    const { socket, answer } = await begin(64 * mebibyte);
    const piece = Buffer.alloc(mebibyte);
    let accepted = 0;
    // Until the buffers of the connection are full, which is longer than a pause would be allowed.
    for (let isFull = false; !isFull && accepted < 64; accepted += 1) {
      if (!socket.write(piece)) isFull = !(await Promise.race([once(socket, 'drain'), silence(2 * pauseMs)]));
    }
    expect(accepted).toBeLessThan(40);
    edge.services.uploads.open();
    // Edge closes connections whose other half has ended.
    socket.write(Buffer.alloc((64 - accepted) * mebibyte));
    expect((await answer).split('\r\n')[0]).toBe('HTTP/1.1 200 OK');
    expect(edge.services.uploadedBytes).toBe(64 * mebibyte);
  });

  test('may take longer than other requests, while its bytes arrive', async () => {
    const pieces = 12;
    const { socket, answer } = await begin(pieces);
    let sent = 0;
    const timer = setInterval(() => {
      socket.write('x');
      if (++sent === pieces) clearInterval(timer);
    }, pauseMs / 4);
    expect((await answer).split('\r\n')[0]).toBe('HTTP/1.1 200 OK');
    expect(sent).toBe(pieces);
  });

  test.each([
    ['', { error: { type: 'timeout_error', code: 'deadline_exceeded' } }],
    ['anthropic-version: 2026-10-21\r\n', { type: 'error', error: { type: 'invalid_request_error' } }],
  ])('that pauses for too long is refused (%j)', async (headers, body) => {
    const { socket, answer } = await begin(10, headers);
    socket.write('x');
    const [head = '', text = ''] = (await answer).split('\r\n\r\n');
    expect(head.split('\r\n')[0]).toBe('HTTP/1.1 408 Request Timeout');
    expect(JSON.parse(text)).toMatchObject(body);
    expect(text).toContain(`No byte of the upload arrived for ${pauseMs} ms (UPLOAD_TIMEOUT_MS).`);
  });

  test('without a key gets the error of its API', async () => {
    expect(await (await send(edge, 10, { 'x-api-key': '' })).json()).toMatchObject({
      error: { code: 'invalid_api_key' },
    });
    expect(await (await send(edge, 10, { 'x-api-key': '', 'anthropic-version': '2026-10-21' })).json()).toMatchObject({
      type: 'error',
      error: { type: 'authentication_error' },
    });
  });
});

test('an upload has a limit of its own, and one byte beyond it is refused', async () => {
  const edge = await openGatedEdge({ MAX_BODY_BYTES: String(mebibyte), FILES_MAX_BYTES: String(2 * mebibyte) });
  onTestFinished(() => edge.stop());
  const most = 2 * mebibyte + 64 * 1024;
  expect((await send(edge, most)).status).toBe(200);
  const refused = await send(edge, most + 1);
  expect(refused.status).toBe(413);
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('(FILES_MAX_BYTES)') } });
});

test.each(['gzip', 'zstd'] as const)('an upload that is a bomb of %s is read up to its limit', async (encoding) => {
  const edge = await openGatedEdge({ MAX_BODY_BYTES: String(mebibyte), FILES_MAX_BYTES: String(2 * mebibyte) });
  onTestFinished(() => edge.stop());
  const bytes = Buffer.alloc(256 * mebibyte);
  const body = encoding === 'gzip' ? gzipSync(bytes, { level: 1 }) : zstdCompressSync(bytes);
  expect(body.length).toBeLessThan(2 * mebibyte);
  const refused = await post(edge, body, { 'content-encoding': encoding });
  expect([refused.status, await refused.json()]).toMatchObject([413, { error: { code: 'request_too_large' } }]);
  expect(edge.services.uploadedBytes).toBeLessThanOrEqual(2 * mebibyte + 64 * 1024);
  await expect.poll(async () => (await edge.held()).bytes).toBe(0);
});

const send = (edge: GatedEdge, bytes: number, headers: Record<string, string> = {}): Promise<Response> =>
  post(edge, Buffer.alloc(bytes), headers);

const post = (edge: GatedEdge, body: Buffer<ArrayBuffer>, headers: Record<string, string>): Promise<Response> =>
  fetch(`http://127.0.0.1:${edge.port}/v1/files`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'x-api-key': 'a-key', ...headers },
    body,
  });

// Pause: buffers are full if nothing is read for a while.
const silence = (ms: number): Promise<false> => new Promise((resolve) => setTimeout(resolve, ms, false));
