{{- define "settings" }}
- { name: DEPLOYMENT, value: many }
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
{{- define "serving" }}
- { name: STORAGE, value: bucket }
- { name: DATABASE_APP_URL_FILE, value: /run/secrets/service/database-app }
- { name: BUCKET_SECRET_FILE, value: /run/secrets/service/bucket-secret }
- { name: MEDIA_SECRET_FILE, value: /run/secrets/service/media-secret }
- { name: CONNECTION_SECRET_FILE, value: /run/secrets/service/connection-secret }
- { name: SMTP_URL_FILE, value: /run/secrets/service/smtp-url }
{{- range $name, $value := .Values.moreSecrets }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
{{- define "container-security" }}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}
{{- define "pod-security" }}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
# The files of secrets are root's, and this group's to read.
fsGroup: 10001
{{- end }}
{{- define "mounts" }}
- { name: secrets, mountPath: /run/secrets/service, readOnly: true }
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- end }}
