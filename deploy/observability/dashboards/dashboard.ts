/** The source of a dashboard: rows of panels. `render.ts` converts it to Grafana's format. */
export interface Dashboard {
  /** The name of the file, and part of the URL. */
  id: string;
  title: string;
  description: string;
  variables?: readonly Variable[];
  rows: readonly Row[];
}

/** A selection at the top of the dashboard: the values of one label of one metric. */
export interface Variable {
  label: string;
  metric: string;
}

export interface Row {
  title: string;
  panels: readonly Panel[];
}

export interface Panel {
  kind: 'stat' | 'timeseries' | 'table' | 'bars';
  title: string;
  /** What the figure means, and what to do when it is bad. */
  description: string;
  queries: readonly Query[];
  unit: Unit;
  /** Out of 24 columns. Default: 8. */
  width?: number;
  /** Values at which the colour changes, from green or, with `lowIsBad`, from red. */
  thresholds?: Thresholds;
  /** Fixed lower end of the axis. */
  min?: number;
  /** Fixed upper end of the axis. */
  max?: number;
  stacked?: true;
}

export interface Query {
  expr: string;
  /** The name of a line, with labels in double braces. */
  legend?: string;
}

export interface Thresholds {
  /** Lower values are worse. */
  lowIsBad?: true;
  warn: number;
  bad: number;
}

export type Unit =
  | 'percentunit'
  | 'reqps'
  | 'cps'
  | 's'
  | 'bytes'
  | 'Bps'
  | 'short'
  | 'currencyUSD'
  | 'ops'
  | 'cores'
  | 'circuit'
  | 'yesno';
