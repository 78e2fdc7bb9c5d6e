import { createHash } from 'node:crypto';
import type { Catalogue, Principal } from '@switchyard/contracts';
import { type ListFilters, isAllowed, nextChange, passes } from './filters.ts';
import { modelRecord } from './model-record.ts';

/** A list ready to be sent. */
export interface ModelList {
  body: Buffer;
  etag: string;
}

export interface ModelLists {
  /** All a caller may see. Without limits on the key the bytes are the same for everybody, and made once. */
  list(filters: ListFilters, principal: Principal | undefined): ModelList;
}

export function createModelLists(catalogue: Catalogue, now: () => number): ModelLists {
  const records = new Map(catalogue.models.map((model) => [model.id, JSON.stringify(modelRecord(model))]));
  let built = new Map<string, ModelList>();
  let validUntil = nextChange(catalogue.models, now());

  const build = (filters: ListFilters, principal: Principal | undefined): ModelList => {
    const shown = catalogue.models.filter(
      (model) => passes(model, filters, now()) && (principal === undefined || isAllowed(model, principal)),
    );
    const data = shown.map(({ id }) => records.get(id)).join(',');
    const body = Buffer.from(`{"object":"list","data":[${data}]}`);
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
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
  };
}
