import type { Account, ProviderKeyRecord } from '@switchyard/management';
import { chatProviders } from '@switchyard/providers';
import {
  actionsColumn,
  badge,
  buttonForm,
  day,
  type FieldSpec,
  heading,
  type Html,
  html,
  type HtmlContent,
  table,
} from '@switchyard/pages';

const keyField: FieldSpec = {
  name: 'key',
  label: 'Key',
  kind: 'secret',
  required: true,
  autocomplete: 'new-password',
  hint: 'It is stored encrypted and never shown again.',
};

const labelField: FieldSpec = {
  name: 'label',
  label: 'Label',
  kind: 'text',
  required: true,
  placeholder: 'team research',
  hint: 'A name to recognise the key.',
};

/** The built-in providers that accept a key. */
export const providersWithKeys: readonly string[] = chatProviders
  .filter(({ auth }) => auth.kind !== 'none')
  .map(({ id }) => id);

/** `providers` are suggestions; others are allowed, for example those an operator added. */
export const newProviderKeyFields = (providers: readonly string[]): readonly FieldSpec[] => [
  { name: 'provider', label: 'Provider', kind: 'text', required: true, suggestions: providers },
  labelField,
  keyField,
];

export const providerKeyFields: readonly FieldSpec[] = [
  labelField,
  { ...keyField, label: 'New key', required: false, hint: 'Leave empty to keep the current key.' },
];

export const modeField: FieldSpec = {
  name: 'providerKeyMode',
  label: 'Keys to use',
  kind: 'choice',
  required: true,
  choices: [
    { value: 'own_first', text: 'own keys first, then the gateway’s' },
    { value: 'own_only', text: 'own keys only' },
    { value: 'service_only', text: 'the gateway’s keys only' },
  ],
};

export interface ProviderKeysPage {
  base: string;
  csrfToken: string;
  keys: readonly ProviderKeyRecord[];
  mode: Account['providerKeyMode'];
  mayChange: boolean;
  modeForm: HtmlContent;
}

export const providerKeysPage = ({ base, csrfToken, keys, mode, mayChange, modeForm }: ProviderKeysPage): Html =>
  html`${heading({
    title: 'Provider Keys',
    text: 'Your own keys at model providers. Without one, requests use the gateway’s keys.',
    action: mayChange ? { href: `${base}/provider-keys/new`, text: 'Add a key' } : undefined,
  })}
  ${
    mode === 'service_only' &&
    keys.length > 0 &&
    html`<p class="note warn">These keys are not used. This account uses only the gateway’s keys.</p>`
  }
  ${table({
    caption: 'Provider keys',
    columns: ['Provider', 'Label', 'Key', 'State', 'Changed', actionsColumn],
    rows: keys.map((key) => [
      html`<span class="strong">${key.provider}</span>`,
      key.label,
      html`<code>…${key.lastFour}</code>`,
      key.enabled ? badge('enabled', 'good') : badge('disabled'),
      day(key.updatedAt),
      mayChange && actions(`${base}/provider-keys/${key.id}`, key, csrfToken),
    ]),
    empty:
      'There are no keys yet. Add one to pay a provider directly, or to use models for which the gateway has no key.',
  })}
  ${modeForm}`;

const actions = (href: string, { provider, label, enabled }: ProviderKeyRecord, csrfToken: string): Html =>
  html`<a href="${href}" aria-label="Edit ${provider} ${label}">Edit</a>
    ${buttonForm({
      action: `${href}/enabled`,
      csrfToken,
      button: enabled ? 'Disable' : 'Enable',
      look: 'link',
      label: `${enabled ? 'Disable' : 'Enable'} ${provider} ${label}`,
      fields: { enabled: enabled ? 'no' : 'yes' },
    })}
    <a class="bad" href="${href}/delete" aria-label="Delete ${provider} ${label}">Delete</a>`;
