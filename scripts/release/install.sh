#!/bin/sh
# Makes the unpacked release beside this file a service of systemd, or puts it in the place of an older one.
set -eu

PROGRAM=/opt/tagstead
LIBRARY=/var/lib/tagstead
BACKUPS=/var/lib/tagstead-backup
SETTINGS=/etc/tagstead.conf
UNIT=/etc/systemd/system/tagstead.service
# What an upgrade may have to put back.
FORMER=$BACKUPS/before-upgrade
# Migrating a large library takes minutes. Each try is two seconds.
TRIES=300

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

usage() {
  echo "Usage: install.sh [--remove]

Installs Tagstead in $PROGRAM as the service tagstead, which runs as the user tagstead with the library in
$LIBRARY and the settings in $SETTINGS. Where it is installed, that is upgraded: the library
is backed up to $BACKUPS first (by links, which take no room), and when the new version
does not answer, the old one is put back. --remove takes the service and $PROGRAM away, and nothing else."
  exit "$1"
}

# In the library's folder, where no stranger's .env file is read.
as_tagstead() (
  cd "$LIBRARY"
  runuser -u tagstead -- env DATA_DIR="$LIBRARY" "$@"
)

# A setting of the service's file, or what it is without.
setting() {
  value=$(sed -n "s/^$1=//p" "$SETTINGS" 2>/dev/null | tail -n 1 | tr -d "\"'")
  echo "${value:-$2}"
}

address() {
  host=$(setting HOST 127.0.0.1)
  case $host in
    0.0.0.0) host=127.0.0.1 ;;
    ::) host='[::1]' ;;
    *:*) host="[$host]" ;;
  esac
  echo "http://$host:$(setting PORT 3000)"
}

# Whether the service has come up: it runs, and answers.
answers() {
  ask='const answer = await fetch(process.argv[1]).catch(() => null); process.exit(answer?.ok ? 0 : 1)'
  tries=0
  while [ "$tries" -lt "$TRIES" ]; do
    if systemctl is-failed --quiet tagstead; then return 1; fi
    if systemctl is-active --quiet tagstead &&
      "$PROGRAM/bin/bun" --no-env-file -e "$ask" "$(address)/health"; then
      return
    fi
    tries=$((tries + 1))
    sleep 2
  done
  return 1
}

start() {
  cp "$PROGRAM/tagstead.service" "$UNIT"
  systemctl daemon-reload
  systemctl enable --quiet tagstead
  systemctl reset-failed tagstead 2>/dev/null || true
  systemctl start tagstead || true
}

# The database, and what SQLite keeps beside it when a server was killed.
copy_database() {
  for ending in '' -wal -shm; do
    rm -f "$2/tagstead.sqlite$ending"
    if [ -e "$1/tagstead.sqlite$ending" ]; then cp -p "$1/tagstead.sqlite$ending" "$2/"; fi
  done
}

# As long as $PROGRAM.old is there, the upgrade is neither done nor put back: each of these begins anew then.
put_back() {
  systemctl stop tagstead || true
  copy_database "$FORMER" "$LIBRARY"
  sync
  if [ -e "$PROGRAM" ]; then
    rm -rf "$PROGRAM.failed"
    mv "$PROGRAM" "$PROGRAM.failed"
  fi
  mv "$PROGRAM.old" "$PROGRAM"
  rm -rf "$FORMER"
  start
}

be_done() {
  rm -rf "$PROGRAM.gone"
  mv "$PROGRAM.old" "$PROGRAM.gone"
  rm -rf "$PROGRAM.gone" "$PROGRAM.failed" "$FORMER"
}

remove() {
  [ -e "$PROGRAM" ] || [ -e "$UNIT" ] || fail "Tagstead is not installed"
  systemctl disable --quiet --now tagstead || true
  rm -f "$UNIT"
  systemctl daemon-reload
  rm -rf "$PROGRAM"
  echo "Tagstead is removed. The library is still in $LIBRARY; the user tagstead and $SETTINGS stay, too."
}

case ${1:-} in
  '' | --remove) [ $# -le 1 ] || usage 2 ;;
  -h | --help) usage 0 ;;
  *) usage 2 ;;
esac
[ "$(id -u)" = 0 ] || fail "only root can install a service"
for needed in systemctl useradd runuser; do
  command -v "$needed" >/dev/null || fail "it needs $needed"
done
umask 022
if [ "${1:-}" = --remove ]; then
  remove
  exit
fi

here=$(cd "$(dirname "$0")" && pwd -P)
# Bun reads settings of its own from the folder where it is started.
cd /
[ "$here" != "$PROGRAM" ] || fail "this is what is installed: run it from the folder of another version"
[ "$(setting DATA_DIR "$LIBRARY")" = "$LIBRARY" ] ||
  fail "$SETTINGS has another DATA_DIR, which the service may not write to: give it to another unit of your own"
version=$("$here/tagstead" --version)

# An upgrade was cut off. People may have used the new version since, if it came up.
if [ -e "$PROGRAM.old" ]; then
  if [ -e "$PROGRAM" ] && systemctl is-active --quiet tagstead && answers; then be_done; else put_back; fi
fi

id tagstead >/dev/null 2>&1 ||
  useradd --system --user-group --home-dir "$LIBRARY" --no-create-home --shell /usr/sbin/nologin tagstead
install -d -m 700 -o tagstead -g tagstead "$LIBRARY"
rm -rf "$PROGRAM.new"
cp -R "$here" "$PROGRAM.new"
chown -R root:root "$PROGRAM.new"

if [ ! -e "$PROGRAM" ]; then
  mv "$PROGRAM.new" "$PROGRAM"
  start
  answers || fail "the server does not answer at $(address): journalctl -u tagstead tells why"
  echo "Tagstead $version is at $(address); journalctl -u tagstead shows the password of the first user."
  exit
fi

former=$("$PROGRAM/tagstead" --version)
if [ -e "$LIBRARY/tagstead.sqlite" ]; then
  install -d -m 700 -o tagstead -g tagstead "$BACKUPS"
  as_tagstead "$PROGRAM/tagstead" backup "$BACKUPS" --link --keep 1,0,0 >/dev/null ||
    fail "the backup failed, and nothing was changed"
fi
systemctl stop tagstead
install -d -m 700 "$FORMER"
copy_database "$LIBRARY" "$FORMER"
sync
mv "$PROGRAM" "$PROGRAM.old"
mv "$PROGRAM.new" "$PROGRAM"
start
if answers; then
  be_done
  echo "Tagstead $version is at $(address), in the place of $former."
  exit
fi
put_back
answers || fail "neither $version nor $former answers: journalctl -u tagstead tells why"
fail "$version did not answer, and $former is back; $version is in $PROGRAM.failed, and journalctl -u tagstead tells why"
