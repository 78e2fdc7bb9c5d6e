import type { Guardrails } from '@switchyard/contracts';
import type { GuardWebhookRecord, ManagementOperations } from '@switchyard/management';
import { actionsColumn, badge, day, heading, type Html, html, type HtmlContent, panel, table } from '@switchyard/pages';
import type { z } from 'zod';
import { detectorTitles, parts } from './rule-fields.ts';

export type TriedText = z.output<ManagementOperations['tryGuardrails']['output']>;

export interface GuardrailsPage {
  base: string;
  rules: Guardrails;
  webhooks: readonly GuardWebhookRecord[];
  mayChange: boolean;
  tryForm: HtmlContent;
  tried?: TriedText | undefined;
}

export const guardrailsPage = ({ base, rules, webhooks, mayChange, tryForm, tried }: GuardrailsPage): Html =>
  html`${heading({
      title: 'Guardrails',
      text: 'What this account redacts or blocks in requests and answers. Keys may add rules of their own.',
      action: mayChange ? { href: `${base}/guardrails/edit`, text: 'Edit the rules' } : undefined,
    })}
    ${table({
      caption: 'Rules of the account',
      columns: ['Part', 'Rule', 'Finds', 'Action'],
      rows: rulesOf(rules),
      empty: 'There are no rules. Nothing is inspected.',
    })}
    ${panel('Try a text', html`${tried && verdict(tried)} ${tryForm}`, 'Nothing is sent to a provider or to a webhook.')}
    <div class="heading">
      <h2>Webhooks</h2>
      ${mayChange && html`<a class="button plain" href="${base}/guardrails/webhooks/new">Add a webhook</a>`}
    </div>
    ${webhookTable(base, webhooks, mayChange)}`;

const tone = { block: 'bad', redact: 'warn', allow: 'good' } as const;

const actionBadge = (action: keyof typeof tone): Html => badge(action, tone[action]);

const rulesOf = (rules: Guardrails): HtmlContent[][] =>
  parts.flatMap(({ part, title }) => {
    const { detect = {}, patterns = [], maxCharacters, webhook } = rules[part] ?? {};
    return [
      ...Object.entries(detect).flatMap(([name, action]) =>
        action === undefined ? [] : [[title, html`<code>${name}</code>`, detectorTitles[name], actionBadge(action)]],
      ),
      ...patterns.map(({ name, pattern, action }) => [
        title,
        html`<code>${name}</code>`,
        html`<code>${pattern}</code>`,
        actionBadge(action),
      ]),
      ...(maxCharacters === undefined
        ? []
        : [[title, html`<code>max_characters</code>`, `more than ${maxCharacters} characters`, actionBadge('block')]]),
      ...(webhook === undefined
        ? []
        : [
            [
              title,
              html`<code>webhook:${webhook.name}</code>`,
              'what the webhook decides',
              webhook.onFailure === 'block' ? 'without a decision: block' : 'without a decision: let pass',
            ],
          ]),
    ];
  });

const verdicts = {
  allow: 'The text passes unchanged.',
  redact: 'The text passes with placeholders.',
  block: 'The text is blocked.',
} as const;

function verdict({ verdict: decided, text, findings, webhooks }: TriedText): Html {
  return html`<div class="tried" role="status">
    <p>${actionBadge(decided)} ${verdicts[decided]}</p>
    ${findings.length > 0 && html`<p class="small">${findings.map(({ rule, count }) => `${rule} × ${count}`).join(', ')}</p>`}
    ${text !== undefined && html`<pre tabindex="0" role="region" aria-label="The text after the rules">${text}</pre>`}
    ${webhooks.length > 0 && html`<p class="quiet small">Then asked: ${webhooks.join(', ')}</p>`}
  </div>`;
}

const webhookTable = (base: string, webhooks: readonly GuardWebhookRecord[], mayChange: boolean): Html =>
  table({
    caption: 'Webhooks',
    columns: ['Name', 'URL', 'Secret', 'Changed', actionsColumn],
    rows: webhooks.map(({ id, name, url, lastFour, updatedAt }) => [
      html`<span class="strong">${name}</span>`,
      html`<span class="address">${url}</span>`,
      html`<code>…${lastFour}</code>`,
      day(updatedAt),
      mayChange &&
        html`<a href="${base}/guardrails/webhooks/${id}" aria-label="Edit ${name}">Edit</a>
          <a class="bad" href="${base}/guardrails/webhooks/${id}/delete" aria-label="Delete ${name}">Delete</a>`,
    ]),
    empty: 'There are no webhooks. Add one to let a service of yours decide about texts.',
  });
