import { type FieldSpec, type FieldValues, inputOf } from '@tallyport/pages';

const placeFields: readonly FieldSpec[] = [
  {
    name: 'name',
    label: 'Name',
    kind: 'text',
    required: true,
    placeholder: 'docs',
    hint: 'Begins the names of its tools: docs__search. Lower-case letters, digits and hyphens.',
  },
  {
    name: 'url',
    label: 'URL',
    kind: 'text',
    required: true,
    placeholder: 'https://docs.example/mcp',
    hint: 'https, at a public address, or at a private one of the setting PRIVATE_TARGETS.',
  },
];

const typeField: FieldSpec = {
  name: 'auth.type',
  label: 'Authentication',
  kind: 'choice',
  required: true,
  choices: [
    { value: 'none', text: 'none' },
    { value: 'header', text: 'a header' },
    { value: 'client_credentials', text: 'OAuth client credentials' },
  ],
};

const secret = (name: string, label: string): FieldSpec => ({
  name,
  label,
  kind: 'secret',
  autocomplete: 'new-password',
  hint: 'It is stored encrypted and never shown again.',
});

const headerFields: readonly FieldSpec[] = [
  { name: 'auth.name', label: 'Name of the header', kind: 'text', placeholder: 'Authorization' },
  secret('auth.value', 'Value of the header'),
];

const oauthFields: readonly FieldSpec[] = [
  { name: 'auth.tokenUrl', label: 'Token URL', kind: 'text', placeholder: 'https://login.example.com/token' },
  { name: 'auth.clientId', label: 'Client ID', kind: 'text' },
  secret('auth.clientSecret', 'Client secret'),
  { name: 'auth.scope', label: 'Scope', kind: 'text' },
  { name: 'auth.resource', label: 'Resource', kind: 'text', hint: 'Only if the authorization server expects it.' },
];

export const keptAuth = 'keep';

/** A changed server may keep its authentication, which is never shown. */
export const serverGroups = ({ isNew }: { isNew: boolean }) => [
  {
    fields: [
      ...placeFields,
      isNew
        ? typeField
        : { ...typeField, choices: [{ value: keptAuth, text: 'as it is' }, ...(typeField.choices ?? [])] },
    ],
  },
  { title: 'Header', onlyFor: { name: typeField.name, value: 'header' }, fields: headerFields },
  {
    title: 'OAuth client credentials',
    onlyFor: { name: typeField.name, value: 'client_credentials' },
    fields: oauthFields,
  },
];

const fieldsOfType: Readonly<Record<string, readonly FieldSpec[]>> = {
  header: headerFields,
  client_credentials: oauthFields,
};

/** Only the fields of the chosen authentication count. */
export function serverInput(fields: FieldValues): object {
  const type = fields['auth.type'] ?? '';
  if (type === keptAuth) return inputOf(placeFields, fields);
  return inputOf([...placeFields, typeField, ...(fieldsOfType[type] ?? [])], fields);
}
