import { natsLink } from '@tallyport/bus/nats';
import { openDatabase } from '@tallyport/database';
import { openStore } from '@tallyport/store';

/**
 * Connects as a service does and prints the outcome as JSON: `node tests/connections/connect.ts redis URL`. A process of
 * its own, because Node reads NODE_EXTRA_CA_CERTS when it starts.
 */
const connectors: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  async redis(url) {
    const store = await openStore({ url });
    const state = await store.ping(1_000);
    await store.close();
    return state;
  },
  async postgres(url) {
    const database = await openDatabase({ url });
    const state = await database.check(2_000);
    await database.close();
    return state;
  },
  async nats(url) {
    const link = await natsLink({ url, name: 'test' });
    const connected = link.connected();
    await link.close();
    return { connected };
  },
};

const [kind = '', url = ''] = process.argv.slice(2);
const outcome = await connectors[kind]?.(url).catch((error: unknown) => ({ refused: String(error) }));
process.stdout.write(JSON.stringify(outcome));
