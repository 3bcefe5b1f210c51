#!/bin/sh
# Makes the unpacked release beside this file a service of systemd, or puts it in the place of an older one.
set -eu
unset CDPATH

PROGRAM=/opt/tagstead
LIBRARY=/var/lib/tagstead
SETTINGS=/etc/tagstead.conf
UNIT=/etc/systemd/system/tagstead.service
# The database that an upgrade may have to put back, and each that was replaced so. Both are root's.
FORMER=/var/lib/tagstead-before-upgrade
REPLACED=/var/lib/tagstead-replaced
# Seconds: migrating a large library takes minutes, a server that runs answers soon.
PATIENCE=600
SOON=60

say() {
  echo "install.sh: $1" >&2 || true
}

fail() {
  say "$1"
  exit 1
}

usage() {
  echo "Usage: install.sh [--remove]

Installs Tagstead in $PROGRAM as the service tagstead, which runs as the user tagstead with the library in
$LIBRARY and the settings in $SETTINGS. Where it is installed, that is upgraded: when the new version
does not answer, the old one is put back with a copy of the database that was made before, and the database of the new
one is kept in $REPLACED. --remove takes the service and $PROGRAM away, and nothing else."
  exit "$1"
}

# The folder of the library is the user's: what is written there is written by that user, who could plant links.
as_tagstead() (
  umask 077
  cd "$LIBRARY" || exit
  runuser -u tagstead -- "$@"
)

