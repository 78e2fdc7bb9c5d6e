/** A dashboard as we write it: rows of panels. Grafana's own form is made from it by `render.ts`. */
export interface Dashboard {
  /** The file's name and part of the address. */
  id: string;
  title: string;
  description: string;
  variables?: readonly Variable[];
  rows: readonly Row[];
}

/** A choice at the top: the values of one label of one metric. */
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
  /** What it means, and what to do when it looks bad. */
  description: string;
  queries: readonly Query[];
  unit: Unit;
  /** Of 24; a panel is a third of a row when not told. */
  width?: number;
  /** From which value on it turns; green before the first, or red where less is worse. */
  thresholds?: Thresholds;
  /** Fixed ends of the axis. */
  min?: number;
  max?: number;
  stacked?: true;
}

export interface Query {
  expr: string;
  /** Of a line, with labels in double braces. */
  legend?: string;
}

export interface Thresholds {
  /** Where lower figures are the bad ones. */
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
  | 'short'
  | 'currencyUSD'
  | 'ops'
  | 'cores'
  | 'circuit'
  | 'yesno';
