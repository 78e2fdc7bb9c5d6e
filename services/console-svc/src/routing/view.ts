import { editAddress } from '../routes/view.ts';
import type { Account } from '@tallyport/management';
import {
  csrfField,
  type FieldValues,
  type FormState,
  heading,
  hidden,
  type Html,
  html,
  panel,
  table,
} from '@tallyport/pages';
import { apiPaths, kinds } from '../requests/asked-request.ts';
import { knownUptimeField, movedTo, type Slider, sliderField, sliders, stillAt } from './assumptions.ts';
import type { ExplainedPlan, ExplainedRoute } from '../gateway/explained-route.ts';
import { namedRoutes } from './named-routes.ts';
import { excludedTable, scoreTable } from '../requests/score-table.ts';
import { orderText, scoredNow } from '../requests/scored-offer.ts';
import { type WeightsForm, weightsPart, weightsText } from './weights.ts';

export interface RoutingPage {
  base: string;
  csrfToken: string;
  account: Pick<Account, 'scoreWeights'>;
  /** The form of the account's weights, for owners. */
  weightsState: FormState | undefined;
  fields: FieldValues;
  problem: string | undefined;
  /** Models that can be called, which the field of the model suggests. */
  models: readonly string[];
  /** The name of the route that is asked for, if the person may edit it. */
  editable: string | undefined;
  /** The route with the assumptions, and the one without them. */
  shown: { route: ExplainedRoute; known: ExplainedRoute } | undefined;
}

export const routingPage = (page: RoutingPage): Html =>
  html`${heading({
    title: 'Routing',
    text: html`Which offers a request would try, in which order and why, and the settings behind it (<code
        >ROUTING_UPTIME_WEIGHT</code
      >
      and others). No provider is called.`,
  })}
  ${questions(page)} ${page.problem !== undefined && html`<p class="note bad" role="alert">${page.problem}</p>`}
  ${page.editable !== undefined && editPart(page.base, page.editable)}
  ${page.shown ? answer(page, page.shown) : weights(page)}`;

const editPart = (base: string, name: string): Html =>
  html`<p>${name} is a route of this account. <a href="${editAddress(base, name)}">Edit ${name}</a></p>`;

/** A pasted request is posted, because addresses are kept in histories and logs. */
const questions = ({ base, csrfToken, fields, models }: RoutingPage): Html =>
  html`<div class="routing-questions">
    <section class="panel padded">
      <h2>Choose a model</h2>
      <form class="form" method="get" action="${placeOf(base)}">
        <div class="field">
          <label for="model">Model</label>
          <input id="model" name="model" list="models" value="${fields['model'] ?? ''}" autocomplete="off" required />
          <datalist id="models">${models.map((id) => html`<option value="${id}"></option>`)}</datalist>
        </div>
        <div class="field">
          <label for="kind">Request</label>
          <select id="kind" name="kind">
            ${options(Object.entries(kinds), fields['kind'])}
          </select>
        </div>
        <label class="flag">
          <input type="checkbox" name="stream" value="yes" ${fields['stream'] !== undefined && html`checked`} />Streamed
        </label>
        <div class="form-actions"><button>Show the route</button></div>
      </form>
    </section>
    <section class="panel padded">
      <h2>Or paste a request</h2>
      <form class="form" method="post" action="${placeOf(base)}">
        ${csrfField(csrfToken)}
        <div class="field">
          <label for="body">Body as JSON</label>
          <textarea id="body" name="body" rows="5" spellcheck="false" required>${fields['body'] ?? ''}</textarea>
        </div>
        <div class="field">
          <label for="path">API</label>
          <select id="path" name="path">
            ${options(apiPaths, fields['path'])}
          </select>
        </div>
        <div class="form-actions"><button>Show its route</button></div>
      </form>
    </section>
  </div>`;

const options = (choices: readonly (readonly [string, string])[], chosen: string | undefined): Html =>
  html`${choices.map(
    ([value, text]) => html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
  )}`;

function answer(page: RoutingPage, { route, known }: NonNullable<RoutingPage['shown']>): Html {
  const standIns = (route.stand_ins ?? []).map((plan, at) => ({ plan, known: known.stand_ins?.[at] ?? plan }));
  return html`<div id="route" class="routing">
      ${namedRoutes(route)} ${turnsText(route)} ${reservationText(route)}
      ${[{ plan: route, known }, ...standIns].map(planPart)}
    </div>
    ${weights(page, route)} ${settingsPart(page, route)} ${whatIf(page, known)}`;
}

const placeOf = (base: string): string => `${base}/routing`;

function weights({ base, csrfToken, account, fields, weightsState: state }: RoutingPage, route?: ExplainedRoute): Html {
  const action = `${placeOf(base)}/weights`;
  const form: WeightsForm | undefined = state && { csrfToken, action, question: questionOf(fields), state };
  return weightsPart({ account, form, settings: route?.settings });
}

