import { openDatabase } from '@tallyport/database';
import { createTestDatabase } from '@tallyport/database/testing';
import { expect, it } from 'vitest';
import { oneReplica } from './one-replica.ts';

it('works for one replica at a time, and for the next one afterwards', async () => {
  const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  const [one, other] = [await openDatabase({ url }), await openDatabase({ url })];
  try {
    const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    const first = oneReplica(one, () => {
      started.resolve();
      return finish.promise;
    });
    await started.promise;
    expect(await oneReplica(other, async () => 'meanwhile')).toBe(undefined);
    finish.resolve('first');
    expect(await first).toBe('first');
    expect(await oneReplica(other, async () => 'afterwards')).toBe('afterwards');
    await expect(oneReplica(one, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await oneReplica(other, async () => 'after a failure')).toBe('after a failure');
  } finally {
    await Promise.all([one.close(), other.close()]);
    await drop();
  }
});
