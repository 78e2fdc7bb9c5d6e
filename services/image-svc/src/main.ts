import { openAnswerStore } from '@tallyport/serving/cache';
import { collectLessOften, openBus, runProcess, showStore } from '@tallyport/service-kit';
import { openStore } from '@tallyport/store';
import { imageConfig, imageModule } from './module.ts';

collectLessOften();
await runProcess({
  name: 'image-svc',
  config: imageConfig,
  async compose(kit) {
    const bus = await openBus(kit);
    const store = await openStore({ ...(kit.config.REDIS_URL && { url: kit.config.REDIS_URL }) });
    kit.onShutdown('store', () => store.close());
    showStore(kit.metrics, store);
    const answerStore = await openAnswerStore(kit, store);
    return [bus, imageModule(kit, { link: bus.link, store, answerStore })];
  },
});
