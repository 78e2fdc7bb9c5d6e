import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import { HandleTree } from './handle-tree.ts';

/**
 * Label names with their allowed values. `any` is for a bounded set that is only known at run time, for example the
 * models of the catalogue; keys, users and free text are never labels.
 */
export type Labels = Readonly<Record<string, readonly string[] | 'any'>>;

export type LabelValues<Names extends Labels> = { readonly [Name in keyof Names]: string };

export interface MetricOptions<Names extends Labels> {
  readonly name: string;
  readonly help: string;
  readonly labels?: Names;
}

/** Returns the handle of a label set, and creates it while the metric has room. */
export type Series<Names extends Labels, Handle> = (values?: LabelValues<Names>) => Handle;

export interface SeriesMaker<Names extends Labels, Handle> {
  readonly options: MetricOptions<Names>;
  readonly make: (labels: Record<string, string>) => Handle;
  /** Creates the handle used when the metric is full. It calls `dropped` instead of counting. */
  readonly full: (dropped: () => void) => Handle;
}

export interface SeriesGuard {
  series<Names extends Labels, Handle>(maker: SeriesMaker<Names, Handle>): Series<Names, Handle>;
}

/** Limits the label sets of every metric, so that a leak of labels loses observations instead of memory. */
export function createSeriesGuard(registry: Registry, cap: number): SeriesGuard {
  const drops = new Counter({
    name: 'gateway_metric_series_dropped_total',
    help: 'Observations dropped because their metric already has the maximum number of series.',
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
    `${metric}: the label ${empty[0]} has no values, so all would be "other". List them or use 'any'.`,
  );
}

function bound(value = '', allowed: readonly string[] | 'any'): string {
  const isAllowed = allowed === 'any' ? value.length <= longestValue && !value.includes('\0') : allowed.includes(value);
  return isAllowed ? value : 'other';
}
