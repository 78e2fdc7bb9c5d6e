import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ImageBench, startImageBench } from './testing/image-bench.ts';
import { bombOf, pictureBytes, pictureOf } from './testing/pictures.ts';

let bench: ImageBench;
beforeAll(async () => {
  bench = await startImageBench({ environment: { MAX_BODY_BYTES: '1048576', IMAGE_MAX_PIXELS: '1000000' } });
});
afterAll(async () => {
  await bench.close();
  expect(bench.simulator.requests).toEqual([]);
});

const model = 'sandbox-image';
const validRequest = { model, prompt: 'a lamp' };

const refused = async (answer: ReturnType<ImageBench['generate']>) => {
  const { error } = await answer;
  return { status: error?.status, code: error?.code, param: error?.param };
};

describe('generations', () => {
  test.each<[string, object, string, string]>([
    ['no prompt', { model }, 'invalid_parameters', 'prompt'],
    ['an empty prompt', { ...validRequest, prompt: ' ' }, 'invalid_parameters', 'prompt'],
    ['a prompt that is not text', { ...validRequest, prompt: 7 }, 'invalid_parameters', 'prompt'],
    ['no images', { ...validRequest, n: 0 }, 'invalid_parameters', 'n'],
    ['eleven images', { ...validRequest, n: 11 }, 'invalid_parameters', 'n'],
    ['one and a half images', { ...validRequest, n: 1.5 }, 'invalid_parameters', 'n'],
    ['URLs', { ...validRequest, response_format: 'url' }, 'unsupported_parameter', 'response_format'],
    ['an animation', { ...validRequest, output_format: 'gif' }, 'invalid_parameters', 'output_format'],
    ['frames', { ...validRequest, frame_count: 4 }, 'unsupported_parameter', 'frame_count'],
    ['a drawing', { ...validRequest, svg: {} }, 'unsupported_parameter', 'svg'],
    ['another complexity', { ...validRequest, complexity: 'max' }, 'invalid_parameters', 'complexity'],
    ['a stream that is text', { ...validRequest, stream: 'true' }, 'invalid_parameters', 'stream'],
    [
      'four partial images',
      { ...validRequest, stream: true, partial_images: 4 },
      'invalid_parameters',
      'partial_images',
    ],
    ['a mask', { ...validRequest, mask: 'x' }, 'unsupported_parameter', 'mask'],
    ['an unknown style', { ...validRequest, style: 'cubist' }, 'invalid_parameters', 'style'],
    ['an invalid size', { ...validRequest, size: 'large' }, 'invalid_parameters', 'size'],
    ['an unknown format', { ...validRequest, output_format: 'gif' }, 'invalid_parameters', 'output_format'],
    ['too much compression', { ...validRequest, output_compression: 101 }, 'invalid_parameters', 'output_compression'],
    [
      'a transparent JPEG',
      { ...validRequest, background: 'transparent', output_format: 'jpeg' },
      'invalid_parameters',
      'background',
    ],
    ['a text model', { ...validRequest, model: 'sandbox' }, 'unsupported_capability', 'model'],
  ])('%s', async (_name, body, code, param) => {
    expect(await refused(bench.generate(body))).toEqual({ status: 400, code, param });
  });

  test('a hundred thousand values', async () => {
    const { error } = await bench.generate({ ...validRequest, list: Array(100_000).fill(0) });
    expect([error?.status, error?.code]).toEqual([413, 'request_too_large']);
  });

  test('an unknown model', async () => {
    expect(await refused(bench.generate({ ...validRequest, model: 'nobody' }))).toEqual({
      status: 404,
      code: 'model_not_found',
      param: 'model',
    });
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{"prompt":'],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('%s', async (_name, bytes) => {
    const body = Buffer.from(bytes as string);
    expect(await refused(bench.generate(body))).toEqual({ status: 400, code: 'invalid_json', param: undefined });
  });

  test('a body that is not an object', async () => {
    expect(await refused(bench.generate([1]))).toEqual({ status: 400, code: 'invalid_parameters', param: '' });
  });

  test('a body at its limit is read, and one beyond it is too large', async () => {
    const filled = (bytes: number) => {
      const rest = JSON.stringify({ model, prompt: '', filler: '' }).length;
      return JSON.stringify({ model, prompt: '', filler: 'x'.repeat(bytes - rest) });
    };
    expect(await refused(bench.generate(Buffer.from(filled(1_048_576))))).toMatchObject({ param: 'prompt' });
    expect(await refused(bench.generate(Buffer.from(filled(1_048_577))))).toMatchObject({
      status: 413,
      code: 'request_too_large',
    });
  });
});

describe('edits', () => {
  const edit = (url: unknown) => bench.edit({ ...validRequest, images: [{ image_url: url }] });

  test.each<[string, object, string, string]>([
    ['no images', validRequest, 'invalid_parameters', 'images'],
    ['an empty list', { ...validRequest, images: [] }, 'invalid_parameters', 'images'],
    [
      'seventeen',
      { ...validRequest, images: Array(17).fill({ image_url: 'https://x.example/a.png' }) },
      'invalid_parameters',
      'images',
    ],
    ['an image that is not an object', { ...validRequest, images: ['x'] }, 'invalid_parameters', 'images[0]'],
    ['a file id', { ...validRequest, images: [{ file_id: 'f' }] }, 'invalid_parameters', 'images[0].image_url'],
    ['another size', { ...validRequest, size: '7x7', images: [{ image_url: 'x' }] }, 'invalid_parameters', 'size'],
    [
      'another quality',
      { ...validRequest, quality: 'hd', images: [{ image_url: 'x' }] },
      'invalid_parameters',
      'quality',
    ],
    ['a markup', { ...validRequest, markup: { image_url: 'x' } }, 'unsupported_parameter', 'markup'],
    [
      'a mask by file id',
      { ...validRequest, images: [{ image_url: 'x' }], mask: { file_id: 'f' } },
      'invalid_parameters',
      'mask.image_url',
    ],
  ])('%s', async (_name, body, code, param) => {
    expect(await refused(bench.edit(body))).toEqual({ status: 400, code, param });
  });

  test('a mask without transparency', async () => {
    const images = [{ image_url: await pictureOf('png') }];
    const mask = { image_url: await pictureOf('jpeg') };
    const refusal = { status: 400, code: 'invalid_parameters', param: 'mask.image_url' };
    expect(await refused(bench.edit({ ...validRequest, images, mask }))).toEqual(refusal);
    expect(await refused(bench.edit({ ...validRequest, images, mask: { image_url: 'x' } }))).toEqual(refusal);
  });

  const png = async () => (await pictureBytes('png')).toString('base64');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');

  test.each<[string, () => Promise<string> | string]>([
    ['an empty text', () => ''],
    ['no URL', () => 'picture.png'],
    ['a file', () => 'file:///etc/hostname'],
    ['an SVG', () => `data:image/svg+xml;base64,${svg}`],
    ['an SVG called PNG', () => `data:image/png;base64,${svg}`],
    ['no bytes', () => 'data:image/png;base64,'],
    ['no base64', () => 'data:image/png,abc'],
    ['text', () => `data:image/png;base64,${Buffer.from('not an image at all').toString('base64')}`],
    ['a PNG that is broken off', async () => `data:image/png;base64,${(await png()).slice(0, 80)}`],
    ['a PNG of which only the mark came', async () => `data:image/png;base64,${(await png()).slice(0, 16)}`],
    ['a JPEG that is broken off', async () => (await pictureOf('jpeg')).slice(0, -120)],
    ['a WebP that is broken off', async () => (await pictureOf('webp')).slice(0, -16)],
    ['a bomb', () => `data:image/png;base64,${bombOf(60_000).toString('base64')}`],
    ['plain http', () => 'http://example.com/a.png'],
    ['a private address', () => 'https://10.0.0.1/a.png'],
    ['metadata of a cloud', () => 'https://169.254.169.254/latest/meta-data'],
    ['loopback', () => 'https://127.0.0.1/a.png'],
    ['loopback in IPv6', () => 'https://[::1]/a.png'],
  ])('%s', async (_name, url) => {
    const param = 'images[0].image_url';
    expect(await refused(edit(await url()))).toEqual({ status: 400, code: 'invalid_parameters', param });
  });

  test('a loopback name that the gateway would have to fetch', async () => {
    const images = [{ image_url: 'https://localhost/a.png' }];
    expect(await refused(bench.edit({ ...validRequest, model: 'gemini-2.5-flash-image', images }))).toEqual({
      status: 400,
      code: 'invalid_parameters',
      param: 'images[0].image_url',
    });
  });

  test('accepts the maximum number of pixels, but not one more row', async () => {
    const picture = async (height: number) => {
      const bytes = await sharp({ create: { width: 1000, height, channels: 3, background: 'red' } })
        .png()
        .toBuffer();
      return { image_url: `data:image/png;base64,${bytes.toString('base64')}` };
    };
    // The second image is reported only if the first one is valid.
    const images = [await picture(1000), await picture(1001)];
    const { error } = await bench.edit({ ...validRequest, images });
    expect(error).toMatchObject({ param: 'images[1].image_url', message: expect.stringContaining('1000x1001') });
  });

  test('data after the end of a photograph is harmless', async () => {
    const [, photograph = ''] = (await pictureOf('jpeg')).split(',');
    const bytes = Buffer.concat([Buffer.from(photograph, 'base64'), Buffer.alloc(5_000)]);
    const { error } = await bench.edit({
      ...validRequest,
      images: [{ image_url: `data:image/jpeg;base64,${bytes.toString('base64')}` }, { image_url: '' }],
    });
    expect(error?.param).toBe('images[1].image_url');
  });
});

describe('forms', () => {
  const send = async (form: FormData, type?: string) => {
    const sent = new Response(form);
    const headers = { 'content-type': type ?? sent.headers.get('content-type') ?? '' };
    return refused(bench.edit(Buffer.from(await sent.arrayBuffer()), { headers }));
  };
  const filled = async (changes: Readonly<Record<string, string>> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...validRequest, ...changes })) form.set(name, value);
    form.set('image', new Blob([await pictureBytes('png')]), 'a.png');
    return form;
  };

  test('a mask that is no PNG, and two masks', async () => {
    const form = await filled();
    form.set('mask', new Blob([await pictureBytes('jpeg')]), 'mask.png');
    expect(await send(form)).toEqual({ status: 400, code: 'invalid_parameters', param: 'mask' });
    form.set('mask', new Blob([await pictureBytes('png')]), 'mask.png');
    form.append('mask', new Blob([await pictureBytes('png')]), 'mask.png');
    expect(await send(form)).toEqual({ status: 400, code: 'invalid_parameters', param: 'mask' });
  });

  test.each<[string, Record<string, string>, string]>([
    ['n of no number', { n: 'two' }, 'n'],
    ['n of too many', { n: '11' }, 'n'],
    ['an invalid size', { size: '3x3' }, 'size'],
    ['an empty prompt', { prompt: '' }, 'prompt'],
  ])('%s', async (_name, changes, param) => {
    expect(await send(await filled(changes))).toEqual({ status: 400, code: 'invalid_parameters', param });
  });

  test('no image', async () => {
    const form = new FormData();
    form.set('prompt', 'a lamp');
    expect(await send(form)).toEqual({ status: 400, code: 'invalid_parameters', param: 'image' });
  });

  test('a file that is not an image', async () => {
    const form = await filled();
    form.append('image[]', new Blob(['text']), 'b.png');
    form.delete('image');
    expect(await send(form)).toEqual({ status: 400, code: 'invalid_parameters', param: 'image[0]' });
  });

  test('seventeen images', async () => {
    const form = await filled();
    const picture = new Blob([await pictureBytes('png')]);
    for (let index = 0; index < 16; index++) form.append('image[]', picture, 'b.png');
    expect(await send(form)).toEqual({ status: 400, code: 'invalid_parameters', param: 'image' });
  });

  test.each([
    ['no boundary', 'multipart/form-data'],
    ['another boundary', 'multipart/form-data; boundary=other'],
  ])('%s', async (_name, type) => {
    expect(await send(await filled(), type)).toMatchObject({ status: 400, code: 'invalid_parameters' });
  });

  test.each(['', '"'])(
    'reads a boundary of the maximum length and refuses a longer one (in quotes: %j)',
    async (quote) => {
      const sentWith = async (length: number) => {
        const boundary = 'b'.repeat(length);
        const body = `--${boundary}\r\ncontent-disposition: form-data; name="prompt"\r\n\r\na lamp\r\n--${boundary}--\r\n`;
        const headers = { 'content-type': `multipart/form-data; charset=utf-8; boundary=${quote}${boundary}${quote}` };
        const { error } = await bench.edit(Buffer.from(body), { headers });
        return [error?.status, error?.code, error?.message];
      };
      expect(await sentWith(70)).toEqual([400, 'invalid_parameters', '`image` must be one or more files.']);
      expect(await sentWith(71)).toEqual([
        400,
        'invalid_parameters',
        'The form is invalid: its boundary is longer than 70 characters.',
      ]);
    },
  );

  test('a form that breaks off', async () => {
    const sent = new Response(await filled());
    const headers = { 'content-type': sent.headers.get('content-type') ?? '' };
    const bytes = Buffer.from(await sent.arrayBuffer());
    for (const end of [bytes.length - 10, bytes.length - 60, 100, 10]) {
      expect(await refused(bench.edit(bytes.subarray(0, end), { headers }))).toMatchObject({ status: 400 });
    }
  });
});
