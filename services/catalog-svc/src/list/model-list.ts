import { createHash } from 'node:crypto';
import { type Catalogue, GatewayError, type Principal, type Routes } from '@tallyport/contracts';
import { indexCatalogue, isAllowed, resolveModel, type UnknownModels } from '@tallyport/dispatch';
import type { ProviderTargets } from '@tallyport/serving/upstreams';
import { LRUCache } from 'lru-cache';
import type { Document } from '../conditional.ts';
import type { ModelForm, ModelPage, ModelView } from './model-form.ts';
import { calledModels, type ShownModel, modelOfOffer } from './shown-model.ts';
import { listedRoute, listedRoutes } from './listed-routes.ts';
import { type ListFilters, isDeactivated, isPast, nextChange, passes } from './filters.ts';
import { type Reach, reachOf, type CallerAccess, unavailableReason } from './reach.ts';

export interface ModelLists {
  /** The models a caller may see. Callers with the same access share one document, which is built once. */
  list(query: ListQuery, caller: CallerAccess): Document;
  /** One record, by any name that a chat could use. Throws `model_not_found` with similar names. */
  one(query: { name: string; form: ModelForm }, caller: CallerAccess): Document;
}

interface ListQuery {
  filters: ListFilters;
  form: ModelForm;
  page: ModelPage;
}

interface ModelListsOptions {
  targets: Pick<ProviderTargets, 'chats' | 'images'>;
  now(): number;
  unknownModels: UnknownModels;
}

/** The cache holds the list of all unrestricted callers and those of recent callers. */
const mostBytesKept = 32 * 1024 * 1024;

export function createModelLists(catalogue: Catalogue, { targets, now, unknownModels }: ModelListsOptions): ModelLists {
  const index = indexCatalogue(catalogue, unknownModels);
  const providers = new Set(catalogue.models.flatMap(({ offers }) => offers.map(({ providerId }) => providerId)));
  const kept = new LRUCache<string, Document>({ maxSize: mostBytesKept, sizeCalculation: ({ body }) => body.length });
  let validUntil = nextChange(catalogue.models, now());

  const routesKeys = new WeakMap<Routes, number>();
  let routesSeen = 0;

  /** Equal for the same object only: while auth-svc is away, a version may be answered with the routes before it. */
  function keyOfRoutes(routes: Routes | undefined): number {
    if (routes === undefined) return 0;
    const key = routesKeys.get(routes) ?? (routesSeen += 1);
    routesKeys.set(routes, key);
    return key;
  }

  const build = (
    { filters, form, page }: ListQuery,
    reach: Reach,
    { principal, routes: own }: CallerAccess,
  ): Document => {
    const routes = { ...catalogue.routes, ...own };
    const models = catalogue.models.filter(({ id }) => !Object.hasOwn(routes, id));
    const shown = [...listedRoutes(routes, index), ...models].filter(
      (model) =>
        passes(model, filters, now()) &&
        isVisible(model, principal) &&
        (filters.includeUnavailable || isReached(model, reach, now())),
    );
    return documentOf(form.list(shown, page, viewOf(reach, now())));
  };

  return {
    list(query, caller) {
      if (now() >= validUntil) {
        kept.clear();
        validUntil = nextChange(catalogue.models, now());
      }
      const reach = reachOf(targets, providers, caller);
      const { filters, form, page } = query;
      const key = `${Object.values(filters).join()} ${form.name} ${JSON.stringify(page)} ${keyOfRoutes(caller.routes)} ${reach.key}`;
      const list = kept.get(key) ?? build(query, reach, caller);
      kept.set(key, list);
      return list;
    },
    one({ name, form }, caller) {
      const routes = { ...catalogue.routes, ...caller.routes };
      const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
      const model = (route && listedRoute(name, route, index)) ?? resolveModel(name, index).model;
      if (isVisible(model, caller.principal)) {
        return documentOf(form.one(model, viewOf(reachOf(targets, providers, caller), now())));
      }
      throw new GatewayError(
        'model_not_found',
        `There is no model '${model.id}' for this API key. GET /v1/models lists the models it may use.`,
        { param: 'model' },
      );
    },
  };
}

/** A route is visible to the callers that may use one of its models. */
const isVisible = (listed: ShownModel, principal: Principal | undefined): boolean =>
  calledModels(listed).some((model) => model.offers.some((offer) => isAllowed(model, offer, principal)));

/** Withdrawn models are listed on request, if a provider that had them can be reached. */
function isReached(listed: ShownModel, reach: Reach, now: number): boolean {
  const gone = isDeactivated(listed, now);
  return calledModels(listed).some((model) =>
    model.offers.some(
      (offer) => (gone || !isPast(offer.deactivatedAt, now)) && reach.missing(model, offer) === undefined,
    ),
  );
}

const viewOf = (reach: Reach, now: number): ModelView => ({
  now,
  whyNot: (model, offer) => unavailableReason(reach, modelOfOffer(model, offer), { offer, now }),
});

function documentOf(text: string): Document {
  const body = Buffer.from(text);
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