const reservationText = ({ routes, reservation_usd: reserved }: ExplainedRoute): Html | false =>
  routes !== undefined &&
  reserved !== undefined &&
  html`<p class="quiet small">Budgets would reserve ${reserved} USD: the price of the dearest offer.</p>`;

const planPart = ({ plan, known }: { plan: ExplainedPlan; known: ExplainedPlan }): Html =>
  html`${panel(
    `Route of ${plan.requested_model}`,
    html`<div class="flush">
      ${scoreTable({ of: plan.requested_model, offers: plan.candidates.map(scoredNow), known: known.candidates.map(scoredNow) })}
    </div>`,
    order(plan),
  )}
  ${excludedTable(plan.excluded, plan.requested_model)}`;

/** Of a request that names several models: which has its turn when, and which have none. */
const turnsText = ({ turns = [], passed_over: passedOver = [] }: ExplainedRoute): Html | false =>
  turns.length + passedOver.length > 0 &&
  html`<p class="note">
    ${turns.length > 1 && `Asked in this order, each only if the model before cannot answer: ${turns.join(', ')}.`}
    ${passedOver.map(({ model, detail }) => html`Not asked: ${model}. ${detail} `)}
  </p>`;

/** What decides the scores and who can change it, where and when it takes effect. */
const settingsPart = ({ base }: RoutingPage, { settings = [] }: ExplainedRoute): Html | false =>
  settings.length > 0 &&
  panel(
    'Settings of the operator',
    html`<div class="flush">
      ${table({
        caption: 'Settings of routing',
        columns: ['Setting', { title: 'Value in force', kind: 'number' }, 'Meaning'],
        rows: settings.map(({ name, value, description }) => [html`<code>${name}</code>`, String(value), description]),
        empty: '',
      })}
    </div>`,
    html`The operator of the gateway sets them as environment variables, for all accounts
      (<code>docs/settings.md</code>); the weights count where an account has none of its own. They take effect with the
      next start. The <code>priority</code> of a provider or an offer is in <code>tallyport.yaml</code> or set by
      <code>npm run catalog</code> (<code>docs/catalogue.md</code>) and takes effect within seconds. Weights between
      models are those of a <a href="${base}/routes">route</a>, which an owner edits here. In this account, its own
      <a href="${base}/provider-keys">provider keys</a> are tried first, and an <a href="${base}/keys">API key</a> may
      allow only some providers and models. <code>docs/routing.md</code> explains the scores.`,
  );

const order = ({ candidates, max_attempts: most, model, requested_model: requested, weights }: ExplainedPlan): string =>
  [
    ...(requested === model ? [] : [`The model is ${model}.`]),
    orderText(candidates.map(scoredNow)),
    `At most ${most} of ${candidates.length} offers are tried, from the top.`,
    ...weightsText({ weights }),
  ].join(' ');

/** The fields that make the question, which the sliders repeat. */
const questionFields = ['model', 'kind', 'stream', 'body', 'path'] as const;

function whatIf({ base, csrfToken, fields }: RoutingPage, known: ExplainedRoute): Html {
  const place = placeOf(base);
  const isPosted = fields['body'] !== undefined;
  const reset = isPosted ? undefined : `${place}?${new URLSearchParams(questionOf(fields)).toString()}`;
  return html`<section class="panel padded">
    <h2>What if?</h2>
    <p class="quiet small">
      Assume that a provider fails more often, costs more or is slower, and see the route that follows. An assumed
      uptime counts as certain. An assumed speed has no effect on offers without measurements.
    </p>
    <form class="form what-if" method="${isPosted ? 'post' : 'get'}" action="${place}" data-renews="route">
      ${isPosted && csrfField(csrfToken)}
      ${Object.entries(questionOf(fields)).map(([name, value]) => hidden(name, value))}
      ${known.candidates.map(({ provider, uptime }) => providerSliders(provider, uptime.lower, fields))}
      <div class="form-actions">
        <button>Show what would follow</button>
        ${reset !== undefined && html`<a class="button plain" href="${reset}">As it is</a>`}
      </div>
    </form>
  </section>`;
}

export const questionOf = (fields: FieldValues): FieldValues =>
  Object.fromEntries(questionFields.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));

const providerSliders = (provider: string, uptime: number, fields: FieldValues): Html =>
  html`<fieldset>
    <legend>${provider}</legend>
    ${hidden(knownUptimeField(provider), String(Math.round(uptime * 100)))}
    ${sliders.map((slider) => sliderPart(slider, provider, movedTo(slider, provider, fields) ?? stillAt(slider, uptime)))}
  </fieldset>`;

function sliderPart(slider: Slider, provider: string, value: number): Html {
  const { label, unit, min, max, step } = slider;
  const name = sliderField(slider, provider);
  return html`<div class="slider">
    <label for="${name}">${label}</label>
    <input
      type="range"
      id="${name}"
      name="${name}"
      min="${min}"
      max="${max}"
      step="${step}"
      value="${value}"
      aria-valuetext="${value} ${unit}"
    />
    <output for="${name}" data-unit="${unit}">${value} ${unit}</output>
  </div>`;
}
