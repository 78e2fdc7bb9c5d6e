import type { ProviderKeyTestResult } from '@tallyport/contracts';
import type { Account, ProviderKeyRecord } from '@tallyport/management';
import {
  actionsColumn,
  badge,
  buttonForm,
  type FieldSpec,
  heading,
  type Html,
  html,
  type HtmlContent,
  moment,
  table,
  type Tone,
} from '@tallyport/pages';

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
export async function providersWithKeys(): Promise<readonly string[]> {
  // Loaded only when it is used: all providers take 13 MB of memory.
  const { chatProviders } = await import('@tallyport/providers');
  return chatProviders.filter(({ auth }) => auth.kind !== 'none').map(({ id }) => id);
}

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

interface ProviderKeysPage {
  base: string;
  csrfToken: string;
  keys: readonly ProviderKeyRecord[];
  mode: Account['providerKeyMode'];
  mayChange: boolean;
  modeForm: HtmlContent;
}

const movesColumn = 'Order';

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
    columns: [
      'Provider',
      ...(hasOrder(keys) ? [movesColumn] : []),
      'Label',
      'Key',
      'State',
      'Last used',
      'Last error',
      actionsColumn,
    ],
    rows: keys.map((key) => [
      html`<span class="strong" id="${key.id}">${key.provider}</span>`,
      ...(hasOrder(keys) ? [orderCell({ base, csrfToken, keys, mayChange }, key)] : []),
      key.label,
      html`<code class="one-line">…${key.lastFour}</code>`,
      badge(key.state, stateTones[key.state]),
      key.lastUsedAt === undefined ? html`<span class="quiet">never</span>` : moment(key.lastUsedAt),
      errorPart(key),
      mayChange && actions(`${base}/provider-keys/${key.id}`, key, csrfToken),
    ]),
    empty:
      'There are no keys yet. Add one to pay a provider directly, or to use models for which the gateway has no key.',
  })}
  ${
    hasOrder(keys) &&
    html`<p class="quiet small">
      Enabled keys of one provider are tried from top to bottom: the next one is used if a key is refused or at its
      limit, up to three for a request.
    </p>`
  }
  ${modeForm}`;

/** Whether a provider has several keys. */
const hasOrder = (keys: readonly ProviderKeyRecord[]): boolean => keys.some(({ position }) => position > 1);

/** The place of a key, with a button for each direction it can move. */
function orderCell(
  { base, csrfToken, keys, mayChange }: Pick<ProviderKeysPage, 'base' | 'csrfToken' | 'keys' | 'mayChange'>,
  { id, provider, label, position }: ProviderKeyRecord,
): Html {
  const count = keys.filter((key) => key.provider === provider).length;
  const move = (direction: 'up' | 'down', to: number): Html | false =>
    mayChange &&
    to >= 1 &&
    to <= count &&
    buttonForm({
      action: `${base}/provider-keys/${id}/move`,
      csrfToken,
      button: direction === 'up' ? 'Up' : 'Down',
      look: 'link',
      label: `Move ${provider} ${label} ${direction}`,
      fields: { position: String(to) },
    });
  if (count === 1) return html`<span class="quiet">–</span>`;
  const [up, down] = [move('up', position - 1), move('down', position + 1)];
  return html`<div class="one-line">${position} of ${count} ${up} ${down}</div>`;
}

interface KeyTestPage {
  back: string;
  key: ProviderKeyRecord;
  result: ProviderKeyTestResult;
}

/** What a test of a key found. */
export const keyTestPage = ({ back, key, result }: KeyTestPage): Html =>
  html`${heading({ title: `Test of ${key.label}`, back: { href: back, text: 'Provider Keys' } })}
    <div class="panel padded">
      <p class="note ${result.ok ? 'good' : 'bad'}" role="status">${result.message}</p>
      <dl class="facts">
        <dt>Provider</dt>
        <dd>${key.provider}</dd>
        ${
          result.model !== undefined &&
          html`<dt>Model</dt>
            <dd>${result.model}</dd>`
        }
        <dt>Time</dt>
        <dd>${result.durationMs} ms</dd>
      </dl>
      <div class="form-actions"><a class="button" href="${back}">Back to the keys</a></div>
    </div>`;

const stateTones = { enabled: 'good', disabled: 'plain', refused: 'bad' } as const satisfies Record<
  ProviderKeyRecord['state'],
  Tone
>;

/** What people call the errors of keys. */
const errorNames: Readonly<Record<string, string>> = {
  own_key_refused: 'refused by the provider',
  own_key_billing: 'the account there cannot pay',
  own_key_rate_limited: 'rate limit reached',
  own_key_model_not_found: 'no access to a model',
};

const errorPart = ({ lastError }: ProviderKeyRecord): Html =>
  lastError === undefined
    ? html`<span class="quiet">none</span>`
    : html`<div>
        ${errorNames[lastError.type] ?? lastError.type}<br /><span class="quiet small">${moment(lastError.at)}</span>
      </div>`;

const actions = (href: string, { provider, label, enabled }: ProviderKeyRecord, csrfToken: string): Html =>
  html`${buttonForm({
      action: `${href}/test`,
      csrfToken,
      button: 'Test',
      look: 'link',
      label: `Test ${provider} ${label}`,
    })}
    <a href="${href}" aria-label="Edit ${provider} ${label}">Edit</a>
    ${buttonForm({
      action: `${href}/enabled`,
      csrfToken,
      button: enabled ? 'Disable' : 'Enable',
      look: 'link',
      label: `${enabled ? 'Disable' : 'Enable'} ${provider} ${label}`,
      fields: { enabled: enabled ? 'no' : 'yes' },
    })}
    <a class="bad" href="${href}/delete" aria-label="Delete ${provider} ${label}">Delete</a>`;
