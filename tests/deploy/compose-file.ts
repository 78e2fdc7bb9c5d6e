import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const conditionSchema = z.object({ condition: z.string() });

const variableSchema = z
  .union([z.string(), z.number()])
  .transform((value) => String(value))
  .nullable();

const mountSchema = z.union([
  z.string(),
  z.object({ source: z.string(), volume: z.object({ subpath: z.string() }) }).loose(),
]);

const healthcheckSchema = z.object({
  test: z.array(z.string()).optional(),
  disable: z.boolean().optional(),
  start_period: z.string().optional(),
  start_interval: z.string().optional(),
  interval: z.string().optional(),
  timeout: z.string().optional(),
  retries: z.number().optional(),
});

const serviceSchema = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), args: z.record(z.string(), z.string().nullable()) }).optional(),
  extends: z.object({ file: z.string(), service: z.string() }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  env_file: z.unknown().optional(),
  volumes: z.array(mountSchema).default([]),
  networks: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z.union([z.record(z.string(), conditionSchema), z.array(z.string())]).default({}),
  command: z.array(z.string()).optional(),
  healthcheck: healthcheckSchema.optional(),
  restart: z.string().optional(),
  profiles: z.array(z.string()).default([]),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  user: z.string().optional(),
  deploy: z.object({ resources: z.object({ limits: z.record(z.string(), z.unknown()) }) }).optional(),
});

const composeSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.object({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.unknown()),
});

/** Settings passed on to a service. A name without a value has the value from .env or the shell. */
const settingsSchema = z.object({
  services: z.record(z.string(), z.object({ environment: z.record(z.string(), variableSchema) })),
});

export type ComposeService = z.infer<typeof serviceSchema>;

/** Keys whose value catalog-svc needs: those of servers that list their models, and one that it validates. */
export const listingKeys: readonly string[] = ['GOOGLE_VERTEX_CREDENTIALS', 'OLLAMA_API_KEY', 'VLLM_API_KEY'];

export const composePath = new URL('../../docker-compose.yml', import.meta.url);

/** The file as compose reads it, with anchors resolved and each `${NAME…}` replaced as if NAME were not set. */
export function readComposeFile(): z.infer<typeof composeSchema> {
  return composeSchema.parse(parse(unset(readFileSync(composePath, 'utf8')), { merge: true }));
}

/** The variables of one service from .env or the shell, by name, with the value if compose changes it. */
export function passedVariables({ extends: base }: ComposeService): Readonly<Record<string, string | null>> {
  if (base === undefined) return {};
  const { services } = settingsSchema.parse(parse(readFileSync(new URL(base.file, composePath), 'utf8')));
  return services[base.service]?.environment ?? {};
}

const unset = (text: string): string =>
  text.replaceAll(/\$\{[A-Z_]+:([-+])([^}]*)\}/g, (_, sign: string, word: string) => (sign === '-' ? word : ''));
