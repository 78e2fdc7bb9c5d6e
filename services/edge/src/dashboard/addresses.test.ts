import { expect, test } from 'vitest';
import { createAddresses } from './addresses.ts';

const lookUp = async (name: string) => {
  if (name === 'console-svc') return ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((address) => ({ address, family: 4 }));
  if (name === 'six') return [{ address: 'fd00::1', family: 6 }];
  throw new Error(`getaddrinfo ENOTFOUND ${name}`);
};

test('every request starts at another address of the name', async () => {
  const addresses = createAddresses(() => ['http://console-svc:4004'], lookUp);
  const [one, two, three] = [1, 2, 3].map((last) => `http://10.0.0.${last}:4004`);
  expect([await addresses(), await addresses(), await addresses(), await addresses()]).toEqual([
    [one, two, three],
    [two, three, one],
    [three, one, two],
    [one, two, three],
  ]);
});

test('several URLs, names and addresses count alike', async () => {
  const addresses = createAddresses(() => ['http://six:1', 'http://127.0.0.1:2', 'http://[::1]:3']);
  await expect(addresses()).rejects.toThrow('ENOTFOUND');
  const known = createAddresses(() => ['http://six:1', 'http://console-svc'], lookUp);
  expect(await known()).toEqual(['http://[fd00::1]:1', 'http://10.0.0.1', 'http://10.0.0.2', 'http://10.0.0.3']);
  const numeric = createAddresses(() => ['http://127.0.0.1:2', 'http://[::1]:3']);
  expect(await numeric()).toEqual(['http://127.0.0.1:2', 'http://[::1]:3']);
});

test('addresses that change are used at once', async () => {
  let replicas = ['10.0.0.1'];
  const addresses = createAddresses(
    () => ['http://console-svc:4004'],
    async () => replicas.map((address) => ({ address, family: 4 })),
  );
  await addresses();
  replicas = ['10.0.0.9'];
  expect(await addresses()).toEqual(['http://10.0.0.9:4004']);
});
