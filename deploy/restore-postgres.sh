#!/usr/bin/env bash
# Puts a backup by backup-postgres.sh into a database without that schema, and into a bucket:
#
#   restore-postgres.sh /backups/quire [/backups/quire/database-20261127T030000Z.dump]
#
# Without a dump, the newest. Needs pg_restore and rclone, and reads the variables of the server, as
# the backup does. Afterwards put back the server key, start one server, and run `quire doctor`.
set -euo pipefail
here=$(dirname "$0")
folder=${1:?Usage: restore-postgres.sh <folder> [<dump>]}
. "$here/postgres-and-bucket.sh"

dumps=("$folder"/database-*.dump)
dump=${2:-${dumps[-1]}}
verify "$folder"
# All or nothing: a database that has the schema already is not changed.
pg_restore --dbname="$database" --single-transaction --exit-on-error --no-owner "$dump"
echo "$dump"
copy "$folder/blobs" "$bucket/blobs" --size-only
copy "$folder/notes" "$bucket/notes" --size-only
echo 'Put back the server key, start one server, and run `quire doctor`.'
