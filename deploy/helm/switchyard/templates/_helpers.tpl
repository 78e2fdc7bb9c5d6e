{{- /* The image of a service. Arguments: the root, the values of the service, the name in the kustomize base. */}}
{{- define "switchyard.image" -}}
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

{{- /* The annotations of a pod. The checksum restarts pods when a setting or a URL changes. */}}
{{- define "switchyard.podAnnotations" -}}
{{- $root := index . 0 }}
{{- $service := index . 1 }}
{{- $checksum := list $root.Values.config $root.Values.urls | toJson | sha256sum }}
{{- merge (dict "checksum/config" $checksum) $service.podAnnotations | toYaml }}
{{- end }}
