# What backup-postgres.sh and restore-postgres.sh share.

: "${QUIRE_DATABASE:?is not set: postgresql://user:password@host/database}"
: "${QUIRE_BLOBS:?is not set: s3://bucket/prefix}"
schema=${QUIRE_DATABASE_SCHEMA:-quire}

# Other users of the machine can read command lines, so the password is not in them.
if [[ $QUIRE_DATABASE =~ ^([a-z]+://[^:/@]*):([^@/]*)@(.*)$ ]]; then
  database="${BASH_REMATCH[1]}@${BASH_REMATCH[3]}"
  PGPASSWORD=$(printf '%b' "${BASH_REMATCH[2]//%/\\x}")
  export PGPASSWORD
else
  database=$QUIRE_DATABASE
fi

location=${QUIRE_BLOBS#s3://}
bucket=":s3:${location%/}"
export RCLONE_CONFIG=/dev/null RCLONE_S3_ENV_AUTH=true RCLONE_S3_REGION=${QUIRE_S3_REGION:-us-east-1}
if [ -n "${QUIRE_S3_ENDPOINT:-}" ]; then
  export RCLONE_S3_PROVIDER=Other RCLONE_S3_ENDPOINT=$QUIRE_S3_ENDPOINT
else
  export RCLONE_S3_PROVIDER=AWS
fi

# With it, rclone does not start. It uses the certificates of the system.
unset AWS_CA_BUNDLE

copy() {
  rclone copy --quiet --s3-no-check-bucket "$@"
}

# Compares each file with the hash in its name.
verify() {
  # An installation without files has nothing to compare, which sha256sum takes for a fault.
  if [ -z "$(find "$1/blobs" -type f -print -quit)" ]; then return; fi
  find "$1/blobs" -type f -printf '%f  %p\n' | sha256sum --check --quiet --strict || {
    echo "$1 is damaged: remove the files named above, and back up again." >&2
    exit 1
  }
}
