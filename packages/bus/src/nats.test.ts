import { linkSuite } from './link.suite.ts';
import { natsLink } from './nats.ts';

linkSuite('the NATS link', async () => {
  const url = process.env.TEST_NATS_URL ?? '';
  const [client, server] = await Promise.all([natsLink({ url, name: 'client' }), natsLink({ url, name: 'server' })]);
  return {
    client: client!,
    server: server!,
    async close() {
      await Promise.all([client!.close(), server!.close()]);
    },
  };
});
