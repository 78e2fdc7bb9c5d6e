import { expect, test } from 'vitest';
import { imageCallOf, imageContextOf, imageOfferOf } from '../testing/images.ts';
import { alibabaImage } from './image.ts';

const read = (body: unknown, model = 'qwen-image-plus') =>
  alibabaImage.response(body, imageContextOf(alibabaImage, model));
const entry = (image: string) => ({ message: { role: 'assistant', content: [{ image }] }, finish_reason: 'stop' });
const part = (url: string) => ({ source: { url, mediaType: 'image/png' } });

test.each([
  ['https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'https://dashscope-intl.aliyuncs.com/api/v1'],
  ['https://dashscope.aliyuncs.com/compatible-mode/v1/', 'https://dashscope.aliyuncs.com/api/v1'],
  ['https://dashscope-us.aliyuncs.com/api/v1', 'https://dashscope-us.aliyuncs.com/api/v1'],
  ['http://127.0.0.1:4010/alibaba', 'http://127.0.0.1:4010/alibaba/api/v1'],
  [undefined, 'https://dashscope-intl.aliyuncs.com/api/v1'],
])('derives the image address of chat address %s: %s', (baseUrl, images) => {
  expect(alibabaImage.address?.({ baseUrl, setting: () => undefined })).toEqual({ baseUrl: images });
});

test('reads images from several choices and from several entries of one choice', () => {
  expect(read({ output: { choices: [entry('https://a.example/1'), entry('https://a.example/2')] } })).toEqual({
    kind: 'made',
    images: [part('https://a.example/1'), part('https://a.example/2')],
    failures: [],
  });
  const content = [{ text: 'Here' }, { image: 'https://a.example/1' }, { image: 'https://a.example/2' }];
  expect(read({ output: { choices: [{ message: { content } }] } })).toMatchObject({
    images: [part('https://a.example/1'), part('https://a.example/2')],
  });
});

test('starts a job for older models', () => {
  const { path, headers, body } = alibabaImage.request(imageCallOf({ n: 2 }), imageOfferOf(alibabaImage, 'wan2.5-t2i'));
  expect(path).toBe('/services/aigc/text2image/image-synthesis');
  expect(headers).toMatchObject({ 'x-dashscope-async': 'enable' });
  expect(JSON.parse(body)).toEqual({
    model: 'wan2.5-t2i',
    input: { prompt: 'A red bird' },
    parameters: { n: 2, watermark: false },
  });
});

test.each(['PENDING', 'RUNNING'])('keeps polling a job that is %s', (state) => {
  expect(read({ output: { task_id: 'a/b', task_status: state } })).toEqual({
    kind: 'waiting',
    next: { method: 'GET', path: '/tasks/a%2Fb', headers: { accept: 'application/json' }, body: '' },
    afterMs: 2_000,
  });
});

test('reads the images and the failures of a finished job', () => {
  const results = [
    { url: 'https://a.example/1', orig_prompt: 'A red bird', actual_prompt: 'A very red bird' },
    { code: 'DataInspectionFailed', message: 'Output data may contain inappropriate content.' },
  ];
  expect(read({ output: { task_id: 'a', task_status: 'SUCCEEDED', results } })).toMatchObject({
    kind: 'made',
    images: [{ ...part('https://a.example/1'), revisedPrompt: 'A very red bird' }],
    failures: [{ code: 'content_policy_violation', domain: 'policy' }],
  });
});

test.each([
  [{ task_status: 'FAILED', code: 'InvalidParameter', message: 'Too long.' }, 'invalid_parameters', 'caller'],
  [{ task_status: 'FAILED', code: 'DataInspectionFailed', message: 'No.' }, 'content_policy_violation', 'policy'],
  [{ task_status: 'FAILED', code: 'InternalError', message: 'Oh.' }, 'upstream_error', 'provider'],
  [{ task_status: 'CANCELED' }, 'upstream_error', 'provider'],
  [{ task_status: 'UNKNOWN' }, 'upstream_error', 'provider'],
])('fails for a job that ended with %j', (output, code, domain) => {
  expect(() => read({ output: { task_id: 'a', ...output } })).toThrow(expect.objectContaining({ code, domain }));
});

test('reads an error that has status 200', () => {
  const body = { request_id: 'a', code: 'Throttling.RateQuota', message: 'Slow down.' };
  expect(() => read(body)).toThrow(expect.objectContaining({ code: 'upstream_error', domain: 'provider' }));
  const wrong = { code: 'InvalidParameter', message: 'num_images_per_prompt must be 1' };
  expect(alibabaImage.error(400, {}, wrong)).toMatchObject({ code: 'invalid_parameters', domain: 'caller' });
  const poor = { code: 'Arrearage', message: 'Pay.' };
  expect(alibabaImage.error(400, {}, poor)).toMatchObject({ code: 'upstream_auth', domain: 'provider' });
});
