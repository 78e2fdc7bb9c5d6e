import type { Guardrails, GuardWebhookTest } from '@tallyport/contracts';
import type { GuardWebhookRecord, ManagementOperations } from '@tallyport/management';
import {
  actionsColumn,
  badge,
  buttonForm,
  day,
  heading,
  type Html,
  html,
  type HtmlContent,
  panel,
  table,
} from '@tallyport/pages';
import type { z } from 'zod';
import { labelsText } from './decision-fields.ts';
import { detectorTitles, parts } from './rule-fields.ts';

export type TriedText = z.output<ManagementOperations['tryGuardrails']['output']>;

interface GuardrailsPage {
  base: string;
  rules: Guardrails;
  webhooks: readonly GuardWebhookRecord[];
  mayChange: boolean;
  csrfToken: string;
  tryForm: HtmlContent;
  tried?: TriedText | undefined;
}

export const guardrailsPage = ({ base, rules, webhooks, mayChange, csrfToken, tryForm, tried }: GuardrailsPage): Html =>
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
    ${webhookTable({ base, webhooks, mayChange, csrfToken })}`;

const tone = { block: 'bad', redact: 'warn', flag: 'warn', allow: 'good' } as const;

const actionBadge = (action: keyof typeof tone): Html => badge(action, tone[action]);

const rulesOf = (rules: Guardrails): HtmlContent[][] =>
  parts.flatMap(({ part, title }) => {
    const { detect = {}, patterns = [], maxCharacters, onTimeout, webhook, decision } = rules[part] ?? {};
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
      ...(onTimeout === undefined
        ? []
        : [[title, html`<code>time_limit</code>`, 'patterns that are not finished in time', actionBadge(onTimeout)]]),
      ...(webhook === undefined
        ? []
        : [[title, html`<code>webhook:${webhook.name}</code>`, 'what the webhook decides', unanswered(webhook)]]),
      ...(decision?.policies ?? []).map(({ name, policy, action, labels }) => [
        title,
        html`<code>decision:${name}</code>`,
        html`${policy} <span class="quiet small">${decision?.model}, ${decision && unanswered(decision)}</span>`,
        action === undefined ? labelsText(labels ?? {}) : actionBadge(action),
      ]),
    ];
  });

const unanswered = ({ onFailure }: { onFailure: 'allow' | 'block' }): string =>
  onFailure === 'block' ? 'without an answer: block' : 'without an answer: let pass';

const verdicts = {
  allow: 'The text passes unchanged.',
  redact: 'The text passes with placeholders.',
  block: 'The text is blocked.',
} as const;

export function verdict({ verdict: decided, text, findings, webhooks, models }: TriedText): Html {
  const asked = [...webhooks, ...models];
  return html`<div class="tried" role="status">
    <p>${actionBadge(decided)} ${verdicts[decided]}</p>
    ${findings.length > 0 && html`<p class="small">${findings.map(({ rule, count }) => `${rule} × ${count}`).join(', ')}</p>`}
    ${text !== undefined && html`<pre tabindex="0" role="region" aria-label="The text after the rules">${text}</pre>`}
    ${asked.length > 0 && html`<p class="quiet small">Then asked: ${asked.join(', ')}</p>`}
  </div>`;
}

const webhookTable = ({
  base,
  webhooks,
  mayChange,
  csrfToken,
}: Pick<GuardrailsPage, 'base' | 'csrfToken' | 'mayChange' | 'webhooks'>): Html =>
  table({
    caption: 'Webhooks',
    columns: ['Name', 'URL', 'Secret', 'State', 'Changed', actionsColumn],
    rows: webhooks.map(({ id, name, url, lastFour, updatedAt, ...state }) => [
      html`<span class="strong">${name}</span>`,
      html`<span class="breaking">${url}</span>`,
      html`<code class="one-line">…${lastFour}</code>`,
      stateOf(state),
      day(updatedAt),
      mayChange &&
        html`${buttonForm({
            action: `${base}/guardrails/webhooks/${id}/test`,
            csrfToken,
            button: 'Test',
            look: 'link',
            label: `Test ${name}`,
          })}
          <a href="${base}/guardrails/webhooks/${id}" aria-label="Edit ${name}">Edit</a>
          <a class="bad" href="${base}/guardrails/webhooks/${id}/delete" aria-label="Delete ${name}">Delete</a>`,
    ]),
    empty: 'There are no webhooks. Add one to let a service of yours decide about texts.',
  });

const stateOf = ({ pausedUntil, problem }: Pick<GuardWebhookRecord, 'pausedUntil' | 'problem'>): Html =>
  pausedUntil === undefined
    ? badge('asked', 'good')
    : html`${badge('paused', 'bad')} <span class="quiet small">${problem}</span>`;

interface TestedWebhookPage {
  base: string;
  webhook: GuardWebhookRecord;
  test: GuardWebhookTest;
}

/** What a webhook decided about a sample, or why it did not. */
export const testedWebhookPage = ({ base, webhook, test }: TestedWebhookPage): Html =>
  html`${heading({
    title: `Test of ${webhook.name}`,
    text: webhook.url,
    back: { href: `${base}/guardrails`, text: 'Guardrails' },
  })}
  ${
    test.verdict === undefined
      ? html`<p class="note bad" role="alert">${test.problem}</p>`
      : html`<p class="note good" role="status">
          The webhook answered in ${Math.round(test.durationMs)} ms with ${test.verdict}.
        </p>`
  }`;
