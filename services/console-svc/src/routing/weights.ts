import type { Account } from '@tallyport/management';
import {
  type FieldSpec,
  type FieldValues,
  fieldValues,
  formPart,
  type FormState,
  type Html,
  html,
} from '@tallyport/pages';
import { type ExplainedPlan, type ExplainedRoute, factorNames, type FactorTitle } from '../gateway/explained-route.ts';
import { factorTitles } from '../requests/score-table.ts';

export interface WeightsForm {
  csrfToken: string;
  /** Where it is posted. */
  action: string;
  /** The fields of the question, so that the page shows the same route afterwards. */
  question: FieldValues;
  state: FormState;
}

interface WeightsPart {
  account: Pick<Account, 'scoreWeights'>;
  /** For owners. */
  form: WeightsForm | undefined;
  /** With the operator's weights, if a route is shown. */
  settings: ExplainedRoute['settings'];
}

const fieldOf = (name: FactorTitle): string => `scoreWeights.${name}`;

export const weightFields: readonly FieldSpec[] = factorNames.map((name) => ({
  name: fieldOf(name),
  label: factorTitles[name],
  kind: 'number',
  decimals: true,
}));

/** The weights of the account, which its owners edit where they see what follows from them. */
export const weightsPart = ({ account, form, settings = [] }: WeightsPart): Html =>
  html`<section class="panel padded" id="weights">
    <h2>Weights of this account</h2>
    <p class="quiet small">
      ${ownText(account)}
      ${form === undefined ? 'Only an owner can change them.' : 'Give each factor one from 0 to 1,000, or leave all empty for those of the operator.'}
    </p>
    ${form && weightsForm(form, account, settings)}
  </section>`;

const ownText = ({ scoreWeights: own }: WeightsPart['account']): string =>
  own === undefined
    ? 'It has none of its own, so those of the operator count.'
    : `They count for all its requests that are not sorted by one factor: ${listed(own)}.`;

const weightsForm = (
  { csrfToken, action, question, state }: WeightsForm,
  account: WeightsPart['account'],
  settings: NonNullable<ExplainedRoute['settings']>,
): Html =>
  formPart({
    csrfToken,
    action,
    kept: question,
    state: { ...state, values: state.problem ? state.values : fieldValues(weightFields, account) },
    groups: [{ fields: weightFields.map((field, at) => ({ ...field, ...placeholderOf(factorNames[at], settings) })) }],
    button: 'Save the weights',
  });

/** The operator's weight in an empty field. */
function placeholderOf(
  factor: FactorTitle | undefined,
  settings: NonNullable<ExplainedRoute['settings']>,
): Pick<FieldSpec, 'placeholder'> {
  const setting = settings.find(({ name }) => name === `ROUTING_${factor?.toUpperCase()}_WEIGHT`);
  return setting === undefined ? {} : { placeholder: `${setting.value} (default)` };
}

const owners = {
  account: 'of this account',
  operator: 'of the operator',
  request: 'of what the request is sorted by',
} as const;

/** With which weights a plan was scored. Older replicas send none. */
export const weightsText = ({ weights }: Pick<ExplainedPlan, 'weights'>): readonly string[] =>
  weights === undefined ? [] : [`Scored with the weights ${owners[weights.from]}: ${listed(weights)}.`];

const listed = (weights: Readonly<Record<FactorTitle, number>>): string =>
  factorNames.map((name) => `${factorTitles[name].toLowerCase()} ${weights[name]}`).join(', ');
