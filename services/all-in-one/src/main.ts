import { ensureLocalKey } from '@switchyard/auth-svc';
import { providersWithKey } from '@switchyard/catalog-svc';
import { sharedModel } from '@switchyard/sandbox';
import { runProcess } from '@switchyard/service-kit';
import { noteAddress } from './address-file.ts';
import { checkStart } from './check-start.ts';
import { composeAll, type Composition } from './compose.ts';
import { allInOneConfig } from './config.ts';
import { welcome } from './welcome.ts';

let composition: Composition | undefined;

await runProcess({
  name: 'switchyard',
  config: allInOneConfig,
  check: checkStart,
  async compose(kit) {
    composition = await composeAll(kit);
    return composition.parts;
  },
  async ready({ config }) {
    if (!composition) return;
    const { database, edge, setupPath, sandboxUrl } = composition;
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
      providers: providersWithKey(config),
      model: sandboxUrl === undefined ? undefined : sharedModel,
    });
    process.stdout.write(text);
  },
});
