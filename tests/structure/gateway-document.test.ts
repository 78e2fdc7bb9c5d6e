import { managementOperations } from '@tallyport/management';
import { expect, test } from 'vitest';
import { isProduction, readAll } from './sources.ts';

/** Operations that change something and are not part of the gateway document, with the reason. */
const notInDocument: Readonly<Record<string, string>> = {
  cancelAccountBatch: 'ends what a client began',
  changeAccount: 'sets a part of what changeAnyAccount sets',
  changePassword: 'a person does it, with a secret of their own',
  createReconciliation: 'does something once',
  deleteContents: 'does something once; the setting is contentLog',
  deleteOAuthGrant: 'people decide which applications they connect',
  eraseEndUser: 'does something once',
  makePasswordLink: 'does something once, for one person',
  signIn: 'a session of a person',
  signOut: 'a session of a person',
  testAlert: 'does something once',
  testGuardWebhook: 'does something once',
  testMcpServer: 'does something once',
  testProviderKey: 'does something once',
  tryGuardrails: 'changes nothing',
};

const code = readAll('packages/gateway-document/src/**/*.ts').filter(isProduction);

// Fails after an operation was added that sets something: add it to the document, or to the list above.
test('the gateway document has everything that the management API can set', () => {
  const changing = Object.entries(managementOperations).filter(([, { method }]) => method !== 'GET');
  const missing = changing.map(([name]) => name).filter((name) => !code.some(({ text }) => text.includes(`'${name}'`)));
  expect(missing.toSorted()).toEqual(Object.keys(notInDocument));
});
