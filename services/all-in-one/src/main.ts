import { checkProviderKeys } from '@tallyport/chat-svc';
import { collectLessOften, runProcess } from '@tallyport/service-kit';
import { checkStart } from './check-start.ts';
import { compose, type Composition } from './compose.ts';
import { allInOneConfig } from './config.ts';
import { composedServices, runsAll } from './services.ts';
import { showWelcome } from './show-welcome.ts';

let composition: Composition | undefined;

await runProcess({
  name: 'tallyport',
  config: allInOneConfig,
  check: checkStart,
  async compose(kit) {
    if (!runsAll(kit.config)) collectLessOften();
    composition = await compose(kit);
    return composition.parts;
  },
  async ready(kit) {
    if (composition && runsAll(kit.config)) await showWelcome(kit, composition);
    else if (composedServices(kit.config).includes('chat-svc')) checkProviderKeys(kit);
  },
});
