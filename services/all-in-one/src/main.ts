import { ensureLocalKey } from '@tallyport/auth-svc';
import { checkProviderKeys } from '@tallyport/chat-svc';
import { sharedModel } from '@tallyport/sandbox';
import { runProcess } from '@tallyport/service-kit';
import { noteAddress } from './address-file.ts';
import { checkStart } from './check-start.ts';
import { composeAll, type Composition } from './compose.ts';
import { allInOneConfig } from './config.ts';
import { callableModel, providerKeysText } from './provider-keys.ts';
import { welcome } from './welcome.ts';

let composition: Composition | undefined;

await runProcess({
  name: 'tallyport',
  config: allInOneConfig,
  check: checkStart,
  async compose(kit) {
    composition = await composeAll(kit);
    return composition.parts;
  },
  async ready(kit) {
    if (!composition) return;
    const { config } = kit;
    const { database, edge, link, setupPath, sandboxUrl } = composition;
    const keyChecks = checkProviderKeys(kit);
    // The operator knows a key they chose themselves, so it stays out of terminals and logs.
    const isOwnKey = config.BOOTSTRAP_API_KEY !== undefined;
    const key = isOwnKey ? '$BOOTSTRAP_API_KEY' : (await ensureLocalKey(database, config.DATA_DIR)).key;
    const url = config.BASE_URL ?? edge.address();
    if (config.DATABASE_URL === undefined) await noteAddress(url, config.DATA_DIR);
    const text = welcome({
      url,
      key,
      isOwnKey,
      setupPath: setupPath(),
      sandbox: config.SANDBOX,
      sandboxUrl,
      providers: keyChecks.providers,
      model: sandboxUrl === undefined ? await callableModel(link, keyChecks.providers) : sharedModel,
    });
    process.stdout.write(text);
    // A vendor that does not answer must not delay the welcome text.
    void keyChecks.done.then((checked) => process.stdout.write(providerKeysText(checked)));
  },
});
