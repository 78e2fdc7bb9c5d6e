import type { AlertCondition, AlertRecord } from '@tallyport/management';
import { type FieldSpec, type FieldValues, fieldValues, type FormPart, inputOf } from '@tallyport/pages';
import type { ConditionType } from './condition-text.ts';
import { mostKeys, type OfferedOwners } from './offered-owners.ts';

export interface AlertForm {
  type: ConditionType;
  owners: OfferedOwners;
  providers: readonly string[];
  /** Whether this installation sends e-mail. */
  hasEmail: boolean;
}

const nameField: FieldSpec = {
  name: 'name',
  label: 'Name',
  kind: 'text',
  required: true,
  hint: 'It is in the messages.',
};

const hourFields: readonly FieldSpec[] = [
  {
    name: 'condition.hours',
    label: 'Hours that count',
    kind: 'number',
    initial: '1',
    hint: 'The current hour is the first: with 1, what happened since the full hour. At most 168.',
  },
  {
    name: 'condition.atLeast',
    label: 'Judged from',
    kind: 'number',
    unit: 'calls or requests',
    initial: '10',
    hint: 'With less, one failure would be an alert.',
  },
];

const budgetFields = (owners: OfferedOwners): readonly FieldSpec[] => [
  {
    name: 'condition.percent',
    label: 'Part that is spent',
    kind: 'number',
    unit: 'per cent',
    required: true,
    initial: '80',
  },
  {
    name: 'of',
    label: 'Budget of',
    kind: 'choice',
    required: true,
    ...hintOf(owners),
    choices: [
      { value: 'account', text: 'the account' },
      ...(owners.projects.length > 0 ? [{ value: 'project', text: 'each project' }] : []),
      ...owners.projects.map(({ id, name }) => ({ value: `project:${id}`, text: `the project ${name}` })),
      { value: 'key', text: 'each key' },
      ...owners.keys.map(({ id, name }) => ({ value: `key:${id}`, text: `the key ${name}` })),
    ],
  },
];

const hintOf = ({ hasMoreKeys, search }: OfferedOwners): Pick<FieldSpec, 'hint'> =>
  hasMoreKeys
    ? { hint: `The ${mostKeys} newest keys${search ? ' that match' : ''} are offered. Search for another one above.` }
    : {};

const uptimeFields = (suggestions: readonly string[]): readonly FieldSpec[] => [
  {
    name: 'condition.below',
    label: 'Calls that succeed, less than',
    kind: 'number',
    decimals: true,
    unit: 'per cent',
    required: true,
    initial: '95',
  },
  { name: 'condition.provider', label: 'Provider', kind: 'text', placeholder: 'each provider', suggestions },
  ...hourFields,
];

const errorFields: readonly FieldSpec[] = [
  {
    name: 'condition.above',
    label: 'Requests that fail, more than',
    kind: 'number',
    decimals: true,
    unit: 'per cent',
    required: true,
    initial: '5',
  },
  {
    name: 'condition.model',
    label: 'Model',
    kind: 'text',
    placeholder: 'all models',
    hint: 'Its full name, as in GET /v1/models.',
  },
  ...hourFields,
];

const expiryFields = (owners: OfferedOwners): readonly FieldSpec[] => [
  { name: 'condition.days', label: 'Days before it expires', kind: 'number', required: true, initial: '14' },
  {
    name: 'condition.key',
    label: 'Key',
    kind: 'choice',
    ...hintOf(owners),
    choices: [
      { value: '', text: 'each key' },
      ...owners.keys.map(({ id, name }) => ({ value: id, text: `the key ${name}` })),
    ],
  },
];

function conditionFields(form: AlertForm): readonly FieldSpec[] {
  switch (form.type) {
    case 'budget':
      return budgetFields(form.owners);
    case 'provider_uptime':
      return uptimeFields(form.providers);
    case 'error_rate':
      return errorFields;
    case 'key_expiry':
      return expiryFields(form.owners);
    default:
      return form.type satisfies never;
  }
}

const receiverFields = ({ hasEmail }: AlertForm): readonly FieldSpec[] => [
  {
    name: 'webhook.url',
    label: 'Webhook',
    kind: 'text',
    placeholder: 'https://hooks.example.com/tallyport',
    hint: 'A signed POST request is sent here. Slack and Mattermost understand it.',
  },
  ...(hasEmail
    ? [
        {
          name: 'emails',
          label: 'E-mail addresses',
          kind: 'lines',
          hint: 'One per line, at most ten. Each gets a link first, to agree; a test sends it again.',
        } as const,
      ]
    : []),
];

export const alertGroups = (form: AlertForm): FormPart['groups'] => [
  { fields: [nameField, ...conditionFields(form)] },
  {
    title: 'Receivers',
    text: 'They learn when the alert fires and when it is resolved.',
    fields: receiverFields(form),
  },
];

const fieldsOf = (form: AlertForm): FieldSpec[] => alertGroups(form).flatMap(({ fields }) => fields);

/** Members that follow from the type of the alert and from `of`. */
const derivedFields: readonly FieldSpec[] = ['type', 'scope', 'id'].map((name) => ({
  name: `condition.${name}`,
  label: name,
  kind: 'text',
}));

/** The posted fields as input of the management API. */
export function alertInput(form: AlertForm, values: FieldValues, { emptied }: { emptied: boolean }): object {
  const specs = fieldsOf(form).filter(({ name }) => name !== 'of');
  const derived = { 'condition.type': form.type, ...ownerOf(values['of']) };
  return inputOf([...derivedFields, ...specs], { ...values, ...derived }, { emptied });
}

/** `of` is a scope, or a scope, a colon and an id. */
function ownerOf(of: string | undefined): FieldValues {
  if (of === undefined) return {};
  const [scope = '', id] = of.split(':');
  return { 'condition.scope': scope, ...(id !== undefined && { 'condition.id': id }) };
}

export const alertValues = (form: AlertForm, alert: AlertRecord): FieldValues =>
  fieldValues(fieldsOf(form), { ...alert, of: chosenOwner(alert.condition) });

function chosenOwner(condition: AlertCondition): string | undefined {
  if (condition.type !== 'budget') return undefined;
  return condition.id === undefined ? condition.scope : `${condition.scope}:${condition.id}`;
}
