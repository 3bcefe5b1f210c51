import { commandOf, computedBy, descendantsOf, residentOf } from '../../support/processes.ts'

/** How often to look, in milliseconds. */
const LOOK_INTERVAL = 500

/** What a server took while its clients worked. */
export interface Taken {
  /** MiB of the server, and of its decoder: the medians of the three thirds of the time. */
  server: number[]
  decoder: number[]
  /** MiB of all other processes that it has started, at most. */
  others: number
  /** How many cores it kept busy, without its children. */
  cores: number
}

/** Looks at a server from time to time, until it is asked what was taken. */
export interface Meter {
  /** Looks no more until `goOn`. */
  rest(): void
  goOn(): void
  stop(): Taken
}

/** Returns whether a process is the decoder or a program that it has started. */
const isOfDecoder = (pid: number) => /media\/child\/|ffmpeg/.test(commandOf(pid))

export function startMeter(pid: number): Meter {
  const samples: { server: number; decoder: number; others: number }[] = []
  let timer: ReturnType<typeof setInterval>
  let [busy, seconds] = [0, 0]
  let begun = { computed: 0, at: 0 }
  const look = () => {
    const sample = { server: residentOf(pid), decoder: 0, others: 0 }
    for (const child of descendantsOf(pid)) {
      sample[isOfDecoder(child) ? 'decoder' : 'others'] += residentOf(child)
    }
    samples.push(sample)
  }
  const meter: Meter = {
    rest() {
      clearInterval(timer)
      busy += computedBy(pid) - begun.computed
      seconds += (performance.now() - begun.at) / 1000
    },
    goOn() {
      begun = { computed: computedBy(pid), at: performance.now() }
      timer = setInterval(look, LOOK_INTERVAL)
    },
    stop() {
      meter.rest()
      return {
        server: thirdsOf(samples.map(({ server }) => server)),
        decoder: thirdsOf(samples.map(({ decoder }) => decoder)),
        others: Math.max(...samples.map(({ others }) => others)),
        cores: busy / seconds,
      }
    },
  }
  meter.goOn()
  return meter
}

function thirdsOf(values: number[]): number[] {
  const third = Math.ceil(values.length / 3)
  return [0, 1, 2].map((n) => medianOf(values.slice(n * third, (n + 1) * third)))
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
