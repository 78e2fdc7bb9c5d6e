import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from '@tallyport/database';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type FormParts, formOf, openBatch, type OpenedBatch } from '../testing/open-batch.ts';
import { createFolderStorage } from '../storage/folder-storage.ts';
import { sweepFiles } from '../files/sweep-files.ts';
import { downloadShare, uploadShare } from '../files/file-turns.ts';

const accountBytes = 9 * 1024 ** 2;
const accountFiles = 8;
const fileBytes = 10 * 1024 ** 2;

let batch: OpenedBatch;
beforeAll(async () => {
  batch = await openBatch({
    environment: {
      FILES_ACCOUNT_MAX_BYTES: String(accountBytes),
      FILES_ACCOUNT_MAX_FILES: String(accountFiles),
      FILES_MAX_BYTES: String(fileBytes),
    },
  });
});
afterEach(async () => {
  await batch.database.kysely
    .updateTable('files')
    .set({ status: 'deleted', sweep_at: new Date(0) })
    .execute();
  await sweep();
});
afterAll(() => batch.close());

const notRemoved: unknown[] = [];
const sweep = () =>
  sweepFiles({
    database: batch.database,
    storage: createFolderStorage(batch.folder),
    onFailed: (error) => notRemoved.push(error),
  });

const named = (content: string | Buffer<ArrayBuffer>, name = 'notes.txt', type = '') =>
  new File([content], name, { type });
const upload = async (parts: FormParts, asked: { accountId?: string; projectId?: string; anthropic?: boolean } = {}) =>
  batch.read('createFile', { ...asked, ...(await formOf(parts)) });
const store = (content = 'Hello', asked = {}) => upload({ file: named(content), purpose: 'user_data' }, asked);
const idOf = ({ id }: Record<string, unknown>): string => String(id);
const textOf = async (path: string, asked = {}) => {
  const { body } = await batch.ask('fileContent', { path: `${path}/content`, ...asked });
  return Buffer.from(await body.bytes()).toString();
};
const rows = async () =>
  (await batch.database.kysely.selectFrom('files').select(['status', 'bytes']).execute()).map(({ status, bytes }) => [
    status,
    Number(bytes),
  ]);
const keys = () => batch.database.kysely.selectFrom('secrets').select('id').where('purpose', '=', 'file').execute();
const nothingIsLeft = async () => expect([await rows(), await keys(), await batch.stored()]).toEqual([[], [], []]);

describe('a file of a client of OpenAI', () => {
  test('is stored, listed, read and deleted', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const file = await upload({
      purpose: 'batch',
      file: named('{"a":1}\n', 'in/put.jsonl'),
      'expires_after[anchor]': 'created_at',
      'expires_after[seconds]': '3600',
    });
    const created = Number(file['created_at']);
    expect(file).toEqual({
      id: expect.stringMatching(/^file-[0-9a-f]{32}$/),
      object: 'file',
      bytes: 8,
      created_at: created,
      expires_at: created + 3_600,
      filename: 'put.jsonl',
      purpose: 'batch',
      status: 'processed',
    });
    expect(created).toBeGreaterThanOrEqual(before);
    const path = idOf(file);
    expect(await batch.read('getFile', { path })).toEqual(file);
    expect(await batch.read('listFiles')).toEqual({
      object: 'list',
      data: [file],
      first_id: path,
      last_id: path,
      has_more: false,
    });
    const { head, body } = await batch.ask('fileContent', { path: `${path}/content` });
    expect(head).toEqual({
      status: 200,
      headers: {
        'content-type': 'application/jsonl',
        'content-length': '8',
        'content-disposition': "attachment; filename*=UTF-8''put.jsonl",
        'x-content-type-options': 'nosniff',
      },
    });
    expect(Buffer.from(await body.bytes()).toString()).toBe('{"a":1}\n');
    expect(await batch.read('deleteFile', { path })).toEqual({ id: path, object: 'file', deleted: true });
    await expect(batch.ask('getFile', { path })).rejects.toMatchObject({ code: 'not_found' });
    await nothingIsLeft();
  });

  test('is sealed in the storage', async () => {
    const text = 'The treasure is below the palm.';
    const path = idOf(await store(text));
    const [kept = ''] = await batch.stored();
    expect(kept).toBe(path);
    const sealed = await readFile(join(batch.folder, path));
    expect(sealed.length).toBe(text.length + 16);
    expect(sealed.includes('treasure')).toBe(false);
    await writeFile(join(batch.folder, path), sealed.fill(0, 3, 4));
    await expect(textOf(path)).rejects.toMatchObject({ code: 'internal_error' });
  });

  test('may follow its fields or precede them, and has any bytes', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 256));
    for (const parts of [
      { purpose: 'vision', file: named(bytes, 'a.bin') },
      { file: named(bytes, 'a.bin'), purpose: 'vision' },
    ]) {
      const { body } = await batch.ask('fileContent', { path: `${idOf(await upload(parts))}/content` });
      expect(bytes.equals(await body.bytes())).toBe(true);
    }
  });

  test('of a batch expires after 30 days by default, others never', async () => {
    const file = await upload({ purpose: 'batch', file: named('{}') });
    expect(Number(file['expires_at']) - Number(file['created_at'])).toBe(2_592_000);
    expect(await store()).not.toHaveProperty('expires_at');
  });
});

