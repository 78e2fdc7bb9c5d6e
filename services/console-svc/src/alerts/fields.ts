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
  hint: 'Messages begin with it.',
};

const hourFields: readonly FieldSpec[] = [
  {
    name: 'condition.hours',
    label: 'Period in hours',
    kind: 'number',
    initial: '1',
    hint: 'The current hour is the first: with 1, what happened since the full hour. At most 168.',
  },
  {
    name: 'condition.atLeast',
    label: 'At least',
    kind: 'number',
    unit: 'calls or requests',
    initial: '10',
    hint: 'With fewer in the period, the alert stays as it is.',
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
  ownerField('Budget of', owners),
];

const costFields = (owners: OfferedOwners): readonly FieldSpec[] => [
  {
    name: 'condition.above',
    label: 'Cost of a day, more than',
    kind: 'number',
    decimals: true,
    unit: 'USD',
    required: true,
    hint: 'A day begins at midnight UTC.',
  },
  ownerField('Cost of', owners),
];

const ownerField = (label: string, owners: OfferedOwners): FieldSpec => ({
  name: 'of',
  label,
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
});

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

const keyField = (owners: OfferedOwners, all: string): FieldSpec => ({
  name: 'condition.key',
  label: 'Key',
  kind: 'choice',
  ...hintOf(owners),
  choices: [{ value: '', text: all }, ...owners.keys.map(({ id, name }) => ({ value: id, text: `the key ${name}` }))],
});

const modelField: FieldSpec = {
  name: 'condition.model',
  label: 'Model',
  kind: 'text',
  placeholder: 'all models',
  hint: 'Its full name, as on the page Models.',
};

const latencyFields: readonly FieldSpec[] = [
  {
    name: 'condition.above',
    label: 'p95 of the latency, above',
    kind: 'number',
    unit: 'milliseconds',
    required: true,
    initial: '10000',
    hint: '95 of 100 requests are answered faster.',
  },
  modelField,
  ...hourFields,
];

const errorFields = (owners: OfferedOwners): readonly FieldSpec[] => [
  {
    name: 'condition.above',
    label: 'Share of failed requests above',
    kind: 'number',
    decimals: true,
    unit: 'per cent',
    required: true,
    initial: '5',
  },
  modelField,
  keyField(owners, 'all keys'),
  {
    name: 'condition.per',
    label: 'Judge',
    kind: 'choice',
    choices: [
      { value: '', text: 'all these requests together' },
      { value: 'key', text: 'each key' },
      { value: 'model', text: 'each model' },
    ],
  },
  ...hourFields,
];

const expiryFields = (owners: OfferedOwners): readonly FieldSpec[] => [
  { name: 'condition.days', label: 'Days before it expires', kind: 'number', required: true, initial: '14' },
  keyField(owners, 'each key'),
];

const differenceFields = (suggestions: readonly string[]): readonly FieldSpec[] => [
  {
    name: 'condition.above',
    label: 'Difference, more than',
    kind: 'number',
    decimals: true,
    unit: 'per cent',
    required: true,
    initial: '1',
    hint: 'By the newest result of npm run reconcile.',
  },
  { name: 'condition.vendor', label: 'Vendor', kind: 'text', placeholder: 'each vendor', suggestions },
];

function conditionFields(form: AlertForm): readonly FieldSpec[] {
  switch (form.type) {
    case 'budget':
      return budgetFields(form.owners);
    case 'provider_uptime':
      return uptimeFields(form.providers);
    case 'error_rate':
      return errorFields(form.owners);
    case 'key_expiry':
      return expiryFields(form.owners);
    case 'vendor_difference':
      return differenceFields(form.providers);
    case 'latency':
      return latencyFields;
    case 'daily_cost':
      return costFields(form.owners);
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
    hint: 'A POST request is sent here.',
  },
  {
    name: 'webhook.format',
    label: 'Message format',
    kind: 'choice',
    onlyWith: 'webhook.url',
    choices: [
      { value: 'standard', text: 'Standard Webhooks, signed' },
      { value: 'slack', text: 'Slack' },
      { value: 'teams', text: 'Microsoft Teams' },
    ],
    hint: 'For Slack and Teams, enter the address that their webhook or workflow shows.',
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
    text: `They learn when the alert fires and when it is resolved.${form.hasEmail ? '' : ' E-mail needs the setting SMTP_URL.'}`,
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
  if (!('scope' in condition)) return undefined;
  return condition.id === undefined ? condition.scope : `${condition.scope}:${condition.id}`;
}
