{{- /* The name of the chart, for labels. */}}
{{- define "tallyport.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- /* The start of all names. With 50 characters, the longest name of a Service has the 63 that are allowed. */}}
{{- define "tallyport.fullname" -}}
{{- $name := .Values.nameOverride | default .Chart.Name }}
{{- $release := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) }}
{{- .Values.fullnameOverride | default $release | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- /* Labels that select pods. Arguments: the root, and the service; without it, all pods of the release. */}}
{{- define "tallyport.selectorLabels" -}}
{{- $root := first . -}}
app.kubernetes.io/name: {{ include "tallyport.name" $root }}
app.kubernetes.io/instance: {{ $root.Release.Name | quote }}
{{- range rest . }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- /* Labels of a resource. Arguments: as above. */}}
{{- define "tallyport.labels" -}}
{{- $root := first . -}}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "tallyport.selectorLabels" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: tallyport
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
{{- end }}

{{- /* Labels of a pod, of which values replace none. Arguments: the root, the values of the service, its name. */}}
{{- define "tallyport.podLabels" -}}
{{- $root := index . 0 }}
{{- $service := index . 1 }}
{{- $labels := include "tallyport.labels" (list $root (index . 2)) | fromYaml }}
{{- merge $labels $service.podLabels $root.Values.podLabels | toYaml }}
{{- end }}

{{- /* The annotations of a pod. The checksum restarts pods when a setting or a URL changes. Arguments: as above. */}}
{{- define "tallyport.podAnnotations" -}}
{{- $root := index . 0 }}
{{- $service := index . 1 }}
{{- $checksum := list $root.Values.config $root.Values.urls | toJson | sha256sum }}
{{- merge (dict "checksum/config" $checksum) $service.podAnnotations $root.Values.podAnnotations | toYaml }}
{{- end }}

{{- /* How the pods of a service spread over nodes. Arguments: the root, the values of the service, its name. */}}
{{- define "tallyport.topologySpread" -}}
{{- $root := index . 0 }}
{{- $service := index . 1 }}
{{- $own := dict "matchLabels" (include "tallyport.selectorLabels" (list $root (index . 2)) | fromYaml) }}
{{- $constraints := list }}
{{- range $service.topologySpreadConstraints | default $root.Values.topologySpreadConstraints }}
{{- $constraints = append $constraints (merge (dict) . (dict "labelSelector" $own)) }}
{{- end }}
{{- $constraints | toYaml }}
{{- end }}

{{- /* The image of a service. Arguments: the root, the values of the service, the name in the kustomize base. */}}
{{- define "tallyport.image" -}}
{{- $root := index . 0 }}
{{- $service := index . 1 }}
{{- $image := $root.Values.image }}
{{- if $service.image }}
{{- $service.image | quote }}
{{- else }}
{{- $name := ternary (index . 2) (printf "%s/%s" $image.registry (index . 2)) (empty $image.registry) }}
{{- printf "%s:%s" $name ($image.tag | default $root.Chart.AppVersion) | quote }}
{{- end }}
{{- end }}

{{- /* The name of the ServiceAccount of a service. Arguments: the root, the values of the service, its name. */}}
{{- define "tallyport.serviceAccountName" -}}
{{- $account := (index . 1).serviceAccount }}
{{- $own := printf "%s-%s" (include "tallyport.fullname" (index . 0)) (index . 2) }}
{{- $account.name | default (ternary $own "default" $account.create) }}
{{- end }}

{{- /* The name of a Secret that services read. Arguments: the root, its name in the values. */}}
{{- define "tallyport.secretName" -}}
{{- $root := index . 0 }}
{{- $own := printf "%s-%s" (include "tallyport.fullname" $root) (index . 1) }}
{{- index $root.Values.secrets (index . 1) | default $own }}
{{- end }}

{{- /* Annotations of what only `helm test` creates. Arguments: the root, the weight, which orders it. */}}
{{- define "tallyport.testAnnotations" -}}
{{- $hook := dict "helm.sh/hook" "test" "helm.sh/hook-weight" (index . 1) -}}
{{- $_ := set $hook "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" -}}
{{- merge $hook (index . 0).Values.annotations | toYaml }}
{{- end }}
