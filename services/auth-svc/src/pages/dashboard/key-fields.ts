import type { FieldSpec } from './field-spec.ts';
import { budgetFields, cacheField, limitFields, limitsText } from './limit-fields.ts';

const nameField: FieldSpec = {
  name: 'name',
  label: 'Name',
  kind: 'text',
  required: true,
  placeholder: 'checkout service',
  hint: 'For people to recognise it by: who or what uses this key.',
};

const expiryField: FieldSpec = {
  name: 'expiresAt',
  label: 'Works until',
  kind: 'time',
  unit: 'UTC',
  hint: 'Empty: until it is revoked.',
};

const adminField: FieldSpec = {
  name: 'admin',
  label: 'Admin key: may use the management API',
  kind: 'flag',
  hint: 'Whoever has it can make keys, invite people and change what this account may do.',
};

const allowedFields: readonly FieldSpec[] = [
  {
    name: 'allowedModels',
    label: 'Models',
    kind: 'lines',
    placeholder: 'all models',
    hint: 'One a line, as in GET /v1/models.',
  },
  {
    name: 'allowedProviders',
    label: 'Providers',
    kind: 'lines',
    placeholder: 'all providers',
    hint: 'One a line, as in GET /v1/providers.',
  },
  {
    name: 'allowedAddresses',
    label: 'Addresses',
    kind: 'lines',
    placeholder: 'from anywhere',
    hint: 'Addresses or ranges its requests may come from, such as 203.0.113.0/24.',
  },
];

const groupsWith = (first: readonly FieldSpec[]) => [
  { fields: first },
  { title: 'What it may ask for', text: 'Empty: everything the account may.', fields: allowedFields },
  { title: 'Limits', text: limitsText, fields: limitFields },
  { title: 'Budget and cache', fields: [...budgetFields, cacheField] },
];

/** In groups, as they are shown. */
export const newKeyGroups = (mayMakeAdmins: boolean) =>
  groupsWith([nameField, expiryField, ...(mayMakeAdmins ? [adminField] : [])]);

export const keyGroups = groupsWith([nameField, expiryField]);
