import { chooser, hidden, type Html, html, viewed } from '@tallyport/pages';
import { fieldTime } from './instant-in.ts';
import { namedPeriods, type Period, periodParameters } from './period.ts';
import { queryOf } from './query-of.ts';

interface PeriodPicker {
  /** The page that the choice is for. */
  action: string;
  /** `undefined` if the page is not limited to one. */
  period: Period | undefined;
  /** The other parameters of the page. */
  kept: Readonly<Record<string, string>>;
  /** The name of the choice of all times, if the page has it. */
  all?: string;
}

/** The choice of a period by its name, or from one time to another in the viewer's zone. */
export const periodPicker = (picker: PeriodPicker): Html =>
  html`<div class="period-picker">
    ${chooser('Period', [...allChoice(picker), ...Object.entries(namedPeriods).map(([name, text]) => choiceOf(picker, name, text))])}
    ${timesForm(picker)}
    ${picker.period?.problem !== undefined && html`<p class="note bad" role="alert">${picker.period.problem}</p>`}
  </div>`;

const choiceOf = (picker: PeriodPicker, name: string, text: string) => ({
  text,
  chosen: name === picker.period?.name,
  href: `${picker.action}?${queryOf({ period: name, ...others(picker) }).toString()}`,
});

const allChoice = (picker: PeriodPicker) =>
  picker.all === undefined
    ? []
    : [
        {
          text: picker.all,
          chosen: picker.period === undefined,
          href: `${picker.action}?${queryOf(others(picker)).toString()}`,
        },
      ];

const others = ({ kept }: PeriodPicker): Record<string, string> =>
  Object.fromEntries(Object.entries(kept).filter(([name]) => !periodParameters.some((own) => own === name)));

const timesForm = (picker: PeriodPicker): Html => {
  const { action, period } = picker;
  const isChosen = period !== undefined && period.name === undefined;
  return html`<details class="period-times" ${isChosen && html`open`}>
    <summary>From–to</summary>
    <form method="get" action="${action}">
      ${timeField('from', 'From', period?.from)} ${timeField('to', 'to', period?.to)}
      ${viewed(({ timeZone }) => [hidden('zone', timeZone), html`<span class="quiet small">${zoneText(timeZone)}</span>`])}
      ${Object.entries(others(picker)).map(([name, value]) => hidden(name, value))}
      <button class="plain">Show period</button>
    </form>
  </details>`;
};

const zoneText = (timeZone: string): string => timeZone.replaceAll('_', ' ');

/** Browsers show only times without a zone in such a field. */
const timeField = (name: 'from' | 'to', label: string, iso: string | undefined): Html =>
  html`<label for="period-${name}">${label}</label>
    <input
      id="period-${name}"
      name="${name}"
      type="datetime-local"
      required
      value="${iso !== undefined && viewed((viewer) => fieldTime(viewer, iso))}"
    />`;
