import { z } from 'zod';
import { authService } from './auth.ts';
import { catalogueOverrideNameSchema, catalogueOverrideSchema, catalogueSchema } from './catalog.ts';
import { call, exchange, notice, service } from './service.ts';

const storedOverrideSchema = catalogueOverrideSchema.extend({
  updatedAt: z.string(),
  /** Why it has no effect: what it was laid over has changed. */
  problem: z.string().optional(),
});

export type StoredOverride = z.infer<typeof storedOverrideSchema>;

export const catalogService = service('catalog', {
  /** `GET /v1/models`, filtered by the query, with ETag. */
  listModels: exchange(),
  /** `GET /v1/models/{id}`: one record, by id, alias or prefixed id in the head's `path`. */
  getModel: exchange(),
  /** The whole catalogue, for a replica's local copy. */
  snapshot: call(z.object({}), catalogueSchema),
  /**
   * Checked against everything that is there, kept in the database, in force on all replicas within two seconds.
   * `invalid_parameters` names the wrong member. `version` is the catalogue's.
   */
  setOverride: call(catalogueOverrideSchema, z.object({ version: z.string() })),
  /** `false` when there is no such override. */
  removeOverride: call(catalogueOverrideNameSchema, z.object({ removed: z.boolean() })),
  listOverrides: call(z.object({}), z.object({ overrides: z.array(storedOverrideSchema) })),
  catalogueChanged: notice(z.object({ version: z.string() })),
});

export const chatService = service('chat', {
  complete: exchange(),
  /** `POST /v1/routes/explain`: what would be tried for a request, and why, without calling anyone. */
  explain: exchange(),
  /** `GET /v1/providers`: how every offer stands. */
  providers: exchange(),
});

export const imageService = service('image', {
  generate: exchange(),
  edit: exchange(),
});

export const services = [authService, catalogService, chatService, imageService] as const;
