import { chooser, hidden, type Html, html, viewed } from '@tallyport/pages';
import { fieldTime } from './instant-in.ts';
import { namedPeriods, type Period, periodParameters } from './period.ts';

interface PeriodPicker {
  /** The page that the choice is for. */
  action: string;
  period: Period;
  /** The other parameters of the page. */
  kept: Readonly<Record<string, string>>;
}

/** The choice of a period by its name, or from one time to another in the viewer's zone. */
export const periodPicker = (picker: PeriodPicker): Html =>
  html`<div class="period-picker">
    ${chooser(
      'Period',
      Object.entries(namedPeriods).map(([name, text]) => ({
        text,
        chosen: name === picker.period.name,
        href: `${picker.action}?${new URLSearchParams({ period: name, ...others(picker) }).toString()}`,
      })),
    )}
    ${timesForm(picker)}
    ${picker.period.problem !== undefined && html`<p class="note bad" role="alert">${picker.period.problem}</p>`}
  </div>`;

const others = ({ kept }: PeriodPicker): Record<string, string> =>
  Object.fromEntries(Object.entries(kept).filter(([name]) => !periodParameters.some((own) => own === name)));

const timesForm = (picker: PeriodPicker): Html => {
  const { action, period } = picker;
  const isChosen = period.name === undefined;
  return html`<details class="period-times" ${isChosen && html`open`}>
    <summary>From–to</summary>
    <form method="get" action="${action}">
      ${timeField('from', 'From', period.from)} ${timeField('to', 'to', period.to)}
      ${viewed(({ timeZone }) => [hidden('zone', timeZone), html`<span class="quiet small">${zoneText(timeZone)}</span>`])}
      ${Object.entries(others(picker)).map(([name, value]) => hidden(name, value))}
      <button class="plain">Show period</button>
    </form>
  </details>`;
};

const zoneText = (timeZone: string): string => timeZone.replaceAll('_', ' ');

/** Browsers show only times without a zone in such a field. */
const timeField = (name: 'from' | 'to', label: string, iso: string): Html =>
  html`<label for="period-${name}">${label}</label>
    <input
      id="period-${name}"
      name="${name}"
      type="datetime-local"
      required
      value="${viewed((viewer) => fieldTime(viewer, iso))}"
    />`;
