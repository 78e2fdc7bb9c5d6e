import { natsLink } from '@tallyport/bus/nats';
import { appHandlerSuite } from './app-handler.suite.ts';

appHandlerSuite('an app behind the NATS link', async () => {
  const url = process.env.TEST_NATS_URL ?? '';
  const [client, server] = [await natsLink({ url, name: 'client' }), await natsLink({ url, name: 'server' })];
  return { client, server, close: async () => void (await Promise.all([client.close(), server.close()])) };
});
