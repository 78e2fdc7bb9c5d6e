import type { Account } from '../../accounts/account-operations.ts';
import type { ProviderKeyRecord } from '../../provider-keys/provider-key-record.ts';
import { type Html, html, type HtmlContent } from '../html.ts';
import type { FieldSpec } from './field-spec.ts';
import { buttonForm } from './form.ts';
import { actionsColumn, badge, day, heading, table } from './parts.ts';

const keyField: FieldSpec = {
  name: 'key',
  label: 'Key',
  kind: 'secret',
  required: true,
  autocomplete: 'new-password',
  hint: 'It is encrypted, used in requests and never shown again.',
};

const labelField: FieldSpec = {
  name: 'label',
  label: 'Label',
  kind: 'text',
  required: true,
  placeholder: 'team research',
  hint: 'For people to recognise it by.',
};

/** `providers` are suggested; others may be meant as well, such as those an operator has added. */
export const newProviderKeyFields = (providers: readonly string[]): readonly FieldSpec[] => [
  { name: 'provider', label: 'Provider', kind: 'text', required: true, suggestions: providers },
  labelField,
  keyField,
];

export const providerKeyFields: readonly FieldSpec[] = [
  labelField,
  { ...keyField, label: 'New key', required: false, hint: 'Empty: the key stays. Otherwise it takes its place.' },
];

export const modeField: FieldSpec = {
  name: 'providerKeyMode',
  label: 'Which keys are used',
  kind: 'choice',
  required: true,
  choices: [
    { value: 'own_first', text: 'your own first, then those of the gateway' },
    { value: 'own_only', text: 'your own only' },
    { value: 'service_only', text: 'those of the gateway only' },
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
    text: 'Your own keys at model providers. Without any, requests go out with those of the gateway.',
    action: mayChange ? { href: `${base}/provider-keys/new`, text: 'Add a key' } : undefined,
  })}
  ${
    mode === 'service_only' &&
    keys.length > 0 &&
    html`<p class="note warn">These keys are not used: this account uses those of the gateway only.</p>`
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
    empty: 'There is no key yet. Add one to pay a provider yourself, or to use models the gateway has no key for.',
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
