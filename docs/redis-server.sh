#!/bin/sh
# Makes a Redis with TLS and one user for a queue in a folder, and starts it. Needs redis-server 7.0 or newer, and openssl.
# Usage: redis-server.sh FOLDER HOST [PORT] [QUEUE]
#   FOLDER  new folder for its data, certificates and passwords
#   HOST    name or address by which the other machines reach this one
set -eu
folder=${1:?Usage: redis-server.sh FOLDER HOST [PORT] [QUEUE]}
host=${2:?Usage: redis-server.sh FOLDER HOST [PORT] [QUEUE]}
port=${3:-6380}
queue=${4:-team}

umask 077
mkdir "$folder"
cd "$folder"

# A certificate for this host, signed by a new authority that only these machines trust.
case $host in *[!0-9.]*) name="DNS:$host" ;; *) name="IP:$host" ;; esac
openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/CN=queue authority" -keyout ca.key -out ca.pem 2>openssl.log
openssl req -newkey rsa:2048 -nodes -subj "/CN=$host" -keyout redis.key -out redis.csr 2>>openssl.log
printf 'subjectAltName=%s\n' "$name" >redis.ext
openssl x509 -req -in redis.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 3650 -extfile redis.ext -out redis.pem 2>>openssl.log

# One user, for the keys of this queue and the commands that it needs. Nobody else can sign in. The user "default" keeps
# its rights: as that user Redis reads its own file after a restart, and loses everything without them.
openssl rand -hex 24 >password
cat >users.acl <<ACL
user default off resetpass ~* &* +@all
user queue on >$(cat password) resetkeys ~claude-queue:{$queue}:* resetchannels -@all +auth +hello +ping +select +time +info +config|get +evalsha +script|load +get +getrange +set +del +exists +hget +hset +rpush +lrange +xadd +xrange +xread +xtrim +zadd +zrange +zremrangebyscore
ACL

cat >redis.conf <<CONF
port 0
tls-port $port
tls-cert-file redis.pem
tls-key-file redis.key
tls-ca-cert-file ca.pem
tls-auth-clients no
aclfile users.acl
appendonly yes
appendfsync everysec
maxmemory-policy noeviction
daemonize yes
logfile redis.log
pidfile redis.pid
dir .
CONF
redis-server redis.conf
sleep 1
if ! kill -0 "$(cat redis.pid 2>/dev/null)" 2>/dev/null; then
  echo "Redis did not start: see $PWD/redis.log" >&2
  exit 1
fi

cat <<TEXT
Redis runs in $PWD. Copy ca.pem and password from there to each machine (mode 0600), and set there:
  export CLAUDE_QUEUE_REDIS='rediss://queue@$host:$port/0?queue=$queue'
  export CLAUDE_QUEUE_REDIS_CA_FILE=/path/of/ca.pem
  export CLAUDE_QUEUE_REDIS_PASSWORD_FILE=/path/of/password
TEXT
