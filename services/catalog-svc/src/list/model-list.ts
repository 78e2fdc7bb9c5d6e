import { createHash } from 'node:crypto';
import { type Catalogue, GatewayError, type Principal } from '@switchyard/contracts';
import { indexCatalogue, resolveModel } from '@switchyard/dispatch';
import type { Document } from '../conditional.ts';
import { type ListFilters, isVisibleTo, nextChange, passes } from './filters.ts';
import { modelRecord } from './model-record.ts';

export interface ModelLists {
  /** All a caller may see. Without limits on the key the bytes are the same for everybody, and made once. */
  list(filters: ListFilters, principal: Principal | undefined): Document;
  /** One record, by any name a chat could use. Throws `model_not_found` with near names. */
  one(name: string, principal: Principal | undefined): Document;
}

export function createModelLists(catalogue: Catalogue, now: () => number): ModelLists {
  const records = new Map(catalogue.models.map((model) => [model.id, JSON.stringify(modelRecord(model))]));
  const index = indexCatalogue(catalogue);
  let built = new Map<string, Document>();
  let validUntil = nextChange(catalogue.models, now());

  const build = (filters: ListFilters, principal: Principal | undefined): Document => {
    const shown = catalogue.models.filter(
      (model) => passes(model, filters, now()) && (principal === undefined || isVisibleTo(model, principal)),
    );
    return documentOf(`{"object":"list","data":[${shown.map(({ id }) => records.get(id)).join(',')}]}`);
  };

  return {
    list(filters, principal) {
      if (now() >= validUntil) {
        built = new Map();
        validUntil = nextChange(catalogue.models, now());
      }
      if (principal?.allowedModels !== undefined || principal?.allowedProviders !== undefined) {
        return build(filters, principal);
      }
      const key = `${filters.includeDeactivated}-${filters.excludeDeprecated}`;
      const known = built.get(key) ?? build(filters, undefined);
      built.set(key, known);
      return known;
    },
    one(name, principal) {
      const { model } = resolveModel(name, index);
      if (principal === undefined || isVisibleTo(model, principal)) return documentOf(records.get(model.id) ?? '{}');
      throw new GatewayError(
        'model_not_found',
        `There is no model '${model.id}' for this API key. GET /v1/models lists what it may use.`,
        { param: 'model' },
      );
    },
  };
}

function documentOf(text: string): Document {
  const body = Buffer.from(text);
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
