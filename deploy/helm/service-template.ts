import { z } from 'zod';
import { autoscalerSchema, type BaseContainer, type BaseResource, type BaseService, deploymentSchema } from './base.ts';
import { block, include, inline, items, onlyIf, optional, templateOf, when } from './marks.ts';
import { inRelease, labels, nameInRelease } from './release-names.ts';

/** The template of all resources of a service, with the values of this service or of another form of it. */
export function serviceTemplate(
  { name, documents }: BaseService,
  services: readonly string[],
  valuesOf: string = name,
): string {
  const own = documents.map((document) => inRelease(document, services));
  const resources = own.map((document) => resourceTemplate(withServiceMarks(document, name), labels(name)));
  return `{{- $service := index $.Values.services "${valuesOf}" }}\n${resources.join('')}`;
}

/** The template of resources that belong to no single service. */
export const sharedTemplate = (documents: readonly BaseResource[], services: readonly string[]): string =>
  documents.map((document) => resourceTemplate(withSharedMarks(inRelease(document, services)), labels())).join('');

/** Kinds that values switch off. */
const conditions: Readonly<Record<string, string>> = {
  HorizontalPodAutoscaler: '$.Values.autoscaling.enabled',
  NetworkPolicy: '$.Values.networkPolicy.enabled',
  PodMonitor: '$.Values.podMonitor.enabled',
  ServiceAccount: '$service.serviceAccount.create',
};

/** The template of a resource, with the name and labels of the release. */
function resourceTemplate({ apiVersion, kind, metadata, ...rest }: BaseResource, labels: string): string {
  const isAccount = kind === 'ServiceAccount';
  const template = templateOf({
    apiVersion,
    kind,
    metadata: {
      name: isAccount ? accountName(metadata.name) : nameInRelease(metadata.name),
      labels,
      annotations: optional(isAccount ? accountAnnotations : '$.Values.annotations'),
    },
    ...rest,
  });
  const condition = conditions[kind];
  return condition === undefined ? `---\n${template}` : onlyIf(condition, `---\n${template}`);
}

const accountName = (service: string): string =>
  inline(`include "tallyport.serviceAccountName" (list $ $service "${service}")`);
const accountAnnotations = 'merge (dict) $service.serviceAccount.annotations $.Values.annotations';
const automount = inline('$service.serviceAccount.automount');

function withServiceMarks(resource: BaseResource, service: string): BaseResource {
  const { kind, spec } = resource;
  if (kind === 'ServiceAccount') return { ...resource, automountServiceAccountToken: automount };
  if (kind === 'Deployment') return { ...resource, spec: deploymentWithMarks(spec, service) };
  if (kind === 'HorizontalPodAutoscaler') return { ...resource, spec: autoscalerWithMarks(spec, service) };
  return resource;
}

/** The job of a metric is its service; `app_kubernetes_io_instance` is its release. */
const withSharedMarks = (resource: BaseResource): BaseResource =>
  resource.kind === 'PodMonitor'
    ? { ...resource, spec: { ...podMonitorSchema.parse(resource.spec), ...monitoring } }
    : resource;

const podMonitorSchema = z.looseObject({});
const monitoring = {
  jobLabel: 'app.kubernetes.io/component',
  podTargetLabels: ['app.kubernetes.io/instance'],
};

function autoscalerWithMarks(spec: unknown, service: string): object {
  const { scaleTargetRef, ...autoscaler } = autoscalerSchema.parse(spec);
  return {
    ...autoscaler,
    scaleTargetRef: { ...scaleTargetRef, name: nameInRelease(service) },
    minReplicas: inline('$.Values.autoscaling.minReplicas | default $service.autoscaling.minReplicas'),
    maxReplicas: inline('$service.autoscaling.maxReplicas'),
    metrics: block('$service.autoscaling.metrics'),
  };
}

function deploymentWithMarks(spec: unknown, service: string): object {
  const { template, ...deployment } = deploymentSchema.parse(spec);
  const { containers, volumes, ...pod } = template.spec;
  return {
    replicas: when('not $.Values.autoscaling.enabled', '$service.replicas'),
    ...deployment,
    template: {
      metadata: {
        labels: include('tallyport.podLabels', '$service', `"${service}"`),
        annotations: include('tallyport.podAnnotations', '$service'),
      },
      spec: {
        ...pod,
        automountServiceAccountToken: automount,
        serviceAccountName: accountName(service),
        securityContext: block(ofPods('podSecurityContext')),
        topologySpreadConstraints: include('tallyport.topologySpread', '$service', `"${service}"`),
        priorityClassName: when(ofPods('priorityClassName'), ofPods('priorityClassName')),
        imagePullSecrets: optional('$.Values.imagePullSecrets'),
        nodeSelector: optional(ofPods('nodeSelector')),
        tolerations: optional(ofPods('tolerations')),
        affinity: optional(ofPods('affinity')),
        containers: containers.map(containerWithMarks),
        volumes: [...volumes, items('$.Values.volumes')],
      },
    },
  };
}

/** The setting of a service, else that of all pods. */
const ofPods = (setting: string): string => `$service.${setting} | default $.Values.${setting}`;

function containerWithMarks(container: BaseContainer): object {
  const { name, image, env, volumeMounts, ...rest } = container;
  return {
    name,
    image: inline(`include "tallyport.image" (list $ $service "${image}")`),
    ...rest,
    imagePullPolicy: inline('$.Values.image.pullPolicy'),
    securityContext: block(ofPods('securityContext')),
    env: [...withNames(env), items('$service.env')],
    ...(container['envFrom'] !== undefined && { envFrom: withNames(container['envFrom']) }),
    resources: block('$service.resources'),
    volumeMounts: [...volumeMounts, items('$.Values.volumeMounts')],
  };
}

/** References to the ConfigMap and to Secrets, with their names in the release. */
function withNames<T>(references: T): T {
  return JSON.parse(JSON.stringify(references), (key, value) => {
    if (key === 'configMapRef') return { ...value, name: nameInRelease(value.name) };
    const isSecret = key === 'secretKeyRef' || key === 'secretRef';
    const [, name] = (isSecret && /^tallyport-([a-z]+)$/.exec(value.name)) || [];
    return name === undefined ? value : { ...value, name: inline(`include "tallyport.secretName" (list $ "${name}")`) };
  });
}
