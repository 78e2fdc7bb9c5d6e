import { openAnswerStore } from '@tallyport/serving/cache';
import { collectLessOften, openBus, runProcess, showStore } from '@tallyport/service-kit';
import { openStore } from '@tallyport/store';
import { checkProviderKeys } from '@tallyport/serving/upstreams';
import { chatConfig, chatModule } from './module.ts';

collectLessOften();
await runProcess({
  name: 'chat-svc',
  config: chatConfig,
  async compose(kit) {
    const bus = await openBus(kit);
    const store = await openStore({ ...(kit.config.REDIS_URL && { url: kit.config.REDIS_URL }) });
    kit.onShutdown('store', () => store.close());
    showStore(kit.metrics, store);
    const answerStore = await openAnswerStore(kit, store);
    return [bus, chatModule(kit, { link: bus.link, store, answerStore })];
  },
  ready: (kit) => void checkProviderKeys(kit),
});
