import type { FieldSpec } from '@tallyport/pages';
import { budgetFields, endUserBudgetFields, limitFields, tiersField } from '../screen/limit-fields.ts';

const nameField: FieldSpec = {
  name: 'name',
  label: 'Name',
  kind: 'text',
  required: true,
  placeholder: 'search',
  hint: 'The team or the product whose keys it has.',
};

/** The fields in groups, in the order shown. */
export const projectGroups = [
  { fields: [nameField] },
  {
    title: 'Budget',
    text: 'Of all keys of the project together, within the budget of the account.',
    fields: [...budgetFields, ...endUserBudgetFields],
  },
  {
    title: 'Limits',
    text: 'Of all keys of the project together. Leave empty for no limit; those of the account always apply.',
    fields: limitFields,
  },
  {
    title: 'Access',
    text: 'Of all keys of the project together. Leave empty to allow all that the keys may use.',
    fields: [tiersField],
  },
] as const;

export const projectFields: readonly FieldSpec[] = projectGroups.flatMap(({ fields }) => fields);

export const projectRoleField: FieldSpec = {
  name: 'role',
  label: 'Role',
  kind: 'choice',
  required: true,
  initial: 'member',
  hint: 'Members create keys in the project; admins also manage all its keys and members.',
  choices: [
    { value: 'member', text: 'member' },
    { value: 'admin', text: 'admin' },
  ],
};

/** Chooses the project of a key. */
export const projectField = (projects: readonly { id: string; name: string }[]): FieldSpec => ({
  name: 'projectId',
  label: 'Project',
  kind: 'choice',
  hint: 'Its limits and budget also apply, and usage counts for it.',
  choices: [{ value: '', text: 'none' }, ...projects.map(({ id, name }) => ({ value: id, text: name }))],
});
