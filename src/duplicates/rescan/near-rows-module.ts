// The loop over a billion pairs of hashes, in WebAssembly: it counts the bits of 64 at once, which
// JavaScript can't. The format: https://webassembly.github.io/spec/core/binary/

/** What the module exports. */
export interface NearRowsExports {
  /**
   * Compares each hash from `from` on, before `to`, with each later one from `first` on, before `end`, and
   * writes the addresses of those pairs to `out` that differ in no more than `threshold` bits. Returns the
   * address after the last pair. All parameters but the threshold are addresses; none is of no hashes.
   */
  near(from: number, to: number, first: number, end: number, threshold: number, out: number): number
}

const I32 = 0x7f
const I64 = 0x7e
/** A block leaves no value on the stack. */
const NOTHING = 0x40
const LOOP = 0x03
const IF = 0x04
const END = 0x0b
const BRANCH_IF = 0x0d
/** Takes the first of two values when a third one isn't 0, else the second. */
const SELECT = 0x1b
const LOCAL_GET = 0x20
const LOCAL_SET = 0x21
const LOCAL_TEE = 0x22
const I64_LOAD = 0x29
const I32_STORE = 0x36
const I32_CONST = 0x41
const I32_LESS = 0x49
const I32_AT_MOST = 0x4d
const I32_ADD = 0x6a
const I64_POPCNT = 0x7b
const I64_XOR = 0x85
const I32_WRAP_I64 = 0xa7
/** Alignments, as powers of two. */
const OF_4_BYTES = 2
const OF_8_BYTES = 3

const TYPES = 1
const IMPORTS = 2
const FUNCTIONS = 3
const EXPORTS = 7
const CODE = 10
const FUNCTION_TYPE = 0x60
const MEMORY = 2
const FUNCTION = 0

/** The parameters, in their order, then the local variables. */
const [FROM, TO, FIRST, END_ROW, THRESHOLD, OUT, OTHER, HASH] = [0, 1, 2, 3, 4, 5, 6, 7]
const PARAMETERS = [I32, I32, I32, I32, I32, I32]
const LOCALS = [I32, I64]
const HASH_BYTES = 8

type Code = number[]

const get = (local: number): Code => [LOCAL_GET, local]
const set = (local: number, value: Code): Code => [...value, LOCAL_SET, local]
/** Sets a variable and leaves its value on the stack. */
const tee = (local: number, value: Code): Code => [...value, LOCAL_TEE, local]
const plus = (local: number, bytes: number): Code => [...get(local), I32_CONST, bytes, I32_ADD]
const loadHash = (address: number): Code => [...get(address), I64_LOAD, OF_8_BYTES, 0]
const storeAddress = (to: number, offset: number, value: number): Code => [
  ...get(to),
  ...get(value),
  I32_STORE,
  OF_4_BYTES,
  offset,
]
const less = (a: Code, local: number): Code => [...a, ...get(local), I32_LESS]
const when = (condition: Code, then: Code): Code => [...condition, IF, NOTHING, ...then, END]
/** Goes round as long as the condition holds after the body. */
const repeatWhile = (body: Code, condition: Code): Code => [
  LOOP,
  NOTHING,
  ...body,
  ...condition,
  BRANCH_IF,
  0,
  END,
]

const differingBits = [...get(HASH), ...loadHash(OTHER), I64_XOR, I64_POPCNT, I32_WRAP_I64]
const report = [
  ...storeAddress(OUT, 0, FROM),
  ...storeAddress(OUT, 4, OTHER),
  ...set(OUT, plus(OUT, 2 * 4)),
]
const compareWithOthers = repeatWhile(
  when([...differingBits, ...get(THRESHOLD), I32_AT_MOST], report),
  less(tee(OTHER, plus(OTHER, HASH_BYTES)), END_ROW),
)
/** A pair is compared once, also where both of its hashes are of the same bucket. */
const laterOne = [
  ...get(FIRST),
  ...tee(OTHER, plus(FROM, HASH_BYTES)),
  ...less(get(OTHER), FIRST),
  SELECT,
]
const near: Code = [
  ...repeatWhile(
    [
      ...set(HASH, loadHash(FROM)),
      ...set(OTHER, laterOne),
      ...when(less(get(OTHER), END_ROW), compareWithOthers),
    ],
    less(tee(FROM, plus(FROM, HASH_BYTES)), TO),
  ),
  ...get(OUT),
  END,
]

const HEAD = [0, ...textOf('asm'), 1, 0, 0, 0]

/** The module, which imports `memory` and exports `near`. */
export const nearRowsModule = new WebAssembly.Module(
  Uint8Array.from([
    ...HEAD,
    ...section(TYPES, [FUNCTION_TYPE, ...list(PARAMETERS.map(only)), ...list([[I32]])]),
    // Of one page at least.
    ...section(IMPORTS, [...named('rows'), ...named('memory'), MEMORY, 0, 1]),
    ...section(FUNCTIONS, [0]),
    ...section(EXPORTS, [...named('near'), FUNCTION, 0]),
    ...section(CODE, sized([...list(LOCALS.map((type) => [1, type])), ...near])),
  ]),
)

function only(type: number): Code {
  return [type]
}

function textOf(text: string): Code {
  return [...new TextEncoder().encode(text)]
}

function named(name: string): Code {
  return sized(textOf(name))
}

function list(items: Code[]): Code {
  return [...lengthOf(items), ...items.flat()]
}

/** Returns a section of one entry. */
function section(id: number, entry: Code): Code {
  return [id, ...sized(list([entry]))]
}

function sized(content: Code): Code {
  return [...lengthOf(content), ...content]
}

/** A length in LEB128, as long as two bytes hold it. */
function lengthOf({ length }: unknown[]): Code {
  return length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >>> 7]
}
