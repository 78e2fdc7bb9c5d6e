import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImageBench, startImageBench } from './testing/image-bench.ts';

let bench: ImageBench;
beforeAll(async () => {
  bench = await startImageBench();
});
afterAll(() => bench.close());

test('an image is made and told with all that is known of it', async () => {
  const { status, headers, body } = await bench.generate({ prompt: 'a lamp', model: 'sandbox-image', size: '64x32' });
  expect(status).toBe(200);
  expect(headers).toEqual({
    'content-type': 'application/json; charset=utf-8',
    'content-length': expect.stringMatching(/^\d+$/),
    'server-timing': expect.stringMatching(/^plan;dur=[\d.]+, upstream;dur=[\d.]+$/),
    'x-switchyard-attempts': '1',
    'x-switchyard-cache': 'BYPASS',
    'x-switchyard-model': 'sandbox-a/sandbox-image',
    'x-switchyard-provider': 'sandbox-a',
  });
  const { provider, model } = { provider: 'sandbox-a', model: 'sandbox-image' };
  expect(body).toEqual({
    created: expect.any(Number),
    data: [{ b64_json: expect.stringMatching(/^iVBORw0KGgo/) }],
    ...{ background: 'opaque', output_format: 'png', quality: 'medium', size: '64x32' },
    usage: expect.objectContaining({ images: 1, cost: 0.04, output_tokens: expect.any(Number) }),
    metadata: {
      ...{ request_id: 'req_test', requested_model: model, requested_provider: null, used_model: model },
      ...{ used_provider: provider, cached: false },
      routing: [
        { provider, model, status_code: 200, error_type: 'none', succeeded: true, duration_ms: expect.any(Number) },
      ],
    },
  });
});
