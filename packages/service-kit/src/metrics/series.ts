import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import { HandleTree } from './handle-tree.ts';

/**
 * Label names with the values each may take. `any` is for values of a bounded set that is only known at run time, such as
 * the catalogue's models; keys, users and free text are never labels.
 */
export type Labels = Readonly<Record<string, readonly string[] | 'any'>>;

export type LabelValues<Names extends Labels> = { readonly [Name in keyof Names]: string };

export interface MetricOptions<Names extends Labels> {
  readonly name: string;
  readonly help: string;
  readonly labels?: Names;
}

/** Finds the handle of a label set, or makes it while the metric has room. */
export type Series<Names extends Labels, Handle> = (values?: LabelValues<Names>) => Handle;

export interface SeriesMaker<Names extends Labels, Handle> {
  readonly options: MetricOptions<Names>;
  readonly make: (labels: Record<string, string>) => Handle;
  /** What is handed out when the metric is full; it calls `dropped` whenever it would have counted. */
  readonly full: (dropped: () => void) => Handle;
}

export interface SeriesGuard {
  series<Names extends Labels, Handle>(maker: SeriesMaker<Names, Handle>): Series<Names, Handle>;
}

/** Holds every metric to a number of label sets: a leak of labels costs figures, never memory. */
export function createSeriesGuard(registry: Registry, cap: number): SeriesGuard {
  const drops = new Counter({
    name: 'gateway_metric_series_dropped_total',
    help: 'Observations left out because their metric already has as many series as it may.',
    labelNames: ['metric'],
    registers: [registry],
  });
  return {
    series({ options, make, full }) {
      type Handle = ReturnType<typeof make>;
      const names = Object.entries(options.labels ?? {});
      refuseEmpty(options.name, names);
      const handles = new HandleTree<Handle>(names.map(([name]) => name));
      const fallback = full(() => drops.inc({ metric: options.name }));
      const findOrMake = (values: Values): Handle => {
        const bounded = Object.fromEntries(names.map(([name, allowed]) => [name, bound(values[name], allowed)]));
        const known = handles.find(bounded);
        if (known !== undefined) return known;
        if (handles.size >= cap) return fallback;
        return handles.add(bounded, make(bounded));
      };
      return (values: Values = {}) => handles.find(values) ?? findOrMake(values);
    },
  };
}

type Values = Readonly<Record<string, string>>;

const longestValue = 128;

function refuseEmpty(metric: string, names: readonly (readonly [string, readonly string[] | 'any'])[]): void {
  const empty = names.find(([, allowed]) => allowed.length === 0);
  if (empty === undefined) return;
  throw new TypeError(
    `${metric}: the label ${empty[0]} has no values, so all would be "other". Name them or say 'any'.`,
  );
}

function bound(value = '', allowed: readonly string[] | 'any'): string {
  const isAllowed = allowed === 'any' ? value.length <= longestValue && !value.includes('\0') : allowed.includes(value);
  return isAllowed ? value : 'other';
}
