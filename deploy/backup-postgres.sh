#!/usr/bin/env bash
# Backs up an installation on PostgreSQL and a bucket while it runs, into a folder:
#
#   backup-postgres.sh /backups/quire
#
# First the database, then the binaries: a copy of the bucket made later has every file that the
# database refers to. The next backup into the same folder copies only what is new; remove old
# database-*.dump files as you like. It never has the server key: keep a copy of it elsewhere.
#
# Needs pg_dump (of the version of the database, or newer) and rclone. Reads the variables of the
# server: QUIRE_DATABASE, QUIRE_DATABASE_SCHEMA, QUIRE_BLOBS, QUIRE_S3_ENDPOINT, QUIRE_S3_REGION,
# AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
set -euo pipefail
umask 077
here=$(dirname "$0")
folder=${1:?Usage: backup-postgres.sh <folder>}
. "$here/postgres-and-bucket.sh"

mkdir -p "$folder/blobs" "$folder/notes"
dump="$folder/database-$(date -u +%Y%m%dT%H%M%SZ).dump"
pg_dump --dbname="$database" --schema="$schema" --format=custom --no-owner --file="$dump.part"
pg_restore --list "$dump.part" >/dev/null
mv "$dump.part" "$dump"
echo "$dump"

# A binary has the name of its SHA-256, and never changes. What was cut off has another size.
copy "$bucket/blobs" "$folder/blobs" --size-only
copy "$bucket/notes" "$folder/notes" --size-only
verify "$folder"
