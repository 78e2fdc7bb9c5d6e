import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { renderFolder, type Renderer } from '../../deploy/k8s/render.ts';

const overlays = fileURLToPath(new URL('../../deploy/k8s/overlays', import.meta.url));

export const overlayNames = readdirSync(overlays);

const envSchema = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z
    .object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }).optional() })
    .loose()
    .optional(),
});

const probeSchema = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }).optional() }).loose();

const containerSchema = z.object({
  name: z.string(),
  image: z.string(),
  env: z.array(envSchema).default([]),
  envFrom: z
    .array(
      z.object({
        configMapRef: z.object({ name: z.string() }).optional(),
        secretRef: z.object({ name: z.string() }).loose().optional(),
      }),
    )
    .default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  startupProbe: probeSchema.optional(),
  readinessProbe: probeSchema.optional(),
  livenessProbe: probeSchema.optional(),
  lifecycle: z.unknown().optional(),
  resources: z.unknown().optional(),
  securityContext: z.unknown().optional(),
});

const podSchema = z.object({
  automountServiceAccountToken: z.boolean().optional(),
  enableServiceLinks: z.boolean().optional(),
  securityContext: z.unknown().optional(),
  serviceAccountName: z.string().optional(),
  terminationGracePeriodSeconds: z.number().optional(),
  topologySpreadConstraints: z.array(z.unknown()).default([]),
  containers: z.array(containerSchema).min(1),
});

export type Pod = z.infer<typeof podSchema>;
export type Container = z.infer<typeof containerSchema>;

const labelsSchema = z.record(z.string(), z.string()).optional();

export const resourceSchema = z
  .object({
    apiVersion: z.string().optional(),
    kind: z.string(),
    metadata: z.object({ name: z.string(), namespace: z.string().optional(), labels: labelsSchema }).loose(),
    spec: z.unknown().optional(),
    data: z.record(z.string(), z.string()).optional(),
  })
  .loose();

export type Resource = z.infer<typeof resourceSchema>;

/** The resources that `kubectl apply --kustomize` would apply. */
export const renderOverlay = (name: string, program: Renderer): readonly Resource[] =>
  renderFolder(`overlays/${name}`, program).map((resource) => resourceSchema.parse(resource));

export const byName = (resources: readonly Resource[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(resources.map((resource) => [`${resource.kind} ${resource.metadata.name}`, resource]));

/** The pods of Deployments and StatefulSets, by the name of their workload. */
export function podsOf(resources: readonly Resource[]): ReadonlyMap<string, Pod> {
  const templated = z.object({ template: z.object({ spec: podSchema }) });
  const made = resources.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  return new Map(made.map(({ metadata, spec }) => [metadata.name, templated.parse(spec).template.spec]));
}
