const WIDTH = 30

interface Progress {
  show(label: string, done: number, total: number): void
  end(): void
}

/** Returns a display of progress on a terminal; null without a terminal, and for output that programs read. */
export function progressOnTerminal({ json }: { json?: boolean | undefined }): Progress | null {
  return json || !process.stdout.isTTY ? null : createProgress(process.stdout)
}

/** Returns a display of progress on `output`: a bar on a terminal, elsewhere a line for each tenth of the way. */
export function createProgress(
  output: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>,
  isTerminal = Boolean(output.isTTY),
): Progress {
  let last = ''
  return {
    show(label, done, total) {
      const share = total === 0 ? 1 : done / total
      const bar = '█'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH, '░')
      const percent = Math.floor(share * 100)
      const text = isTerminal
        ? `\r${label} ${bar} ${String(percent).padStart(3)} %\x1b[K`
        : `${label} ${percent - (percent % 10)} %\n`
      if (text !== last) output.write(text)
      last = text
    },
    end() {
      if (isTerminal && last !== '') output.write('\n')
      last = ''
    },
  }
}
