import { checkKey } from '@tallyport/contracts';
import { expect, it } from 'vitest';
import { secretsAdministration } from './secrets-administration.ts';
import { secretsCommand } from './secrets-commands.ts';

const administration = secretsAdministration(() => {
  throw new Error('The command needs no configuration.');
});

it('prints a new API key each time, without a database', async () => {
  const print = async () => (await secretsCommand(['generate-key'])?.(administration)) ?? '';
  const [first, second] = [await print(), await print()];
  expect([checkKey(first.trim()), checkKey(second.trim()), first === second]).toEqual([true, true, false]);
});

it.each([[[]], [['generate-key', 'two']], [['print']]])('rejects the words %j', (words) => {
  expect(secretsCommand(words)).toBe(undefined);
});
