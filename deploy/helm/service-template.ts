import { autoscalerSchema, type BaseContainer, type BaseResource, type BaseService, deploymentSchema } from './base.ts';
import { block, inline, items, optional, templateOf, when } from './marks.ts';

/** The template of all resources of a service. */
export function serviceTemplate({ name, documents }: BaseService): string {
  return `{{- $service := index $.Values.services "${name}" }}\n${resourceTemplates(documents)}`;
}

/** The templates of resources: their values replace those fields that differ between installations. */
export const resourceTemplates = (documents: readonly BaseResource[]): string =>
  documents.map((document) => conditional(document.kind, templateOf(withMarks(document)))).join('');

/** Kinds that values switch off. */
const conditions: Readonly<Record<string, string>> = {
  HorizontalPodAutoscaler: '$.Values.autoscaling.enabled',
  NetworkPolicy: '$.Values.networkPolicy.enabled',
  PodMonitor: '$.Values.podMonitor.enabled',
};

function conditional(kind: string, template: string): string {
  const condition = conditions[kind];
  return condition === undefined ? `---\n${template}` : `{{- if ${condition} }}\n---\n${template}{{- end }}\n`;
}

function withMarks(resource: BaseResource): BaseResource {
  const { apiVersion, kind, metadata, spec, ...rest } = resource;
  const annotations = kind === 'ServiceAccount' ? ownAnnotations : '$.Values.annotations';
  const marked = { apiVersion, kind, metadata: { ...metadata, annotations: optional(annotations) }, ...rest };
  if (kind === 'Deployment') return { ...marked, spec: deploymentWithMarks(spec) };
  if (kind === 'HorizontalPodAutoscaler') return { ...marked, spec: autoscalerWithMarks(spec) };
  return spec === undefined ? marked : { ...marked, spec };
}

const ownAnnotations = 'merge (dict) $service.serviceAccountAnnotations $.Values.annotations';

function autoscalerWithMarks(spec: unknown): object {
  return {
    ...autoscalerSchema.parse(spec),
    minReplicas: inline('$.Values.autoscaling.minReplicas | default $service.autoscaling.minReplicas'),
    maxReplicas: inline('$service.autoscaling.maxReplicas'),
    metrics: block('$service.autoscaling.metrics'),
  };
}

function deploymentWithMarks(spec: unknown): object {
  const { template, ...deployment } = deploymentSchema.parse(spec);
  const { containers, volumes, ...pod } = template.spec;
  return {
    replicas: when('not $.Values.autoscaling.enabled', '$service.replicas'),
    ...deployment,
    template: {
      ...template,
      metadata: {
        ...template.metadata,
        annotations: block('include "switchyard.podAnnotations" (list $ $service) | fromYaml'),
      },
      spec: {
        ...pod,
        imagePullSecrets: optional('$.Values.image.pullSecrets'),
        nodeSelector: optional('$service.nodeSelector'),
        tolerations: optional('$service.tolerations'),
        affinity: optional('$service.affinity'),
        containers: containers.map(containerWithMarks),
        volumes: [...volumes, items('$.Values.volumes')],
      },
    },
  };
}

function containerWithMarks(container: BaseContainer): object {
  const { name, image, env, volumeMounts, ...rest } = container;
  return {
    name,
    image: inline(`include "switchyard.image" (list $ $service "${image}")`),
    ...rest,
    imagePullPolicy: inline('$.Values.image.pullPolicy'),
    env: [...withSecretNames(env), items('$service.env')],
    ...(container['envFrom'] !== undefined && { envFrom: withSecretNames(container['envFrom']) }),
    resources: block('$service.resources'),
    volumeMounts: [...volumeMounts, items('$.Values.volumeMounts')],
  };
}

/** References to Secrets with the names in the values. */
function withSecretNames<T>(references: T): T {
  return JSON.parse(JSON.stringify(references), (key, value) => {
    const isSecret = key === 'secretKeyRef' || key === 'secretRef';
    const [, name] = (isSecret && /^switchyard-([a-z]+)$/.exec(value.name)) || [];
    return name === undefined ? value : { ...value, name: inline(`$.Values.secrets.${name}`) };
  });
}
