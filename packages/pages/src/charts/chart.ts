import type { Html } from '../html.ts';
import type { Unit } from '../unit.ts';

/** A row of values with one meaning, for example the cost of a model. */
export interface ChartSeries {
  title: string;
  /** Everything that has no series of its own. It is drawn in grey. */
  rest?: boolean;
}

/** A position of the horizontal axis, for example a day. */
export interface Slot {
  /** Short, for the axis. */
  label: string;
  /** In full, for the table. */
  title: string;
  /** What the values are made of. */
  href?: string | undefined;
  /** One per series; `undefined` if it was not measured. */
  values: readonly (number | undefined)[];
  /** What each value is made of. */
  hrefs?: readonly (string | undefined)[];
}

export interface Chart {
  title: string;
  unit: Unit;
  /** The column of the slots in the table, with their time zone, for example "Day (UTC)". */
  slotTitle: string;
  series: readonly ChartSeries[];
  slots: readonly Slot[];
  /** Shown instead of the chart if no slot has a value. */
  empty: string;
  /** The same numbers as a table. It is only part of the page at its address: it may be longer than all charts. */
  table: { href: string; isShown: boolean };
  /** A choice of what is shown, below the title. */
  choice?: Html;
}

/** The sum of a slot. */
export const totalOf = ({ values }: Slot): number => values.reduce<number>((sum, value = 0) => sum + value, 0);

/** The number of series with a colour of their own. */
export const mostSeries = 6;

/** The class that colours a series. The style sheet defines them for light, dark and forced colours. */
export const seriesClass = ({ rest }: ChartSeries, at: number): string =>
  rest === true ? 'series-rest' : `series-${(at % mostSeries) + 1}`;
