import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeKey } from '@tallyport/contracts';
import { expect, onTestFinished, test } from 'vitest';
import { runApply } from './apply.ts';

test('says what is wrong with its arguments', async () => {
  const run = async (...words: string[]) => {
    const { code, problems } = await runApply(words, { ADMIN_KEY: makeKey() });
    return [code, problems.split('\n')[0]];
  };
  expect(await run()).toEqual([1, 'Name one document.']);
  expect(await run('a.yaml', 'b.yaml')).toEqual([1, 'Name one document.']);
  expect(await run('a.yaml', '--url', 'gateway')).toEqual([1, '--url must start with http:// or https://.']);
  expect(await run('a.yaml', '--colour')).toEqual([1, expect.stringContaining("'--colour'")]);
  expect(await run('a.yaml', '--key-env', 'OTHER')).toEqual([1, expect.stringContaining('Set OTHER to an admin key')]);
  expect(await run('/none.yaml')).toEqual([1, '/none.yaml cannot be read. Check the path of the document.']);
  const folder = await mkdtemp(join(tmpdir(), 'apply-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'gateway.yaml');
  await writeFile(file, JSON.stringify({ apiVersion: 'tallyport/v1', kind: 'Gateway', accounts: {} }));
  expect(await run(file, '--url', 'http://127.0.0.1:1')).toEqual([
    1,
    'http://127.0.0.1:1 cannot be reached. Check --url, and that it runs.',
  ]);
});
