import { type FieldSpec, type FieldValues, inputOf, problemAt } from '@tallyport/pages';

/** The vendors whose bill can be read with an admin key. */
async function vendorsWithReport(): Promise<readonly string[]> {
  const { costReports } = await import('@tallyport/providers/cost-reports');
  return [...costReports.keys()];
}

const scopeField: FieldSpec = {
  name: 'scope',
  label: 'Usage of',
  kind: 'choice',
  choices: [
    { value: 'account', text: 'this account’s own provider keys' },
    { value: 'installation', text: 'the installation’s keys, by all accounts' },
  ],
};

const periodFields: readonly FieldSpec[] = [
  { name: 'from', label: 'From', kind: 'day', required: true, hint: 'Whole days in UTC that are over, at most 92.' },
  { name: 'to', label: 'To', kind: 'day', required: true },
];

const reportFields: readonly FieldSpec[] = [
  {
    name: 'adminKey',
    label: 'Admin key',
    kind: 'secret',
    autocomplete: 'new-password',
    hint: 'It is used for this comparison only. It is not stored and not shown again.',
  },
];

const csvFields: readonly FieldSpec[] = [
  {
    name: 'csv',
    label: 'Bill as CSV',
    kind: 'document',
    placeholder: 'Day,Model,Cost',
    hint: 'With a line of column names, at most 524,288 characters.',
  },
  {
    name: 'map',
    label: 'Names',
    kind: 'document',
    placeholder: '{ "columns": { "day": "Day", "model": "Model", "amount": "Cost" } }',
    hint: 'The columns of the CSV, and the vendor’s names of keys and models, as JSON.',
  },
];

export async function fieldGroups(operator: boolean) {
  const suggestions = await vendorsWithReport();
  const vendorField: FieldSpec = { name: 'vendor', label: 'Vendor', kind: 'text', required: true, suggestions };
  return [
    { fields: [vendorField, ...periodFields] },
    ...(operator ? [{ title: 'What the ledger compares', fields: [scopeField] }] : []),
    {
      title: 'The bill, read with a key',
      text: `For ${suggestions.join(', ')}. The key is one that may read the costs of the whole organisation there.`,
      fields: reportFields,
    },
    {
      title: 'Or the bill as CSV',
      text: 'For any vendor. Names also help to compare a bill read with a key.',
      fields: csvFields,
    },
  ];
}

/** The input of the management API. */
export function comparisonInput(groups: Awaited<ReturnType<typeof fieldGroups>>, posted: FieldValues): object {
  const { map, ...input } = inputOf(
    groups.flatMap(({ fields }) => fields),
    posted,
  );
  return map === undefined ? input : { ...input, map: parsedMap(String(map)) };
}

function parsedMap(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw problemAt('map', 'This is not JSON.');
  }
}