# A setting as the service gets it, or what it is without. What counts most comes last.
setting() {
  value=$(
    {
      cat "$LIBRARY/.env" || true
      echo
      systemctl show --property=Environment --value tagstead | tr ' ' '\n' || true
      cat "$SETTINGS" || true
    } 2>/dev/null | sed -n "s/^[[:blank:]]*$1[[:blank:]]*=//p" | tail -n 1 | tr -d "\"'\r" |
      sed 's/^[[:blank:]]*//; s/[[:blank:]]*$//'
  )
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

# Whether the service is up within so many seconds: it runs, and answers.
answers() {
  ask='const answer = await fetch(process.argv[1], { signal: AbortSignal.timeout(5000) }).catch(() => null)
    process.exit(answer?.ok ? 0 : 1)'
  end=$(($(date +%s) + $1))
  while ! systemctl is-failed --quiet tagstead; do
    if systemctl is-active --quiet tagstead &&
      "$PROGRAM/bin/bun" --no-env-file -e "$ask" "$(address)/health"; then
      return
    fi
    [ "$(date +%s)" -lt "$end" ] || return 1
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

stop() {
  # It fails where there is no unit, too.
  systemctl stop tagstead || true
  if systemctl is-active --quiet tagstead; then fail "the server does not stop"; fi
}

# SQLite makes the copy, because commands may be at work beside.
copy_database() {
  rm -rf "$FORMER" "$FORMER.new"
  [ -e "$LIBRARY/tagstead.sqlite" ] || return 0
  copy="import { Database } from 'bun:sqlite'
    const database = new Database('tagstead.sqlite', { readwrite: true })
    database.run('PRAGMA busy_timeout = 60000')
    database.run('VACUUM INTO ?', [process.argv[1]])
    database.close()"
  install -d -m 700 -o tagstead -g tagstead "$FORMER.new"
  as_tagstead "$PROGRAM/bin/bun" --no-env-file -e "$copy" "$FORMER.new/tagstead.sqlite" ||
    fail "the database can't be copied, and nothing was changed"
  chown root:root "$FORMER.new"
  if [ -L "$FORMER.new/tagstead.sqlite" ] || [ ! -f "$FORMER.new/tagstead.sqlite" ]; then
    fail "$FORMER.new/tagstead.sqlite is no file, and nothing was changed"
  fi
  sync
  mv "$FORMER.new" "$FORMER"
}

# Keeps the database that is to be replaced, with what SQLite has beside it.
set_aside() {
  aside=$REPLACED/$(date +%Y-%m-%dT%H-%M-%S)-$$
  install -d -m 700 "$REPLACED"
  mkdir -p "$aside"
  for ending in '' -wal -shm; do
    file=$LIBRARY/tagstead.sqlite$ending
    [ -e "$file" ] || continue
    # A link takes no room.
    ln -P "$file" "$aside/" 2>/dev/null || cp -pP "$file" "$aside/"
  done
  sync
  say "the database as it was until now is kept in $aside"
}

# As long as $PROGRAM.old is there, the upgrade is neither done nor put back; with no $PROGRAM beside it, this began
# and begins anew.
put_back() {
  stop
  if [ -e "$FORMER/tagstead.sqlite" ]; then
    set_aside
    as_tagstead sh -c 'rm -f tagstead.sqlite.part && cat >tagstead.sqlite.part && sync' <"$FORMER/tagstead.sqlite"
  fi
  if [ -e "$PROGRAM" ]; then
    rm -rf "$PROGRAM.failed"
    mv "$PROGRAM" "$PROGRAM.failed"
    sync
  fi
  if [ -e "$FORMER/tagstead.sqlite" ]; then
    as_tagstead sh -c 'rm -f tagstead.sqlite-wal tagstead.sqlite-shm && mv tagstead.sqlite.part tagstead.sqlite'
    sync
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

# Whatever ends an upgrade half-way, a server runs, and the next run settles the rest.
leave_running() {
  trap - EXIT
  if [ -e "$PROGRAM" ]; then systemctl start tagstead || true; else put_back; fi
}

guard() {
  # A terminal that is closed is no reason to end, and nor is one that can't be written to.
  trap '' HUP PIPE
  trap 'exit 1' INT TERM
  trap leave_running EXIT
}

# People may have used the new version of an upgrade that was cut off, so only one that doesn't answer goes.
settle() {
  guard
  if [ -e "$PROGRAM" ]; then
    start
    if answers "$PATIENCE"; then
      be_done
      return
    fi
  fi
  put_back
  say "an upgrade that was cut off is put back"
}

# A library that is in one of the folders that are replaced and removed here.
refuse_library() {
  for folder in "$PROGRAM" "$PROGRAM".old "$PROGRAM".new "$PROGRAM".failed "$PROGRAM".gone "$@"; do
    found=$(find -H "$folder" -maxdepth 3 -name tagstead.sqlite 2>/dev/null | head -n 1)
    [ -z "$found" ] || fail "there is a library in ${found%/*}: move it elsewhere first; nothing was changed"
  done
}

remove() {
  [ -e "$PROGRAM" ] || [ -e "$UNIT" ] || fail "Tagstead is not installed"
  [ ! -e "$PROGRAM.old" ] || fail "an upgrade was cut off: run install.sh of either version first"
  systemctl disable --quiet --now tagstead || true
  stop
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
here=$(cd -- "$(dirname -- "$0")" && pwd -P)
# Bun reads settings of its own from the folder where it is started.
cd /
if [ -e "$PROGRAM" ] && [ ! -e "$PROGRAM/tagstead.service" ]; then fail "$PROGRAM is something else"; fi
if [ "${1:-}" = --remove ]; then
  refuse_library
  remove
  exit
fi
refuse_library "$here"
case $here in
  "$PROGRAM" | "$PROGRAM".old | "$PROGRAM".new | "$PROGRAM".failed | "$PROGRAM".gone)
    fail "this is what is installed: run it from the folder of another version"
    ;;
esac
[ "$(setting DATA_DIR "$LIBRARY")" = "$LIBRARY" ] ||
  fail "another DATA_DIR is set, which the service may not write to: give it to another unit of your own"
version=$("$here/tagstead" --version)
if [ -e "$PROGRAM.old" ]; then settle; fi

id tagstead >/dev/null 2>&1 ||
  useradd --system --user-group --home-dir "$LIBRARY" --no-create-home --shell /usr/sbin/nologin tagstead
install -d -m 700 -o tagstead -g tagstead "$LIBRARY"
rm -rf "$PROGRAM.new"
cp -R "$here" "$PROGRAM.new"
chown -R root:root "$PROGRAM.new"
# It may have been unpacked for nobody else.
chmod -R u=rwX,go=rX "$PROGRAM.new"

if [ ! -e "$PROGRAM" ]; then
  mv "$PROGRAM.new" "$PROGRAM"
  start
  answers "$PATIENCE" || fail "the server does not answer at $(address): journalctl -u tagstead tells why"
  echo "Tagstead $version is at $(address); journalctl -u tagstead shows the password of the first user."
  exit
fi

former=$("$PROGRAM/tagstead" --version)
if systemctl is-active --quiet tagstead; then
  # A new version that is asked at a wrong address would be put back.
  answers "$SOON" || fail "the running server does not answer at $(address); nothing was changed"
else
  say "the server does not run, so $(address) can't be tried before the upgrade"
fi
guard
stop
copy_database
mv "$PROGRAM" "$PROGRAM.old"
mv "$PROGRAM.new" "$PROGRAM"
start
if answers "$PATIENCE"; then
  be_done
  echo "Tagstead $version is at $(address), in the place of $former."
  exit
fi
put_back
answers "$PATIENCE" || fail "neither $version nor $former answers: journalctl -u tagstead tells why"
fail "$version did not answer, and $former is back; $version is in $PROGRAM.failed, and journalctl -u tagstead tells why"
