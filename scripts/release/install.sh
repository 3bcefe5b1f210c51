#!/bin/sh
# Makes the unpacked release beside this file a service of systemd, or puts it in the place of an older one.
set -eu
unset CDPATH

PROGRAM=/opt/tagstead
PLACES="$PROGRAM $PROGRAM.old $PROGRAM.new $PROGRAM.failed $PROGRAM.gone"
LIBRARY=/var/lib/tagstead
SETTINGS=/etc/tagstead.conf
UNIT=/etc/systemd/system/tagstead.service
# The database that an upgrade may have to put back, and each that was replaced so. Both are root's.
FORMER=/var/lib/tagstead-before-upgrade
REPLACED=/var/lib/tagstead-replaced
# What is there was not replaced yet.
ASIDE=$REPLACED/unfinished
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
one is kept in $REPLACED. --remove takes the service and $PROGRAM away, with what upgrades have left
beside it and beside the library, but for $REPLACED, and nothing else."
  exit "$1"
}

# The folder of the library is the user's: what is written there is written by that user, who could plant links. What
# that user runs has a session of its own: on the terminal of root, it could type commands. Nor does Bun take its
# settings from there.
as_tagstead() (
  umask 077
  cd "$LIBRARY" || exit
  setsid -w runuser -u tagstead -- "$@"
)

# A setting as the service gets it, or what it is without. What counts most comes last.
setting() {
  value=$(
    {
      [ ! -f "$LIBRARY/.env" ] || cat "$LIBRARY/.env" || true
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
      "$PROGRAM/bin/bun" --no-env-file --config=/dev/null -e "$ask" "$(address)/health"; then
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
  # What was renamed is on the disk before a new version migrates the database.
  sync
  systemctl start tagstead || true
}

stop() {
  # It fails where there is no unit, too.
  systemctl stop tagstead || true
  if systemctl is-active --quiet tagstead; then fail "the server does not stop"; fi
}

# Refuses where a folder has less room than so many times what the database takes.
want_room() {
  size=$(du -ck "$LIBRARY/tagstead.sqlite" "$LIBRARY/tagstead.sqlite-wal" 2>/dev/null | tail -n 1 | cut -f 1)
  # Some file systems tell nothing.
  free=$(df -Pk "$1" | sed -n '$s/.* \([0-9][0-9]*\)  *[0-9][0-9]*% .*/\1/p')
  needed=$((size * $2))
  [ "${free:-$needed}" -ge "$needed" ] ||
    fail "an upgrade needs $((needed / 1000 + 1)) MB in $1, where $((free / 1000)) MB are free; nothing was changed"
}

# Whether a process is the server, was begun by it, or is gone.
is_of_service() {
  ancestor=$1
  while [ "${ancestor:-0}" -gt 1 ]; do
    [ "$ancestor" != "$server" ] || return 0
    ancestor=$(sed -n 's/^PPid:[[:blank:]]*//p' "/proc/$ancestor/status" 2>/dev/null) || return 0
  done
  return 1
}

# Tells a process of what is or was installed that is not of the service, if there is any. The system names files by
# resolved paths, and by those that they have now.
command_at_work() {
  server=$(systemctl show --property=MainPID --value tagstead) || server=0
  for place in $PLACES; do
    place=$(cd "$place" 2>/dev/null && pwd -P) || continue
    for exe in /proc/[0-9]*/exe; do
      case $(readlink "$exe" 2>/dev/null) in
        "$place/bin/bun" | "$place/bin/bun (deleted)") ;;
        *) continue ;;
      esac
      pid=${exe#/proc/}
      pid=${pid%/exe}
      is_of_service "$pid" || { echo "$pid" && return; }
    done
  done
}

# A command that goes on while its program is replaced would work on a database of another version, or on none.
refuse_commands() {
  pid=$(command_at_work)
  [ -z "$pid" ] || fail "a command of $PROGRAM is at work (process $pid): wait for it; $1"
}

# What was begun with the new version writes into the database that would be set aside.
wait_for_commands() {
  pid=$(command_at_work)
  [ -n "$pid" ] || return 0
  say "a command is at work (process $pid): it is waited for"
  end=$(($(date +%s) + PATIENCE))
  while [ -n "$(command_at_work)" ] && [ "$(date +%s)" -lt "$end" ]; do sleep 2; done
}

# Renames, and has it on the disk before anything relies on it.
move() {
  mv "$1" "$2"
  sync
}

# SQLite makes the copy, because what was killed leaves a log that belongs to the database.
copy_database() {
  [ -e "$LIBRARY/tagstead.sqlite" ] || return 0
  copy="import { Database } from 'bun:sqlite'
    const database = new Database('tagstead.sqlite', { readwrite: true })
    database.run('PRAGMA busy_timeout = 60000')
    database.run('VACUUM INTO ?', [process.argv[1]])
    database.close()"
  install -d -m 700 -o tagstead -g tagstead "$FORMER.new"
  as_tagstead "$PROGRAM/bin/bun" --no-env-file --config=/dev/null -e "$copy" "$FORMER.new/tagstead.sqlite" ||
    fail "the database can't be copied, and nothing was changed"
  chown root:root "$FORMER.new"
  if [ -L "$FORMER.new/tagstead.sqlite" ] || [ ! -f "$FORMER.new/tagstead.sqlite" ]; then
    fail "$FORMER.new/tagstead.sqlite is no file, and nothing was changed"
  fi
  sync
  # $PROGRAM.old without the copy would be put back with a migrated database.
  move "$FORMER.new" "$FORMER"
}

# Lays beside each other what putting back needs, so that no lack of room can end it once it has begun.
make_ready() {
  rm -rf "$ASIDE"
  [ -e "$FORMER/tagstead.sqlite" ] || return 0
  as_tagstead sh -c 'rm -f tagstead.sqlite.part
    cat >tagstead.sqlite.part && sync || { rm -f tagstead.sqlite.part; exit 1; }' <"$FORMER/tagstead.sqlite" ||
    fail "the database can't be put back: look at the room in $LIBRARY and run install.sh again"
  install -d -m 700 "$REPLACED" "$ASIDE"
  for ending in '' -wal -shm; do
    file=$LIBRARY/tagstead.sqlite$ending
    [ -e "$file" ] || continue
    # A link takes no room.
    ln -P "$file" "$ASIDE/" 2>/dev/null || cp -pP "$file" "$ASIDE/" || {
      rm -rf "$ASIDE"
      fail "the database can't be set aside: look at the room in $REPLACED and run install.sh again"
    }
  done
  sync
}

# As long as $PROGRAM.old is there, the upgrade is neither done nor put back; with no $PROGRAM beside it, this began
# and begins anew.
put_back() {
  again='run install.sh again then, because nothing is put back yet'
  stop
  wait_for_commands
  refuse_commands "$again"
  trap '' INT TERM
  # While it is away, nothing begins that would write into what is laid ready.
  if [ -e "$PROGRAM" ]; then
    rm -rf "$PROGRAM.failed"
    move "$PROGRAM" "$PROGRAM.failed"
    taken=yes
  fi
  refuse_commands "$again"
  make_ready
  taken=
  if [ -e "$FORMER/tagstead.sqlite" ]; then
    aside=$REPLACED/$(date +%Y-%m-%dT%H-%M-%S)-$$
    move "$ASIDE" "$aside"
    say "the database as it was until now is kept in $aside"
    as_tagstead sh -c 'rm -f tagstead.sqlite-wal tagstead.sqlite-shm && mv tagstead.sqlite.part tagstead.sqlite'
    sync
  fi
  move "$PROGRAM.old" "$PROGRAM"
  rm -rf "$FORMER"
  start
  trap 'exit 1' INT TERM
}

be_done() {
  rm -rf "$PROGRAM.gone"
  # As long as $PROGRAM.old may come back, it needs the copy.
  move "$PROGRAM.old" "$PROGRAM.gone"
  rm -rf "$PROGRAM.gone" "$PROGRAM.failed" "$FORMER" "$ASIDE"
}

# Whatever ends an upgrade half-way, a server runs, and the next run settles the rest.
leave_running() {
  trap - EXIT
  trap '' INT TERM
  rm -rf "$PROGRAM.new" "$FORMER.new" || true
  [ -e "$PROGRAM.old" ] || rm -rf "$FORMER" || true
  [ -z "$taken" ] || mv "$PROGRAM.failed" "$PROGRAM" || true
  if [ -e "$PROGRAM" ]; then systemctl start tagstead || true; else put_back; fi
}

guard() {
  # Whether $PROGRAM is taken away while it isn't sure yet that it can be put back.
  taken=
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
  for folder in $PLACES "$@"; do
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
  # Each holds a whole database where an upgrade was cut off.
  rm -rf $PLACES "$FORMER" "$FORMER.new" "$ASIDE"
  echo "Tagstead is removed. The library is still in $LIBRARY; the user tagstead and $SETTINGS stay, too."
  rmdir "$REPLACED" 2>/dev/null || true
  [ ! -e "$REPLACED" ] || echo "The databases that upgrades have replaced are still in $REPLACED."
}

case ${1:-} in
  '' | --remove) [ $# -le 1 ] || usage 2 ;;
  -h | --help) usage 0 ;;
  *) usage 2 ;;
