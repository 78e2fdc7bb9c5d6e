import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

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
      const handles = new Map<string, Handle>();
      const fallback = full(() => drops.inc({ metric: options.name }));
      const names = Object.entries(options.labels ?? {});
      refuseEmpty(options.name, names);
      return (values) => {
        const key = keyOf(names, values);
        const known = handles.get(key);
        if (known !== undefined) return known;
        if (handles.size >= cap) return fallback;
        const parts = key.split(separator);
        const handle = make(Object.fromEntries(names.map(([name], index) => [name, parts[index] ?? ''])));
        handles.set(key, handle);
        return handle;
      };
    },
  };
}

const separator = '\u0000';
const longestValue = 128;

function refuseEmpty(metric: string, names: readonly (readonly [string, readonly string[] | 'any'])[]): void {
  const empty = names.find(([, allowed]) => allowed.length === 0);
  if (empty === undefined) return;
  throw new TypeError(
    `${metric}: the label ${empty[0]} has no values, so all would be "other". Name them or say 'any'.`,
  );
}

function keyOf(
  names: readonly (readonly [string, readonly string[] | 'any'])[],
  values: Readonly<Record<string, string>> | undefined,
): string {
  let key = '';
  for (const [index, [name, allowed]] of names.entries()) {
    const value = values?.[name] ?? '';
    const bounded = allowed === 'any' ? anyValue(value) : allowed.includes(value) ? value : 'other';
    key += index === 0 ? bounded : separator + bounded;
  }
  return key;
}

function anyValue(value: string): string {
  return value.length > longestValue || value.includes(separator) ? 'other' : value;
}