test('lists are in pages, in either order, and of one purpose', async () => {
  const ids: string[] = [];
  for (const purpose of ['user_data', 'vision', 'user_data']) {
    ids.push(idOf(await upload({ purpose, file: named(purpose) })));
  }
  const [first = '', second = '', third = ''] = ids;
  const listed = async (query: string) => {
    const { data, has_more } = (await batch.read('listFiles', { query })) as {
      data: { id: string }[];
      has_more: boolean;
    };
    return [data.map(({ id }) => id), has_more];
  };
  expect(await listed('')).toEqual([[third, second, first], false]);
  expect(await listed('order=asc&limit=2')).toEqual([[first, second], true]);
  expect(await listed(`order=asc&limit=2&after=${second}`)).toEqual([[third], false]);
  expect(await listed(`limit=1&after=${third}`)).toEqual([[second], true]);
  expect(await listed('purpose=vision')).toEqual([[second], false]);
  for (const query of ['limit=0', 'limit=10001', 'limit=x', 'order=up']) {
    await expect(batch.read('listFiles', { query })).rejects.toMatchObject({ code: 'invalid_parameters' });
  }
  await expect(batch.read('listFiles', { query: 'after=file-none' })).rejects.toMatchObject({ code: 'not_found' });
});

test('a file of a client of Anthropic is the same file in the form of its API', async () => {
  const file = await upload(
    { file: named('# Notes', 'notes.md', 'text/markdown'), expires_in_seconds: '7776000' },
    { anthropic: true },
  );
  const createdAt = String(file['created_at']);
  expect(file).toEqual({
    id: expect.stringMatching(/^file_[0-9a-f]{32}$/),
    type: 'file',
    filename: 'notes.md',
    mime_type: 'text/markdown',
    size_bytes: 7,
    created_at: createdAt,
    downloadable: true,
    expires_at: new Date(Date.parse(createdAt) + 7_776_000_000).toISOString(),
  });
  const path = idOf(file);
  const other = idOf(await upload({ file: named('b') }, { anthropic: true }));
  const asked = { anthropic: true };
  expect(await batch.read('getFile', { path, ...asked })).toEqual(file);
  expect(await batch.read('getFile', { path })).toMatchObject({ id: path.replace('_', '-'), purpose: 'user_data' });
  expect(await batch.read('listFiles', { query: 'limit=1', ...asked })).toMatchObject({
    data: [{ id: other }],
    next_page: other,
  });
  expect(await batch.read('listFiles', { query: `limit=1&page=${other}`, ...asked })).toEqual({
    data: [file],
    next_page: null,
  });
  expect(await batch.read('listFiles', { query: `ids=${path}&ids=file_gone`, ...asked })).toEqual({
    data: [file],
    next_page: null,
  });
  expect(await textOf(path, asked)).toBe('# Notes');
  expect(await batch.read('deleteFile', { path, ...asked })).toEqual({ id: path, type: 'file_deleted' });
});

test('other accounts and other projects do not know a file', async () => {
  const path = idOf(await store('secret', { projectId: 'project_a' }));
  const foreign = [
    {},
    { projectId: 'project_b' },
    { accountId: 'other' },
    { accountId: 'other', projectId: 'project_a' },
  ];
  for (const asked of foreign) {
    for (const exchange of ['getFile', 'fileContent', 'deleteFile'] as const) {
      await expect(batch.ask(exchange, { path, ...asked })).rejects.toMatchObject({ code: 'not_found', status: 404 });
    }
    expect(await batch.read('listFiles', asked)).toMatchObject({ data: [] });
    await expect(batch.read('listFiles', { query: `after=${path}`, ...asked })).rejects.toMatchObject({ status: 404 });
  }
  expect(await textOf(path, { projectId: 'project_a' })).toBe('secret');
});

