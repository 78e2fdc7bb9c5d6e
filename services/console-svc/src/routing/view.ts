import { csrfField, type FieldValues, heading, hidden, type Html, html, panel } from '@tallyport/pages';
import { apiPaths, kinds } from '../requests/asked-request.ts';
import { knownUptimeField, movedTo, type Slider, sliderField, sliders, stillAt } from './assumptions.ts';
import type { ExplainedRoute } from '../gateway/explained-route.ts';
import { excludedTable, scoreTable } from './score-view.ts';

export interface RoutingPage {
  place: string;
  csrfToken: string;
  fields: FieldValues;
  problem: string | undefined;
  /** The route with the assumptions, and the one without them. */
  shown: { route: ExplainedRoute; known: ExplainedRoute } | undefined;
}

export const routingPage = (page: RoutingPage): Html =>
  html`${heading({
    title: 'Routing',
    text: 'Which offers a request would try, in which order and why. Nothing is called and nothing is spent.',
  })}
  ${questions(page)} ${page.problem !== undefined && html`<p class="note bad" role="alert">${page.problem}</p>`}
  ${page.shown && answer(page, page.shown)}`;

/** A pasted request is posted, because addresses are kept in histories and logs. */
const questions = ({ place, csrfToken, fields }: RoutingPage): Html =>
  html`<div class="routing-questions">
    <section class="panel padded">
      <h2>Choose a model</h2>
      <form class="form" method="get" action="${place}">
        <div class="field">
          <label for="model">Model</label>
          <input id="model" name="model" value="${fields['model'] ?? ''}" autocomplete="off" required />
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
      <form class="form" method="post" action="${place}">
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

const answer = (page: RoutingPage, { route, known }: NonNullable<RoutingPage['shown']>): Html =>
  html`<div id="route" class="routing">
      ${panel(`Route of ${route.requested_model}`, html`<div class="flush">${scoreTable({ route, known })}</div>`, order(route))}
      ${excludedTable(route)}
    </div>
    ${whatIf(page, known)}`;

const order = ({ candidates, max_attempts: most, model, requested_model: requested }: ExplainedRoute): string =>
  [
    ...(requested === model ? [] : [`The model is ${model}.`]),
    `The lowest score is tried first, at most ${most} of ${candidates.length} offers.`,
  ].join(' ');

/** The fields that make the question, which the sliders repeat. */
const questionFields = ['model', 'kind', 'stream', 'body', 'path'] as const;

function whatIf({ place, csrfToken, fields }: RoutingPage, known: ExplainedRoute): Html {
  const isPosted = fields['body'] !== undefined;
  const reset = isPosted ? undefined : `${place}?${new URLSearchParams(kept(fields)).toString()}`;
  return html`<section class="panel padded">
    <h2>What if …</h2>
    <p class="quiet small">
      … a provider were ill, dearer or slower? The route above is the one that would follow. An assumption counts as
      well known; a speed has no effect while nothing is measured.
    </p>
    <form class="form what-if" method="${isPosted ? 'post' : 'get'}" action="${place}" data-renews="route">
      ${isPosted && csrfField(csrfToken)} ${Object.entries(kept(fields)).map(([name, value]) => hidden(name, value))}
      ${known.candidates.map(({ provider, uptime }) => providerSliders(provider, uptime.lower, fields))}
      <div class="form-actions">
        <button>Show what would follow</button>
        ${reset !== undefined && html`<a class="button plain" href="${reset}">As it is</a>`}
      </div>
    </form>
  </section>`;
}

const kept = (fields: FieldValues): FieldValues =>
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
