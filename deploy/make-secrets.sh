#!/bin/sh
# deploy/make-secrets.sh [FOLDER]: makes the secrets of compose.yaml that are random, once; what is there stays.
# You write two: smtp-url and bucket-secret. Run it as root, so that each file belongs to the user who reads it.
set -eu
folder=${1:-$(dirname "$0")/secrets}
umask 077
mkdir -p "$folder"
cd "$folder"
random() { head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'; }
keep() { [ -s "$1" ] || printf '%s\n' "$2" > "$1"; }
keep database-password "$(random)"
keep database-app-password "$(random)"
owner=$(cat database-password)
app=$(cat database-app-password)
keep database-owner "postgres://clear_owner:$owner@database:5432/clear"
keep database-app-direct "postgres://clear_app:$app@database:5432/clear"
keep database-app "postgres://clear_app:$app@pooler:6432/clear"
keep pooler-users "\"clear_app\" \"$app\""
keep media-secret "$(random)"
keep connection-secret "$(random)"
keep metrics-token "$(random)"
[ -e smtp-url ] || : > smtp-url
[ -e bucket-secret ] || : > bucket-secret
chmod 600 -- *
# The service's user in the image, and PostgreSQL's in its own.
chown 10001:10001 -- *
chown 999:999 database-password
for name in smtp-url bucket-secret; do [ -s "$name" ] || echo "Write $folder/$name"; done