test.each<[string, FormParts, object]>([
  ['without a file', { purpose: 'batch' }, { param: 'file' }],
  [
    'with an empty file',
    { purpose: 'batch', file: named('') },
    { param: 'file', message: 'The file is empty. Send one with content.' },
  ],
  ['without a purpose', { file: named('a') }, { param: 'purpose' }],
  ['with an unknown purpose', { file: named('a'), purpose: 'fun' }, { param: 'purpose' }],
  ['with another file', { purpose: 'batch', file: named('a'), other: named('b') }, { param: 'other' }],
  ['with an unknown field', { purpose: 'batch', file: named('a'), colour: 'red' }, { code: 'unsupported_parameter' }],
  ['with a long field', { purpose: 'b'.repeat(1_025), file: named('a') }, { param: 'purpose' }],
  ['that expires too soon', { purpose: 'batch', file: named('a'), 'expires_after[seconds]': '3599' }, {}],
  ['that expires too late', { purpose: 'batch', file: named('a'), 'expires_after[seconds]': '2592001' }, {}],
  ['with a false image', { purpose: 'vision', file: named('<html>', 'a.png', 'image/png') }, { param: 'file' }],
  [
    'with a false PDF',
    { purpose: 'user_data', file: named('x'.repeat(99), 'a', 'application/pdf') },
    { param: 'file' },
  ],
])('a form %s is refused, and nothing is left of it', async (_what, parts, error) => {
  await expect(upload(parts)).rejects.toMatchObject({ code: 'invalid_parameters', ...error });
  await nothingIsLeft();
});

/** A form whose file has no name. */
function plainForm(boundary: string): Buffer {
  const parts = ['name="purpose"\r\n\r\nuser_data', 'name="file"\r\n\r\nHello'];
  const text = parts.map((part) => `--${boundary}\r\ncontent-disposition: form-data; ${part}\r\n`).join('');
  return Buffer.from(`${text}--${boundary}--\r\n`);
}

const long = 'x'.repeat(71);

test.each([
  ['is no form', 'multipart/form-data; boundary=x', 'hello'],
  ['has no boundary', 'multipart/form-data', 'hello'],
  ['has a long boundary', `multipart/form-data; boundary=${long}`, plainForm(long)],
  ['hides it', `multipart/form-data; other="; boundary=x"; boundary=${long}`, plainForm(long)],
  ['encodes it', `multipart/form-data; boundary*=utf-8''${long}`, plainForm(long)],
  [
    'ends in the middle of its file',
    'multipart/form-data; boundary=x',
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of it',
  ],
])('a body that %s is refused, and nothing is left of it', async (_what, contentType, text) => {
  const asked = { contentType, body: Buffer.from(text) };
  await expect(batch.ask('createFile', asked)).rejects.toMatchObject({ code: 'invalid_parameters' });
  await nothingIsLeft();
});

test('a file without a name is stored, and a boundary may be in quotes', async () => {
  const contentType = 'multipart/form-data; charset=utf-8; boundary="x y"';
  expect(await batch.read('createFile', { contentType, body: plainForm('x y') })).toMatchObject({
    filename: 'unnamed',
    bytes: 5,
  });
});

