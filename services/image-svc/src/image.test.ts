import { createClient, inProcessLink } from '@switchyard/bus';
import { imageService } from '@switchyard/contracts';
import { createKit, createMetrics, readConfig, silentLog } from '@switchyard/service-kit';
import { expect, test } from 'vitest';
import { imageConfig, imageModule } from './module.ts';

test.each(['generate', 'edit'] as const)(
  '%s says that images are not built yet, until the service has stopped',
  async (operation) => {
    const link = inProcessLink();
    const metrics = createMetrics({ defaults: false });
    const config = readConfig(imageConfig, { environment: {} });
    const part = imageModule(createKit({ name: 'image-svc', config, log: silentLog(), metrics }), { link });
    await part.start?.();
    const image = createClient(link, imageService);
    const head = { requestId: 'r1', timeoutMs: 5000, headers: {} };
    const ask = () => image[operation]({ head, body: new Uint8Array(100_000) });
    await expect(ask()).rejects.toMatchObject({
      code: 'unavailable',
      status: 503,
      message: 'Images are not built yet in this version. Chat completions are.',
    });
    expect(await metrics.text()).toContain(`gateway_image_requests_total{op="${operation}",outcome="unavailable"} 1`);
    await part.stop?.(1000);
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    await link.close();
  },
);
