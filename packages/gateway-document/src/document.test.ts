import { keyChangesSchema } from '@tallyport/contracts';
import {
  accountOperations,
  alertConditionSchema,
  alertOperations,
  keyOperations,
  mcpServerOperations,
  namedRouteSchema,
  newProjectSchema,
  newGuardWebhookSchema,
  newProviderKeySchema,
  oauthOperations,
} from '@tallyport/management';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { gatewayJsonSchema } from './document.ts';

const { properties } = z
  .object({
    properties: z.object({
      accounts: z.object({ additionalProperties: z.looseObject({ properties: z.record(z.string(), z.any()) }) }),
    }),
  })
  .parse(gatewayJsonSchema());
const sections = properties.accounts.additionalProperties.properties;
const membersOf = (section: string): string[] =>
  Object.keys(sections[section].additionalProperties.properties).toSorted();
const settable = (schema: z.ZodObject, ...others: string[]): string[] =>
  Object.keys(schema.shape)
    .filter((name) => !others.includes(name))
    .toSorted();

test('has everything that the operations can set', () => {
  expect(Object.keys(sections.settings.properties).toSorted()).toEqual(
    settable(accountOperations.changeAnyAccount.input, 'id'),
  );
  // A key names its project, where the operation has the id.
  const ofKeys = (schema: z.ZodObject) => [...settable(schema, 'name', 'projectId'), 'project'];
  expect(membersOf('keys')).toEqual(ofKeys(keyOperations.createKey.input).toSorted());
  expect(membersOf('keys')).toEqual([...ofKeys(keyChangesSchema), 'admin', 'key'].toSorted());
  expect(membersOf('projects')).toEqual([...settable(newProjectSchema, 'name'), 'members'].toSorted());
  expect(membersOf('guardWebhooks')).toEqual(settable(newGuardWebhookSchema, 'name'));
  expect(membersOf('providerKeys')).toEqual(
    [...settable(newProviderKeySchema, 'label'), 'enabled', 'position'].toSorted(),
  );
  expect(membersOf('mcpServers')).toEqual(settable(mcpServerOperations.changeMcpServer.input, 'id', 'name'));
  expect(membersOf('alerts')).toEqual(settable(alertOperations.changeAlert.input, 'id', 'name'));
  expect(membersOf('routes')).toEqual(settable(namedRouteSchema, 'name'));
  expect(membersOf('oauthClients')).toEqual(settable(oauthOperations.createOAuthClient.input, 'name'));
});

test('has every condition of alerts', () => {
  const typesOf = (options: readonly { properties: { type: { const: string } } }[]): string[] =>
    options.map(({ properties: { type } }) => type.const);
  const { condition } = sections.alerts.additionalProperties.properties;
  expect(typesOf(condition.oneOf)).toEqual(alertConditionSchema.options.map(({ shape }) => shape.type.value));
});

test('editors accept valid documents and mark wrong members', () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  addFormats.default(ajv);
  const validate = ajv.compile(gatewayJsonSchema());
  const document = (account: object) => ({
    apiVersion: 'tallyport/v1',
    kind: 'Gateway',
    accounts: { default: account },
  });
  const valid = {
    keys: { search: { budget: { amount: '5', period: 'month' } } },
    members: { 'a@example.com': 'owner' },
  };
  expect(validate(document(valid))).toBe(true);
  expect(validate(document({ keys: { search: { rpm: 1 } } }))).toBe(false);
  expect(validate(document({ kyes: {} }))).toBe(false);
});
