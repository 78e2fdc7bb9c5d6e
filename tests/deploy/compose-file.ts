import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const conditionSchema = z.object({ condition: z.string() });

const serviceSchema = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), args: z.record(z.string(), z.string()) }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z.union([z.record(z.string(), conditionSchema), z.array(z.string())]).default({}),
  healthcheck: z.unknown().optional(),
  profiles: z.array(z.string()).default([]),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
});

const composeSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.object({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.unknown()),
});

export type ComposeService = z.infer<typeof serviceSchema>;

export const composePath = new URL('../../docker-compose.yml', import.meta.url);

/** The file as compose reads it: anchors followed, `${NAME:-default}` replaced by the default. */
export function readComposeFile(): z.infer<typeof composeSchema> {
  const text = readFileSync(composePath, 'utf8').replaceAll(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1');
  return composeSchema.parse(parse(text, { merge: true }));
}
