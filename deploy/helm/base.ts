import { z } from 'zod';
import { renderFolder, type Renderer } from '../k8s/render.ts';

const resourceSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.unknown().optional(),
});
export type BaseResource = z.infer<typeof resourceSchema>;

const environmentSchema = z.array(
  z.looseObject({
    name: z.string(),
    valueFrom: z.looseObject({ secretKeyRef: z.looseObject({ name: z.string() }).optional() }).optional(),
  }),
);
const containerSchema = z.looseObject({
  name: z.string(),
  image: z.string(),
  env: environmentSchema,
  resources: z.looseObject({ requests: z.looseObject({}), limits: z.looseObject({}) }),
  volumeMounts: z.array(z.unknown()),
  securityContext: z.looseObject({}),
});
export type BaseContainer = z.infer<typeof containerSchema>;
export const deploymentSchema = z.looseObject({
  template: z.looseObject({
    metadata: z.looseObject({}),
    spec: z.looseObject({
      securityContext: z.looseObject({}),
      topologySpreadConstraints: z.array(z.looseObject({ labelSelector: z.unknown() })),
      containers: z.tuple([containerSchema]),
      volumes: z.array(z.unknown()),
    }),
  }),
});
export const autoscalerSchema = z.looseObject({
  scaleTargetRef: z.looseObject({}),
  minReplicas: z.int(),
  maxReplicas: z.int(),
  metrics: z.array(z.looseObject({})),
});

/** A service of the kustomize base: its resources, and those of its fields that values of the chart replace. */
export interface BaseService {
  name: string;
  documents: readonly BaseResource[];
  resources: BaseContainer['resources'];
  /** Names of the settings in its manifests. */
  settings: readonly string[];
  autoscaler: { minReplicas: number; maxReplicas: number; metrics: z.infer<typeof autoscalerSchema>['metrics'] };
}

/** Settings that the pods of all services have in common. */
interface BasePods {
  podSecurityContext: Record<string, unknown>;
  securityContext: Record<string, unknown>;
  /** Without their selectors. */
  topologySpreadConstraints: Record<string, unknown>[];
}

export interface Base {
  pods: BasePods;
  services: readonly BaseService[];
  /** Resources of no single service. */
  shared: readonly BaseResource[];
  /** Names of the Secrets, without their prefix. */
  secrets: readonly string[];
}

/** The rendered kustomize base, or another form of it, by service: every Deployment is one. */
export function readBase(renderer: Renderer, folder: 'base' | 'compact' = 'base'): Base {
  const all = z.array(resourceSchema).parse(renderFolder(folder, renderer));
  const names = all.flatMap(({ kind, metadata }) => (kind === 'Deployment' ? [metadata.name] : []));
  const secrets = [...JSON.stringify(all).matchAll(/"name":"tallyport-([a-z]+)"/g)].map(([, name = '']) => name);
  return {
    pods: podsOf(all.find(({ kind }) => kind === 'Deployment')?.spec),
    services: names.map((name) =>
      serviceOf(
        name,
        all.filter(({ metadata }) => metadata.name === name),
      ),
    ),
    shared: all.filter(({ metadata }) => !names.includes(metadata.name)),
    secrets: [...new Set(secrets)].toSorted(),
  };
}

function podsOf(deployment: unknown): BasePods {
  const { securityContext, topologySpreadConstraints, containers } = deploymentSchema.parse(deployment).template.spec;
  return {
    podSecurityContext: securityContext,
    securityContext: containers[0].securityContext,
    topologySpreadConstraints: topologySpreadConstraints.map(({ labelSelector: _own, ...constraint }) => constraint),
  };
}

function serviceOf(name: string, documents: readonly BaseResource[]): BaseService {
  const specOf = (kind: string) => documents.find((document) => document.kind === kind)?.spec;
  const [container] = deploymentSchema.parse(specOf('Deployment')).template.spec.containers;
  const { minReplicas, maxReplicas, metrics } = autoscalerSchema.parse(specOf('HorizontalPodAutoscaler'));
  return {
    name,
    documents,
    resources: container.resources,
    settings: container.env.map((variable) => variable.name),
    autoscaler: { minReplicas, maxReplicas, metrics },
  };
}