test('an id with NUL is not found, and a list ignores one', async () => {
  await store();
  await expect(batch.ask('getFile', { path: 'file-\0' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(batch.ask('deleteFile', { path: '\0' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(batch.ask('listFiles', { query: 'after=file-%00' })).rejects.toMatchObject({ code: 'not_found' });
  expect(await batch.read('listFiles', { query: 'purpose=user_data%00' })).toMatchObject({ data: [{ bytes: 5 }] });
});

test('uploads of an account beyond its share wait for their turn', async () => {
  const release = Promise.withResolvers<void>();
  async function* body() {
    yield Buffer.from('--x\r\n');
    await release.promise;
  }
  const slow = Array.from({ length: uploadShare.eachAtOnce }, () =>
    batch.ask('createFile', { body: body(), contentType: 'multipart/form-data; boundary=x' }).catch(() => 'broken'),
  );
  await expect.poll(rows).toHaveLength(uploadShare.eachAtOnce);
  const waiting = store();
  await store('of another account', { accountId: 'other' });
  expect(await rows()).toHaveLength(uploadShare.eachAtOnce + 1);
  release.resolve();
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['broken']));
  expect(await waiting).toMatchObject({ bytes: 5 });
});

test('downloads that are not read leave other accounts their turn, and end it when they are abandoned', async () => {
  const path = `${idOf(await store('x'.repeat(3 * 1024 ** 2)))}/content`;
  const others = `${idOf(await store('Hello', { accountId: 'other' }))}/content`;
  const unread = await Promise.all(
    Array.from({ length: downloadShare.eachAtOnce }, () => batch.ask('fileContent', { path })),
  );
  let waits = true;
  const waiting = batch.ask('fileContent', { path }).finally(() => (waits = false));
  const { body } = await batch.ask('fileContent', { path: others, accountId: 'other' });
  expect((await body.bytes()).toString()).toBe('Hello');
  expect(waits).toBe(true);
  for (const { body } of unread) body.cancel();
  (await waiting).body.cancel();
});

test('a file without a type gets that of its content, or of its name', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const typeOf = async (file: File) => (await upload({ file }, { anthropic: true }))['mime_type'];
  expect(await typeOf(named(png, 'picture'))).toBe('image/png');
  expect(await typeOf(named(png, 'picture', 'image/png'))).toBe('image/png');
  expect(await typeOf(named('%PDF-1.7', 'paper'))).toBe('application/pdf');
  expect(await typeOf(named('a,b', 'table.CSV'))).toBe('text/csv');
  expect(await typeOf(named('a', 'unknown.xyz'))).toBe('application/octet-stream');
});

describe('a file that is too large is refused before it is read whole', () => {
  const start = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
  const endless = (most: number) => {
    let sent = 0;
    async function* body() {
      yield Buffer.from(start);
      for (; sent < most; sent += 65_536) yield Buffer.alloc(65_536, 'a');
      yield Buffer.from('\r\n--x\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nvision\r\n--x--\r\n');
    }
    return { body: body(), contentType: 'multipart/form-data; boundary=x', sent: () => sent };
  };

  test('than the account may still keep', async () => {
    const { sent, ...asked } = endless(100 * 1024 ** 2);
    await expect(batch.ask('createFile', asked)).rejects.toMatchObject({
      code: 'storage_quota_exceeded',
      message: expect.stringContaining(`limit of ${accountBytes} bytes`),
    });
    expect(sent()).toBeLessThan(accountBytes + 2 * 1024 ** 2);
    await nothingIsLeft();
  });

  test('than one file may be', async () => {
    const large = await openBatch({ environment: { FILES_MAX_BYTES: '1000000' } });
    const { sent, ...asked } = endless(100 * 1024 ** 2);
    await expect(large.ask('createFile', asked)).rejects.toMatchObject({
      code: 'request_too_large',
      message: expect.stringContaining('at most 1000000 bytes (FILES_MAX_BYTES)'),
    });
    expect(sent()).toBeLessThan(3 * 1024 ** 2);
    expect(await large.stored()).toEqual([]);
    await large.close();
  });

  test('while uploads at the same time count, too', async () => {
    const five = 5 * 1024 ** 2;
    const outcomes = await Promise.allSettled([
      batch.read('createFile', endless(five)),
      batch.read('createFile', endless(five)),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await rows()).toEqual([['ready', five]]);
  });
});

test('an account keeps as many files as it may, and one beyond is refused', async () => {
  for (let count = 0; count < accountFiles; count += 1) await store();
  await expect(store()).rejects.toMatchObject({
    code: 'storage_quota_exceeded',
    message: expect.stringContaining(`limit of ${accountFiles} files`),
  });
  await store('of another account', { accountId: 'other' });
});

test('an expired file is gone at once, and removed by the sweep', async () => {
  const path = idOf(await store());
  await batch.database.kysely
    .updateTable('files')
    .set({ expires_at: sql<Date>`now() - interval '1 second'`, sweep_at: sql<Date>`now() - interval '1 second'` })
    .execute();
  await expect(batch.ask('getFile', { path })).rejects.toMatchObject({ code: 'not_found' });
  expect(await batch.read('listFiles')).toMatchObject({ data: [] });
  expect(await Promise.all([sweep(), sweep()])).toEqual(expect.arrayContaining([0, 1]));
  await nothingIsLeft();
});

test('nothing is left of an upload whose client leaves', async () => {
  async function* body() {
    yield Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n');
    yield Buffer.alloc(300_000, 'a');
    throw new Error('The client has left.');
  }
  await expect(
    batch.ask('createFile', { body: body(), contentType: 'multipart/form-data; boundary=x' }),
  ).rejects.toBeDefined();
  await expect.poll(async () => [await rows(), await keys(), await batch.stored()]).toEqual([[], [], []]);
});

test('nothing is left of an upload whose replica was killed, once its time is over', async () => {
  const id = 'file-killed';
  await batch.database.kysely
    .insertInto('files')
    .values({
      id,
      account_id: 'default',
      project_id: null,
      status: 'uploading',
      expires_at: null,
      sweep_at: sql<Date>`now() + interval '1 minute'`,
    })
    .execute();
  await writeFile(join(batch.folder, `${id}.part`), 'half');
  expect(await sweep()).toBe(0);
  expect(await batch.stored()).toEqual([`${id}.part`]);
  await batch.database.kysely
    .updateTable('files')
    .set({ sweep_at: sql<Date>`now()` })
    .execute();
  expect(await sweep()).toBe(1);
  await nothingIsLeft();
});
