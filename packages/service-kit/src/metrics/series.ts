import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import { HandleTree } from './handle-tree.ts';
import { type NamedOffers, otherValue } from './named-offers.ts';

/**
 * Label names with their allowed values. `any` is for a bounded set that is only known at run time, for example
 * providers; keys, users and free text are never labels. `model` is the model of an offer: it becomes `other` when too
 * many offers have series of their own, while the label `provider` stays exact.
 */
export type Labels = Readonly<Record<string, AllowedValues>>;

type AllowedValues = readonly string[] | 'any' | 'model';

export type LabelValues<Names extends Labels> = { readonly [Name in keyof Names]: string };

export interface MetricOptions<Names extends Labels> {
  readonly name: string;
  readonly help: string;
  readonly labels?: Names;
}

/** Returns the handle of a label set, and creates it while the metric has room. */
type Series<Names extends Labels, Handle> = (values?: LabelValues<Names>) => Handle;

interface SeriesMaker<Names extends Labels, Handle> {
  readonly options: MetricOptions<Names>;
  readonly make: (labels: Record<string, string>) => Handle;
  /** Creates the handle used when the metric is full. It calls `dropped` instead of counting. */
  readonly full: (dropped: () => void) => Handle;
}

export interface SeriesGuard {
  series<Names extends Labels, Handle>(maker: SeriesMaker<Names, Handle>): Series<Names, Handle>;
}

interface SeriesLimits {
  /** Maximum number of label sets per metric. */
  cap: number;
  offers: NamedOffers;
}

/**
 * Limits the label sets of every metric, so that a leak of labels loses observations instead of memory. A metric of
 * offers that is full counts further label sets under the model `other`, of which there may be as many again.
 */
export function createSeriesGuard(registry: Registry, { cap, offers }: SeriesLimits): SeriesGuard {
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
      const modelName = modelLabelOf(options.name, names);
      const handles = new HandleTree<Handle>(names.map(([name]) => name));
      const fallback = full(() => drops.inc({ metric: options.name }));
      const findOrAdd = (labels: Record<string, string>, room: number): Handle | undefined =>
        handles.find(labels) ?? (handles.size < room ? handles.add(labels, make(labels)) : undefined);
      const findOrMake = (values: Values): Handle => {
        const bounded = Object.fromEntries(names.map(([name, allowed]) => [name, bound(values[name], allowed)]));
        if (modelName === undefined) return findOrAdd(bounded, cap) ?? fallback;
        const model = offers.modelLabel(bounded['provider'] ?? '', bounded[modelName] ?? '');
        const ofOffer = findOrAdd({ ...bounded, [modelName]: model }, cap);
        return ofOffer ?? findOrAdd({ ...bounded, [modelName]: otherValue }, cap * 2) ?? fallback;
      };
      return (values: Values = {}) => handles.find(values) ?? findOrMake(values);
    },
  };
}

type Values = Readonly<Record<string, string>>;

const longestValue = 128;

type Names = readonly (readonly [string, AllowedValues])[];

function refuseEmpty(metric: string, names: Names): void {
  const empty = names.find(([, allowed]) => allowed.length === 0);
  if (empty === undefined) return;
  throw new TypeError(
    `${metric}: the label ${empty[0]} has no values, so all would be "other". List them or use 'any'.`,
  );
}

/** The name of the label with the model of an offer. */
function modelLabelOf(metric: string, names: Names): string | undefined {
  const model = names.find(([, allowed]) => allowed === 'model')?.[0];
  if (model === undefined || names.some(([name]) => name === 'provider')) return model;
  throw new TypeError(`${metric}: the label ${model} names the model of an offer, so the label provider is needed.`);
}

function bound(value = '', allowed: AllowedValues): string {
  const isAllowed =
    typeof allowed === 'string' ? value.length <= longestValue && !value.includes('\0') : allowed.includes(value);
  return isAllowed ? value : otherValue;
}
