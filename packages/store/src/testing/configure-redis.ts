import { createClient } from 'redis';

/** Changes a running server, as its administrator would. */
export async function configureRedis(url: string, setting: string, value: string): Promise<void> {
  const client = await createClient({ url }).connect();
  await client.configSet(setting, value);
  await client.close();
}