esac
[ "$(id -u)" = 0 ] || fail "only root can install a service"
for needed in systemctl useradd runuser setsid; do
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
for place in $PLACES; do
  [ ! "$here" -ef "$place" ] || fail "this is what is installed: run it from the folder of another version"
done
data_dir=$(setting DATA_DIR "$LIBRARY")
[ "${data_dir%/}" = "$LIBRARY" ] ||
  fail "another DATA_DIR is set, which the service may not write to: give it to another unit of your own"
version=$("$here/tagstead" --version)
if [ -e "$PROGRAM.old" ]; then settle; fi

if [ -e "$PROGRAM" ]; then
  former=$("$PROGRAM/tagstead" --version) ||
    fail "what is in $PROGRAM does not start: take it away with --remove first; nothing was changed"
  refuse_commands "nothing was changed"
  if systemctl is-active --quiet tagstead; then
    # A new version that is asked at a wrong address would be put back.
    answers "$SOON" || fail "the running server does not answer at $(address); nothing was changed"
  else
    say "the server does not run, so $(address) can't be tried before the upgrade"
  fi
fi
id tagstead >/dev/null 2>&1 ||
  useradd --system --user-group --home-dir "$LIBRARY" --no-create-home --shell /usr/sbin/nologin tagstead
install -d -m 700 -o tagstead -g tagstead "$LIBRARY"
trap 'exit 1' INT TERM
trap 'rm -rf "$PROGRAM.new"' EXIT
rm -rf "$PROGRAM.new" "$FORMER" "$FORMER.new"
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

# The copy and its log of a migration, what is copied here, and what is put back.
want_room "$LIBRARY" 4
# What is copied here, and what is set aside where it can't be linked, with its log.
want_room "${FORMER%/*}" 3
guard
stop
refuse_commands "nothing was changed"
copy_database
mv "$PROGRAM" "$PROGRAM.old"
# One may have begun since, and none can now.
(refuse_commands "nothing was changed") || {
  mv "$PROGRAM.old" "$PROGRAM"
  exit 1
}
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
