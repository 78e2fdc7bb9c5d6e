import type { Guardrails } from '@tallyport/contracts';
import { hasRole } from '@tallyport/management';
import { type FieldSpec, type FieldValues, fieldValues, formPart, type FormState, problemAt } from '@tallyport/pages';
import { formPage } from '../screen/form-page.ts';
import { formRoutes } from '../screen/form-routes.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { policiesName, policyLine } from './decision-fields.ts';
import {
  detectorFields,
  detectorTable,
  parts,
  patternLine,
  patternsName,
  postedRules,
  rulesGroup,
} from './rule-fields.ts';
import { tryBox, unsavedButton, unsavedPart, unsavedText } from './try-box.ts';
import { guardrailsPage, type TriedText } from './view.ts';
import { webhookRoutes } from './webhook-routes.ts';

const section = 'guardrails';
const title = 'Guardrails';

export const guardrailRoutes: readonly DashboardRoute[] = [
  ...formRoutes({ path: '/guardrails', section, show: (request, state) => show(request, state), submit: tryText }),
  ...formRoutes({
    path: '/guardrails/edit',
    section,
    access: 'owner',
    show: (request, state) => showRules(request, state),
    submit: submitRules,
  }),
  ...webhookRoutes,
];

const tryFields: readonly FieldSpec[] = [
  { name: 'text', label: 'Text', kind: 'lines', required: true, placeholder: 'My card is 4111 1111 1111 1111' },
  {
    name: 'part',
    label: 'As part of',
    kind: 'choice',
    choices: [
      { value: 'request', text: 'a request' },
      { value: 'answer', text: 'an answer' },
    ],
  },
];

async function show(request: DashboardRequest, state: FormState, tried?: TriedText): Promise<DashboardResponse> {
  const { ask, base, caller, account, place, signedIn } = request;
  const { guardWebhooks: webhooks } = await ask('listGuardWebhooks');
  const form = { action: place, csrfToken: signedIn.csrfToken, state, groups: [{ fields: tryFields }], button: 'Try' };
  const page = {
    base,
    webhooks,
    mayChange: hasRole(caller, 'owner'),
    csrfToken: signedIn.csrfToken,
    tryForm: formPart(form),
    tried,
  };
  return { title, body: guardrailsPage({ ...page, rules: account.guardrails ?? {} }) };
}

/** The response to the form has the verdict, so that the text is in no address and in no log. */
async function tryText(request: DashboardRequest): Promise<DashboardResponse> {
  const { ask, fields } = request;
  const tried = await ask('tryGuardrails', { text: fields['text'] ?? '', part: fields['part'] });
  return show(request, { values: fields }, tried);
}

async function showRules(request: DashboardRequest, state: FormState, tried?: TriedText): Promise<DashboardResponse> {
  const groups = await groupsFor(request);
  // Posted rules are shown again when they were tried or have a problem.
  const isPosted = tried !== undefined || state.problem !== undefined;
  const values = isPosted ? state.values : valuesOf(groups, request.account.guardrails ?? {});
  return formPage(request, state, {
    title: 'Edit the rules',
    back: { path: '/guardrails', text: title },
    first: detectorTable(values),
    groups,
    beside: tryBox({ text: values[unsavedText] ?? '', part: values[unsavedPart], tried }),
    values,
    button: 'Save',
  });
}

/** Saves the rules, or tries them before they are saved. */
async function submitRules(request: DashboardRequest): Promise<DashboardResponse> {
  const { ask, fields, account } = request;
  const guardrails = postedRules(await groupsFor(request), fields, account.guardrails ?? {});
  if (fields[unsavedButton] !== undefined) {
    const text = fields[unsavedText] ?? '';
    if (text === '') throw problemAt(unsavedText, 'Enter a text to try the rules on.');
    const tried = await ask('tryGuardrails', { text, part: fields[unsavedPart], guardrails: guardrails ?? {} });
    return showRules(request, { values: fields }, tried);
  }
  await ask('changeAccount', { guardrails });
  return { to: '/guardrails', notice: 'guardrails-changed' };
}

async function groupsFor({ ask }: DashboardRequest) {
  const { guardWebhooks } = await ask('listGuardWebhooks');
  const names = guardWebhooks.map(({ name }) => name);
  return parts.map((part) => rulesGroup(part, names));
}

const valuesOf = (groups: Awaited<ReturnType<typeof groupsFor>>, guardrails: Guardrails): FieldValues => ({
  ...fieldValues([...detectorFields, ...groups.flatMap(({ fields }) => fields)], { guardrails }),
  ...Object.fromEntries(
    parts.flatMap(({ part }) => [
      [patternsName(part), (guardrails[part]?.patterns ?? []).map(patternLine).join('\n')],
      [policiesName(part), (guardrails[part]?.decision?.policies ?? []).map(policyLine).join('\n')],
    ]),
  ),
});
