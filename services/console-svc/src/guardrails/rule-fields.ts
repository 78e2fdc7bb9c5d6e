import { detectorNames, type Guardrails, type GuardrailPattern } from '@tallyport/contracts';
import { type FieldSpec, type FieldValues, type Html, html, inputOf, table } from '@tallyport/pages';
import { decisionFields, policiesIn } from './decision-fields.ts';
import { lineEntries } from './line-entries.ts';

export const parts = [
  { part: 'request', title: 'Requests' },
  { part: 'answer', title: 'Answers' },
] as const;

type RulePart = (typeof parts)[number]['part'];

interface TitledPart {
  part: RulePart;
  title: string;
}

/** How people know the detectors. */
export const detectorTitles: Readonly<Record<string, string>> = {
  api_key: 'API keys',
  card: 'Payment cards',
  email: 'E-mail addresses',
  iban: 'Bank accounts (IBAN)',
  ip_address: 'IP addresses',
  jwt: 'JSON Web Tokens',
  phone: 'Phone numbers',
  private_key: 'Private keys',
};

const actions = [
  { value: '', text: 'pass' },
  { value: 'redact', text: 'redact' },
  { value: 'block', text: 'block' },
];

/** Without a value, the rules of a key may let pass. */
const undecided = [
  { value: '', text: 'block, unless rules of a key let pass' },
  { value: 'block', text: 'always block' },
  { value: 'allow', text: 'let pass, and record it' },
];

const patternsHint =
  'One per line: a name, redact or block, and a pattern of RE2, for example: falcon block (?i)project falcon';

const detectorField = (part: RulePart, detector: string): FieldSpec => ({
  name: `guardrails.${part}.detect.${detector}`,
  label: detectorTitles[detector] ?? detector,
  kind: 'choice',
  choices: actions,
});

export const detectorFields: readonly FieldSpec[] = parts.flatMap(({ part }) =>
  detectorNames.map((detector) => detectorField(part, detector)),
);

/** A row for each detector, with what it does in requests and in answers. */
export const detectorTable = (values: FieldValues): Html =>
  table({
    caption: 'What is found',
    columns: ['Rule', ...parts.map(({ title }) => title)],
    rows: detectorNames.map((detector) => [
      html`<span class="strong">${detectorTitles[detector] ?? detector}</span>`,
      ...parts.map(({ part, title }) => radios(detectorField(part, detector), title, values)),
    ]),
    empty: '',
  });

const radios = ({ name, label, choices = [] }: FieldSpec, title: string, values: FieldValues): Html =>
  html`<div class="choices" role="radiogroup" aria-label="${label}: ${title.toLowerCase()}">
    ${choices.map(
      ({ value, text }) =>
        html`<label
          ><input
            type="radio"
            name="${name}"
            value="${value}"
            ${value === (values[name] ?? '') && html`checked`}
          />${text}</label
        >`,
    )}
  </div>`;

/** The other fields of the rules for one part. `webhooks` are the names to choose from. */
export function rulesGroup({ part, title }: TitledPart, webhooks: readonly string[]) {
  const name = (member: string): string => `guardrails.${part}.${member}`;
  return {
    title,
    fields: [
      { name: patternsName(part), label: 'Patterns', kind: 'lines', hint: patternsHint },
      { name: name('onTimeout'), label: 'If time runs out', kind: 'choice', choices: undecided },
      {
        name: name('maxCharacters'),
        label: 'Size limit',
        kind: 'number',
        unit: 'characters',
        hint: 'Of all texts together. More is blocked; empty for no limit.',
      },
      ...webhookFields(part, webhooks),
      ...decisionFields(part),
    ] satisfies FieldSpec[],
  };
}

function webhookFields(part: RulePart, webhooks: readonly string[]): FieldSpec[] {
  const webhook = `guardrails.${part}.webhook.name`;
  return [
    {
      name: webhook,
      label: 'Webhook',
      kind: 'choice',
      choices: [{ value: '', text: 'none' }, ...webhooks.map((name) => ({ value: name, text: name }))],
    },
    {
      name: `guardrails.${part}.webhook.onFailure`,
      label: 'If the webhook does not answer',
      kind: 'choice',
      onlyWith: webhook,
      choices: [
        { value: 'block', text: 'block' },
        { value: 'allow', text: 'let pass' },
      ],
    },
  ];
}

export const patternsName = (part: RulePart): string => `guardrails.${part}.patterns`;

/** The rules as posted. Settings that the form does not have stay as they are in `before`. */
export function postedRules(
  groups: readonly ReturnType<typeof rulesGroup>[],
  fields: FieldValues,
  before: Guardrails,
): Guardrails | null {
  const others = groups.flatMap(({ fields: all }) => all.filter(({ kind }) => kind !== 'lines'));
  const specs = [...detectorFields, ...others];
  const posted = inputOf(specs, fields) as { guardrails?: Guardrails };
  const rules = parts.flatMap(({ part }) => {
    const own = posted.guardrails?.[part] ?? {};
    const patterns = lineEntries(fields, { name: patternsName(part), read: patternIn, rule: patternRule });
    const { detect: _detect, maxCharacters: _most, onTimeout: _onTimeout, ...others } = before[part] ?? {};
    const { patterns: _patterns, webhook, decision, ...kept } = others;
    const sameWebhook = own.webhook !== undefined && webhook?.name === own.webhook.name ? webhook : {};
    const policies = policiesIn(part, fields);
    const all = {
      ...kept,
      ...own,
      ...(own.webhook && { webhook: { ...sameWebhook, ...own.webhook } }),
      ...(own.decision && { decision: { ...decision, ...own.decision, policies } }),
      ...(patterns.length > 0 && { patterns }),
    };
    return Object.keys(all).length === 0 ? [] : [[part, all] as const];
  });
  return rules.length === 0 ? null : Object.fromEntries(rules);
}

const patternRule = 'must be a name, redact or block, and a pattern';

function patternIn(line: string): GuardrailPattern | undefined {
  const [, name, action, pattern] = /^(\S+)\s+(redact|block)\s+(\S.*)$/.exec(line) ?? [];
  if (name === undefined || pattern === undefined) return undefined;
  return { name, action: action === 'block' ? 'block' : 'redact', pattern };
}

/** A pattern as a line of the form. */
export const patternLine = ({ name, action, pattern }: GuardrailPattern): string => `${name} ${action} ${pattern}`;
