import { badge, copyable, type Html, html, type HtmlContent, panel } from '@tallyport/pages';

export interface FirstSteps {
  base: string;
  publicUrl: string;
  /** A model that a key of the account could call now. */
  model: string | undefined;
  hasKey: boolean;
  hasBudget: boolean;
  /** Whether the user may add provider keys. */
  isAdmin: boolean;
  /** Whether the user may set the budget. */
  isOperator: boolean;
}

interface Step {
  title: string;
  done: boolean;
  text: HtmlContent;
}

/** What leads to the first answered request, with the state of each step. */
export const firstSteps = (steps: FirstSteps): Html =>
  panel(
    'First steps',
    html`<ol class="steps">
      ${[providerStep(steps), keyStep(steps), requestStep(steps), ...(steps.isOperator ? [budgetStep(steps)] : [])].map(
        ({ title, done, text }) =>
          html`<li class="${done ? 'done' : ''}">
            <h3>${title}${done && html` ${badge('done', 'good')}`}</h3>
            ${!done && html`<div>${text}</div>`}
          </li>`,
      )}
    </ol>`,
  );

const providerStep = ({ base, model, isAdmin }: FirstSteps): Step => ({
  title: 'Connect a provider',
  done: model !== undefined,
  text: isAdmin
    ? html`<p>No model can be called yet. Add your key at a provider, or start the gateway with the simulator.</p>
        <p><a class="button" href="${base}/provider-keys/new">Add a provider key</a></p>`
    : html`<p>No model can be called yet. Ask an admin of the account to add a provider key.</p>`,
});

const keyStep = ({ base, hasKey }: FirstSteps): Step => ({
  title: 'Create an API key',
  done: hasKey,
  text: html`<p>A key works for the REST API and for MCP. Its page has examples in four languages.</p>
    <p><a class="button" href="${base}/keys/new">Create a key</a></p>`,
});

const requestStep = ({ publicUrl, model }: FirstSteps): Step => ({
  title: 'Send the first request',
  done: false,
  text: html`<p>Put your key in place of <code>YOUR_KEY</code>. Within seconds the request appears on this page.</p>
    ${copyable('First request', firstRequest(publicUrl, model ?? 'MODEL'))}`,
});

const budgetStep = ({ base, hasBudget }: FirstSteps): Step => ({
  title: 'Set a budget, if you want one',
  done: hasBudget,
  text: html`<p>Requests are refused once the account has spent it. Keys can have budgets of their own.</p>
    <p><a href="${base}/account">Set the budget of the account</a></p>`,
});

const firstRequest = (publicUrl: string, model: string): string => `curl ${publicUrl}/v1/chat/completions \\
  -H "Authorization: Bearer YOUR_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model":"${model}","messages":[{"role":"user","content":"Hello"}]}'`;
