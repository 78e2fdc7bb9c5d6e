import { expect, test } from 'vitest';
import { createAccountShares, mostAtOnce, mostRead } from './account-shares.ts';

const server = (id: string) => ({ id, name: `docs-${id}` });
const entered = (count: number, enter: () => () => void): (() => void)[] => Array.from({ length: count }, enter);

test('a server may have 100 calls at once, and one more is refused until one has ended', () => {
  const shares = createAccountShares(() => 0);
  const [exit] = entered(mostAtOnce.server, shares.of('acc_1', server('1')).enter);
  expect(() => shares.of('acc_1', server('1')).enter()).toThrow('The MCP server docs-1 may have 100 calls at once.');
  exit?.();
  entered(1, shares.of('acc_1', server('1')).enter);
  expect(() => shares.of('acc_1', server('1')).enter()).toThrow();
});

test('the servers of an account may have 200 calls at once, and those of another account are not affected', () => {
  const shares = createAccountShares(() => 0);
  entered(mostAtOnce.account / 2, shares.of('acc_1', server('1')).enter);
  entered(mostAtOnce.account / 2, shares.of('acc_1', server('2')).enter);
  expect(() => shares.of('acc_1', server('3')).enter()).toThrow("Your account's MCP servers together may have 200");
  entered(mostAtOnce.server, shares.of('acc_2', server('4')).enter);
});

test('what an account has read at once is not waited for, and one byte more is', async () => {
  const shares = createAccountShares(() => 0);
  const left = new AbortController();
  const share = shares.of('acc_1', server('1'));
  await share.pace(mostRead.atOnce, left.signal);
  const waiting = shares.of('acc_1', server('2')).pace(mostRead.perSecond * 3_600, left.signal);
  await shares.of('acc_2', server('3')).pace(mostRead.atOnce, left.signal);
  left.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
});
