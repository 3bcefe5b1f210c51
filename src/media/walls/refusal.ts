// Codes from linux/filter.h, and offsets of the call's data in linux/seccomp.h.
const [LOAD, EQUAL, AT_LEAST, AND, RETURN] = [0x20, 0x15, 0x35, 0x54, 0x06]
const [CALL, ARCHITECTURE, SECOND_ARGUMENT] = [0, 4, 24]
// The latter with EPERM.
const [ALLOW, REFUSE] = [0x7fff0000, 0x00050001]
// From here on, calls are those of x32 programs.
const X32 = 0x40000000
const [SOCK_TYPES, SOCK_STREAM] = [0xf, 1]

// By architecture (linux/audit.h), the refused calls (asm/unistd.h): those that make sockets, other than pairs of
// streams, which lead nowhere else, and those that Landlock lets through, which change who may open a file, its times
// and its attributes.
const CALLS: Record<
  string,
  { audit: number; socketpair: number; refused: Record<string, number> }
> = {
  x64: {
    ...{ audit: 0xc000003e, socketpair: 53 },
    refused: {
      ...{ socket: 41, io_uring_setup: 425, chmod: 90, fchmod: 91, fchmodat: 268, fchmodat2: 452 },
      ...{ chown: 92, fchown: 93, lchown: 94, fchownat: 260, utime: 132, utimes: 235 },
      ...{ futimesat: 261, utimensat: 280, setxattr: 188, lsetxattr: 189, fsetxattr: 190 },
      ...{ setxattrat: 463, removexattr: 197, lremovexattr: 198, fremovexattr: 199 },
      ...{ removexattrat: 466, file_setattr: 469 },
    },
  },
  arm64: {
    ...{ audit: 0xc00000b7, socketpair: 199 },
    refused: {
      ...{ socket: 198, io_uring_setup: 425, fchmod: 52, fchmodat: 53, fchmodat2: 452 },
      ...{ fchownat: 54, fchown: 55, utimensat: 88, setxattr: 5, lsetxattr: 6, fsetxattr: 7 },
      ...{ setxattrat: 463, removexattr: 14, lremovexattr: 15, fremovexattr: 16 },
      ...{ removexattrat: 466, file_setattr: 469 },
    },
  },
}

type Step = [code: number, value: number, passedIfSo?: number, passedElse?: number]
const refuseIf = (code: number, value: number): Step[] => [
  [code, value, 0, 1],
  [RETURN, REFUSE],
]
const refuseUnless = (code: number, value: number): Step[] => [
  [code, value, 1, 0],
  [RETURN, REFUSE],
]

/**
 * Returns the filter of system calls for seccomp(2), eight bytes a step, with which a program makes no sockets and
 * changes nothing of a file but its bytes. Throws for another architecture than x86-64 and arm64.
 */
export function refusal(architecture: string): DataView<ArrayBuffer> {
  const calls = CALLS[architecture]
  if (calls === undefined) throw new Error(`the system calls of ${architecture} are not known`)
  const steps: Step[] = [
    [LOAD, ARCHITECTURE],
    ...refuseUnless(EQUAL, calls.audit),
    [LOAD, CALL],
    ...refuseIf(AT_LEAST, X32),
    ...Object.values(calls.refused).flatMap((call) => refuseIf(EQUAL, call)),
    [EQUAL, calls.socketpair, 1, 0],
    [RETURN, ALLOW],
    [LOAD, SECOND_ARGUMENT],
    [AND, SOCK_TYPES],
    ...refuseUnless(EQUAL, SOCK_STREAM),
    [RETURN, ALLOW],
  ]
  const filter = new DataView(new ArrayBuffer(steps.length * 8))
  for (const [n, [code, value, passedIfSo = 0, passedElse = 0]] of steps.entries()) {
    filter.setUint16(n * 8, code, true)
    filter.setUint8(n * 8 + 2, passedIfSo)
    filter.setUint8(n * 8 + 3, passedElse)
    filter.setUint32(n * 8 + 4, value, true)
  }
  return filter
}
