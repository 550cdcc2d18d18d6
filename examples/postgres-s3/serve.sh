#!/bin/sh
# Runs two servers and a worker on one database and one bucket, until SIGTERM or SIGINT. Each of
# them could run on its own machine: they share only the environment. Set these variables first:
#
#   QUIRE_DATABASE=postgresql://user:password@host:5432/database
#   QUIRE_BLOBS=s3://bucket/prefix         and QUIRE_S3_ENDPOINT if it is not at AWS
#   AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY
#   QUIRE_BASE_URL=https://content.example.org   the address of the load balancer
#   QUIRE_ADMIN_CLIENT_ID, QUIRE_ADMIN_CLIENT_SECRET   the initial account
set -eu
: "${QUIRE_DATABASE:?}" "${QUIRE_BLOBS:?}" "${QUIRE_BASE_URL:?}" "${QUIRE_ADMIN_CLIENT_ID:?}" "${QUIRE_ADMIN_CLIENT_SECRET:?}"

# One key for all: copy the file to every machine, and back it up separately from the database.
export QUIRE_KEY="${QUIRE_KEY:-server.key}"
[ -e "$QUIRE_KEY" ] || (umask 077 && head -c 32 /dev/urandom >"$QUIRE_KEY")

quire serve --port "${PORT_ONE:-3001}" --data one &
pids=$!
quire serve --port "${PORT_TWO:-3002}" --data two &
pids="$pids $!"
quire worker --data worker &
pids="$pids $!"

# Each of them finishes its current work, within ten seconds.
trap 'kill $pids' TERM INT
wait || true
wait
