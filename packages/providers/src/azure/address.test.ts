import { expect, test } from 'vitest';
import { vendorOffer } from '../testing/translate.ts';
import { azureAddress } from './address.ts';
import { azure } from './chat.ts';

const offer = vendorOffer(azure, { modelName: 'my gpt' });

const urlOf = (baseUrl: string, version?: string, own = '/chat/completions'): string => {
  const address = azureAddress({ baseUrl, setting: (name) => (name === 'AZURE_API_VERSION' ? version : undefined) });
  if ('missing' in address) return address.missing;
  return address.baseUrl + (address.path?.(own, offer) ?? own);
};

const resource = 'https://r.openai.azure.com';
const old = `${resource}/openai/deployments/my%20gpt/chat/completions?api-version=`;

test.each([
  [`${resource}/openai/v1`, undefined, `${resource}/openai/v1/chat/completions`],
  [`${resource}/openai/v1/`, 'preview', `${resource}/openai/v1/chat/completions?api-version=preview`],
  [resource, undefined, `${resource}/openai/v1/chat/completions`],
  [`${resource}/openai`, undefined, `${resource}/openai/v1/chat/completions`],
  [resource, '2024-10-21', `${old}2024-10-21`],
  [`${resource}/openai`, '2025-04-01-preview', `${old}2025-04-01-preview`],
  [`${resource}/openai/deployments`, undefined, `${old}2024-10-21`],
  [
    'https://r.services.ai.azure.com/models',
    '2024-05-01-preview',
    'https://r.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview',
  ],
  ['http://127.0.0.1:9/azure', '2024-10-21', `http://127.0.0.1:9/azure${old.slice(resource.length)}2024-10-21`],
])('%s with version %s', (baseUrl, version, url) => {
  expect(urlOf(baseUrl, version)).toBe(url);
});

test.each([
  [resource, undefined, `${resource}/openai/v1/responses`],
  [resource, '2024-10-21', `${resource}/openai/v1/responses`],
  [`${resource}/openai/deployments`, undefined, `${resource}/openai/v1/responses`],
  [`${resource}/openai/v1`, 'preview', `${resource}/openai/v1/responses?api-version=preview`],
])('Responses are at the new address of %s with version %s', (baseUrl, version, url) => {
  expect(urlOf(baseUrl, version, '/responses')).toBe(url);
});

test.each([
  [resource, '2024-10-21', `${resource}/openai/v1/realtime?model=m`],
  [`${resource}/openai/v1`, 'preview', `${resource}/openai/v1/realtime?model=m`],
])('Realtime sessions are at the new address of %s with version %s', (baseUrl, version, url) => {
  expect(urlOf(baseUrl, version, '/realtime?model=m')).toBe(url);
});

test('reports a missing base URL', () => {
  expect(azureAddress({ baseUrl: undefined, setting: () => undefined })).toEqual({ missing: 'AZURE_BASE_URL' });
});
