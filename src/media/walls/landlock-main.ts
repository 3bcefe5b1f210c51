import { dlopen, FFIType, ptr } from 'bun:ffi'
import { openSync, statSync } from 'node:fs'
import type { Rules } from './landlock.ts'
import { refusal } from './refusal.ts'

// Runs on Bun, even for a server on Node: `landlock-main.ts RULES PROGRAM ARGUMENT...` becomes the program, which may
// open what the rules name, and make no connections. The kernel binds only the thread that asks for it, and what that
// becomes; so a process with other threads can't do it to itself.

// linux/landlock.h. Version 3 is the first that also governs truncation.
const OLDEST = 3
const [CREATE_RULESET, ADD_RULE, RESTRICT_SELF, ASK_VERSION, PATH_BENEATH] = [444, 445, 446, 1, 1]
const [EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE] = [1n, 2n, 4n, 8n, 0x4000n]
const OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
const ACCESS: Record<keyof Rules, bigint> = {
  read: EXECUTE | READ_FILE | READ_DIR,
  list: READ_DIR,
  devices: READ_FILE | WRITE_FILE,
  // This includes removing files and folders, and making these and links, but no devices, sockets or pipes.
  write: READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | 0x30n | 0x1180n,
}
// All rights of a version: for files; for TCP; for other sockets and signals.
const known = (version: number) =>
  [version < 5 ? 0x7fffn : 0xffffn, 3n, 3n].slice(0, version < 4 ? 1 : version < 6 ? 2 : 3)

// linux/prctl.h, linux/seccomp.h, linux/capability.h.
const [PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, MODE_FILTER, CAPABILITIES_3] = [22, 38, 2, 0x20080522]

const { i32, i64, pointer } = FFIType
const numbers = (count: number) => new Array<FFIType>(count).fill(i64)
const { symbols: libc } = dlopen('libc.so.6', {
  syscall: { args: numbers(5), returns: i64 },
  prctl: { args: [i32, ...numbers(4)], returns: i32 },
  capset: { args: [pointer, pointer], returns: i32 },
  execv: { args: [pointer, pointer], returns: i32 },
})

function must(what: string, returned: number | bigint): number {
  if (Number(returned) < 0) throw new Error(`the system refuses ${what}`)
  return Number(returned)
}

// Afterwards, this thread can open no more than what the rules name.
function bound(rules: Rules): void {
  const version = must('Landlock', libc.syscall(CREATE_RULESET, 0, 0, ASK_VERSION, 0))
  if (version < OLDEST) throw new Error(`Landlock ${OLDEST} is needed, and here is ${version}`)
  const all = new BigUint64Array(known(version))
  const set = must('rules', libc.syscall(CREATE_RULESET, ptr(all), all.byteLength, 0, 0))
  for (const [kind, paths] of Object.entries(rules) as [keyof Rules, string[]][]) {
    for (const path of paths) {
      const rule = new DataView(new ArrayBuffer(12))
      const ofFolder = statSync(path).isDirectory() ? -1n : OF_FILES
      rule.setBigUint64(0, ACCESS[kind] & ofFolder, true)
      rule.setInt32(8, openSync(path, 'r'), true)
      must(`a rule for ${path}`, libc.syscall(ADD_RULE, set, PATH_BENEATH, ptr(rule), 0))
    }
  }
  must('to give up rights', libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
  const head = new Uint32Array([CAPABILITIES_3, 0])
  must('to give up capabilities', libc.capset(head, new Uint32Array(6)))
  must('walls', libc.syscall(RESTRICT_SELF, set, 0, 0, 0))
}

function refuseCalls(): void {
  const filter = refusal(process.arch)
  const program = new BigUint64Array([BigInt(filter.byteLength / 8), BigInt(ptr(filter))])
  must('a filter', libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ptr(program), 0, 0))
}

function become(line: string[]): void {
  const words = line.map((word) => Buffer.from(`${word}\0`))
  const list = new BigUint64Array([...words.map((word) => BigInt(ptr(word))), 0n])
  must(`to run ${line[0]}`, libc.execv(words[0]!, list))
}

const [rules, ...line] = process.argv.slice(2)
try {
  bound(JSON.parse(rules!))
  refuseCalls()
  become(line)
} catch (error) {
  process.stderr.write(String(error))
  process.exit(1)
}
