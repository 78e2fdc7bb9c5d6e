import { createClient } from '@redis/client';

/** Changes a setting of a running server. */
export async function configureRedis(url: string, setting: string, value: string): Promise<void> {
  const client = await createClient({ url }).connect();
  await client.configSet(setting, value);
  await client.close();
}
