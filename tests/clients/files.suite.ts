import Anthropic from '@anthropic-ai/sdk';
import { createPartFromUri, GoogleGenAI } from '@google/genai';
import OpenAI, { toFile } from 'openai';
import { expect, test } from 'vitest';
import type { Rig } from './rig.ts';

/** Tests the files of the SDKs of OpenAI and Anthropic, through the whole gateway. */
export function filesSuite(rig: () => Rig): void {
  const openai = (apiKey = rig().gateway.apiKey) =>
    new OpenAI({ baseURL: `${rig().gateway.baseUrl}/v1`, apiKey, maxRetries: 0 }).files;
  const anthropic = (base = '') =>
    new Anthropic({ baseURL: rig().gateway.baseUrl + base, apiKey: rig().gateway.apiKey, maxRetries: 0 }).files;
  const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, at) => (at * 13) % 256));

  test('the SDK of OpenAI stores, lists, reads and deletes a file', async () => {
    const file = await openai().create({
      file: await toFile(bytes, 'data.bin'),
      purpose: 'user_data',
      expires_after: { anchor: 'created_at', seconds: 3_600 },
    });
    expect(file).toMatchObject({ object: 'file', bytes: bytes.length, filename: 'data.bin', status: 'processed' });
    expect(file.expires_at).toBe(file.created_at + 3_600);
    expect(await openai().retrieve(file.id)).toEqual(file);
    expect((await openai().list({ purpose: 'user_data' })).data).toEqual([file]);
    const content = await openai().content(file.id);
    expect(content.headers.get('content-length')).toBe(String(bytes.length));
    expect(bytes.equals(Buffer.from(await content.arrayBuffer()))).toBe(true);
    expect(await openai().delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true });
    await expect(openai().retrieve(file.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test('pages of the SDK of OpenAI have every file once', async () => {
    const created: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      created.push((await openai().create({ file: await toFile(Buffer.from(name), name), purpose: 'batch' })).id);
    }
    const ids: string[] = [];
    for await (const { id } of openai().list({ limit: 2, order: 'asc' })) ids.push(id);
    expect(ids).toEqual(created);
    for (const id of ids) await openai().delete(id);
  });

  test.each(['', '/anthropic'])('the SDK of Anthropic stores, lists, reads and deletes a file (%j)', async (base) => {
    const files = anthropic(base);
    const file = await files.upload({
      file: await Anthropic.toFile(bytes, 'data.bin', { type: 'application/octet-stream' }),
      expires_in_seconds: 3_600,
    });
    expect(file).toMatchObject({ type: 'file', size_bytes: bytes.length, filename: 'data.bin', downloadable: true });
    expect(await files.retrieveMetadata(file.id)).toEqual(file);
    expect((await files.list({ limit: 1 })).data).toEqual([file]);
    expect(bytes.equals(Buffer.from(await (await files.download(file.id)).arrayBuffer()))).toBe(true);
    expect(await files.delete(file.id)).toEqual({ id: file.id, type: 'file_deleted' });
    await expect(files.retrieveMetadata(file.id)).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });

  test('both SDKs know the same file', async () => {
    const { id } = await openai().create({
      file: await toFile(Buffer.from('%PDF-1.7'), 'a.pdf'),
      purpose: 'user_data',
    });
    const file = await anthropic().retrieveMetadata(id.replace('file-', 'file_'));
    expect(file).toMatchObject({ filename: 'a.pdf', mime_type: 'application/pdf', size_bytes: 8 });
    await anthropic().delete(file.id);
  });

  test('errors are those of each API', async () => {
    const refused = openai().create({
      file: await toFile(Buffer.from('a'), 'a.png', { type: 'image/png' }),
      purpose: 'vision',
    });
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'invalid_parameters', param: 'file' });
    const empty = anthropic().upload({ file: await Anthropic.toFile(Buffer.alloc(0), 'a') });
    await expect(empty).rejects.toMatchObject({
      status: 400,
      error: {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'The file is empty. Send one with content.' },
      },
    });
  });

  const chat = (id: string) =>
    client().chat.completions.create({
      model: 'openai/gpt-6-luna',
      messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: id } }] }],
    });
  const responses = (id: string) =>
    client().responses.create({
      model: 'openai/gpt-6-luna',
      input: [{ role: 'user', content: [{ type: 'input_file', file_id: id }] }],
    });
  const messages = (id: string) =>
    new Anthropic({
      baseURL: rig().gateway.baseUrl,
      apiKey: rig().gateway.apiKey,
      maxRetries: 0,
    }).beta.messages.create({
      model: 'anthropic/claude-haiku-4-5',
      max_tokens: 100,
      betas: ['files-api-2025-04-14'],
      messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: id } }] }],
    });
  const google = () =>
    new GoogleGenAI({
      apiKey: rig().gateway.apiKey,
      vertexai: false,
      httpOptions: { baseUrl: rig().gateway.baseUrl },
    });
  const client = () =>
    new OpenAI({ baseURL: `${rig().gateway.baseUrl}/v1`, apiKey: rig().gateway.apiKey, maxRetries: 0 });
  const sent = (): string => String(rig().simulator.requests.at(-1)?.body);

  test('a chat, a response, a message, a content and an interaction may name a stored file', async () => {
    const pdf = Buffer.from('%PDF-1.7 the treasure map');
    const { id } = await openai().create({ file: await toFile(pdf, 'map.pdf'), purpose: 'user_data' });
    const data = pdf.toString('base64');
    await chat(id);
    expect(sent()).toContain(`{"filename":"map.pdf","file_data":"data:application/pdf;base64,${data}"}`);
    await responses(id);
    expect(sent()).toContain(`"file_data":"data:application/pdf;base64,${data}"`);
    await messages(id.replace('file-', 'file_'));
    expect(sent()).toContain(`{"type":"base64","media_type":"application/pdf","data":"${data}"}`);
    const model = 'google/gemini-3.8-flash';
    await google().models.generateContent({ model, contents: createPartFromUri(id, 'application/pdf') });
    expect(sent()).toContain(`{"inlineData":{"mimeType":"application/pdf","data":"${data}"}}`);
    await google().interactions.create({ model, input: [{ type: 'document', uri: id, mime_type: 'application/pdf' }] });
    expect(sent()).toContain(`{"type":"document","mime_type":"application/pdf","data":"${data}"}`);
    await openai().delete(id);
  });

  test('an unknown file is not found in the form of each API, and no provider is called', async () => {
    const id = `file-${'0'.repeat(32)}`;
    const before = rig().simulator.requests.length;
    const notFound = { status: 404, code: 'not_found' };
    await expect(chat(id)).rejects.toMatchObject({ ...notFound, param: 'messages[0].content[0].file.file_id' });
    await expect(responses(id)).rejects.toMatchObject({ ...notFound, param: 'input[0].content[0].file_id' });
    await expect(messages(id)).rejects.toMatchObject({
      status: 404,
      error: {
        type: 'error',
        error: {
          type: 'not_found_error',
          message: expect.stringContaining(`messages[0].content[0].source.file_id: there is no file ${id}`),
        },
      },
    });
    expect(rig().simulator.requests.length).toBe(before);
  });
}
