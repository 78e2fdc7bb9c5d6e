import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { preparedDirectory } from '@tallyport/database/testing';
import { basePathOf, type Simulator, startSimulator } from '@tallyport/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetfulRouting } from '../../packages/serving/src/upstreams/testing/index.ts';
import { type OneProcess, startOneProcess } from '../gateway/one-process.ts';
import { ownerEnvironment } from './owner.ts';
import { ownKey, provider, providerKeysSuite, secondKey, serviceKey } from './provider-keys.suite.ts';

// Processes: what the embedded database writes to its folder.

describe("an account's own provider keys, in one process", () => {
  let simulator: Simulator;
  let gateway: OneProcess;
  beforeAll(async () => {
    simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: [serviceKey, ownKey, secondKey] });
    gateway = await startOneProcess({
      ...forgetfulRouting,
      ...ownerEnvironment,
      DATA_DIR: await preparedDirectory(),
      OPENAI_API_KEY: serviceKey,
      OPENAI_BASE_URL: simulator.url + basePathOf(provider),
      LOG_LEVEL: 'debug',
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await simulator?.close();
    await rm(gateway.directory, { recursive: true });
  });

  providerKeysSuite(() => ({ ...gateway, simulator }));

  test('neither logs nor files contain an own key', async () => {
    expect(await gateway.stop()).toBe(0);
    expect(gateway.output()).not.toContain(ownKey);
    const entries = await readdir(gateway.directory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const contents = await Promise.all(files.map((file) => readFile(file)));
    expect(files.filter((_, at) => contents[at]?.includes(ownKey))).toEqual([]);
    expect(files).toContain(join(gateway.directory, 'secrets-key'));
  });
});
