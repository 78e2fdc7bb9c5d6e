import { natsLink } from '@switchyard/bus';
import { runProcess } from '@switchyard/service-kit';
import { authProcessConfig } from './config.ts';
import { authModule, keySocket, openConfiguredDatabase } from './module.ts';

await runProcess({
  name: 'auth-svc',
  config: authProcessConfig,
  compose: async (kit) => {
    const database = await openConfiguredDatabase(kit);
    const link = await natsLink({ url: kit.config.NATS_URL, name: kit.name });
    kit.onShutdown('bus', () => link.close());
    const auth = authModule(kit, { link, database });
    return kit.config.DATABASE_URL === undefined ? [auth, keySocket(kit, { link })] : [auth];
  },
});
