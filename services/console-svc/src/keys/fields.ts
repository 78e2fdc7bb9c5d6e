import type { FieldSpec } from '@tallyport/pages';
import { projectField } from '../projects/fields.ts';
import {
  budgetFields,
  cacheField,
  endUserBudgetFields,
  limitFields,
  limitsText,
  promptCachingField,
  tiersField,
} from '../screen/limit-fields.ts';

const nameField: FieldSpec = {
  name: 'name',
  label: 'Name',
  kind: 'text',
  required: true,
  placeholder: 'checkout service',
  hint: 'A name to recognise the key: who or what uses it.',
};

const expiryField: FieldSpec = {
  name: 'expiresAt',
  label: 'Expires at',
  kind: 'time',
  unit: 'UTC',
  hint: 'Leave empty for a key without expiry.',
};

const adminField: FieldSpec = {
  name: 'admin',
  label: 'Admin key: may use the management API',
  kind: 'flag',
  hint: 'Anyone with this key can create keys, invite members and change this account.',
};

const allowedFields: readonly FieldSpec[] = [
  {
    name: 'allowedModels',
    label: 'Models',
    kind: 'lines',
    placeholder: 'all models',
    hint: 'One per line, with their ids as on the page Models.',
  },
  {
    name: 'allowedProviders',
    label: 'Providers',
    kind: 'lines',
    placeholder: 'all providers',
    hint: 'One per line, as on the page Providers.',
  },
  tiersField,
  {
    name: 'allowedAddresses',
    label: 'Addresses',
    kind: 'lines',
    placeholder: 'any address',
    hint: 'Client addresses or ranges that may use the key, for example 203.0.113.0/24.',
  },
];

const groupsWith = (first: readonly FieldSpec[]) => [
  { fields: first },
  { title: 'Access', text: 'Leave empty to allow everything the account may use.', fields: allowedFields },
  { title: 'Limits', text: limitsText, fields: limitFields },
  {
    title: 'Budget and cache',
    fields: [...budgetFields, ...endUserBudgetFields, cacheField, promptCachingField('key')],
  },
];

type Projects = Parameters<typeof projectField>[0];

/** The fields in groups, in the order shown. Without projects there is none to choose. */
export const newKeyGroups = (mayMakeAdmins: boolean, projects: Projects) =>
  groupsWith([nameField, expiryField, ...ofProjects(projects), ...(mayMakeAdmins ? [adminField] : [])]);

export const keyGroups = (projects: Projects) => groupsWith([nameField, expiryField, ...ofProjects(projects)]);

const ofProjects = (projects: Projects): FieldSpec[] => (projects.length > 0 ? [projectField(projects)] : []);
