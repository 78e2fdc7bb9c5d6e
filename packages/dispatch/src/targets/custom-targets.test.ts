import {
  chatProviders,
  customImageProvider,
  customProvider,
  findImageProvider,
  imageProviders,
} from '@tallyport/providers';
import { expect, test } from 'vitest';
import { withCustomProviders } from './custom-targets.ts';
import { type ProviderAccess, readTargets, type Target } from './targets.ts';

const access = (stem: string): ProviderAccess => ({
  keys: stem === 'OWN_ENDPOINT' ? ['one', 'two'] : [],
  baseUrl: stem === 'MOVED' ? 'http://127.0.0.1:9/x' : undefined,
});
const target = (origin: string, pathPrefix: string, headers: Record<string, string> = {}): Target => ({
  origin,
  pathPrefix,
  headers,
});
const own = { id: 'own-endpoint', baseUrl: 'https://own.example/v1', keyVariable: 'OWN_ENDPOINT' };
const open = { id: 'open', baseUrl: 'http://127.0.0.1:8000/v1/', keyVariable: 'OPEN', needsKey: false };
const locked = { id: 'locked', baseUrl: 'https://locked.example', keyVariable: 'LOCKED' };
const moved = { id: 'moved', baseUrl: 'https://moved.example', keyVariable: 'MOVED', needsKey: false };

test('custom providers follow the catalogue', () => {
  const targets = withCustomProviders(readTargets([], access), customProvider, access);
  expect(targets.obstacle('own-endpoint')).toBe('there is no adapter for own-endpoint');

  targets.setCustom([own, open, locked, moved]);
  expect(targets.all('own-endpoint')).toEqual([
    target('https://own.example', '/v1', { authorization: 'Bearer one' }),
    target('https://own.example', '/v1', { authorization: 'Bearer two' }),
  ]);
  expect(targets.find('open')).toEqual(target('http://127.0.0.1:8000', '/v1'));
  expect(targets.find('moved')).toEqual(target('http://127.0.0.1:9', '/x'));
  expect(targets.obstacle('locked')).toBe('set LOCKED_API_KEY to use locked');
  expect(targets.custom?.('own-endpoint')?.id).toBe('own-endpoint');

  targets.setCustom([open]);
  expect(targets.obstacle('own-endpoint')).toBe('there is no adapter for own-endpoint');
  expect([targets.all('own-endpoint'), targets.custom?.('own-endpoint')]).toEqual([[], undefined]);
});

test('a custom provider cannot take the name of a built-in one, even if that has no key', () => {
  const [chatting] = chatProviders.filter(({ id, auth }) => auth.kind === 'bearer' && !findImageProvider(id));
  const [painting] = imageProviders.filter(({ auth }) => auth.kind !== 'none');
  const custom = [chatting, painting].map((provider) => ({ ...open, id: provider?.id ?? '' }));
  const chats = withCustomProviders(readTargets(chatProviders, access), customProvider, access);
  const images = withCustomProviders(readTargets(imageProviders, access), customImageProvider, access);
  for (const targets of [chats, images]) {
    const before = custom.map(({ id }) => targets.obstacle(id));
    targets.setCustom(custom);
    const told = custom.map(({ id }) => [targets.obstacle(id), targets.all(id), targets.custom?.(id)]);
    expect(told).toEqual(before.map((obstacle) => [obstacle, [], undefined]));
    expect(before).not.toContain(undefined);
  }
});
