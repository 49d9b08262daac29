#!/bin/sh
# PostgreSQL's image runs it once, in a new volume: the owner of the database is a plain role, held by row-level security like
# every other one (docs/decisions/0031).
set -eu
psql --set ON_ERROR_STOP=1 --set password="$(cat /run/secrets/database-password)" --username postgres --dbname postgres <<'SQL'
create role clear_owner login createrole password :'password';
create database clear owner clear_owner;
SQL
